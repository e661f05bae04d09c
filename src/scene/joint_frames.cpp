#include "scene/joint_frames.h"

#include <optional>

#include <taut/joints.h>
#include "scene/text_format.h"
#include "scene/values.h"

namespace taut::scene {
namespace {

class FrameReader {
public:
    FrameReader(const FrameRequest& request, Problems& problems)
        : node_(request.node), request_(request), problems_(problems)
    {}

    // Frame of side 1, 2 or 3, from the numbered keys or from the common ones.
    JointFrame side(int number)
    {
        const std::string own = "_" + std::to_string(number);
        const auto key = [&](const char* name) {
            const std::string numbered = name + own;
            const bool shared_counts = read_coordinates(node_) == Coordinates::World;
            return node_.has(numbered) || !shared_counts ? numbered : std::string(name);
        };
        auto point = vector(node_, key("at"));
        if (!point) point = request_.default_points[static_cast<std::size_t>(number - 1)];
        if (!point) missing("at", own);

        const auto axis = direction(node_, key("axis"), request_.label, problems_);
        if (!axis && request_.needs_axis && !node_.has(key("axis"))) missing("axis", own);
        const auto toward = direction(node_, key("toward"), request_.label, problems_);
        return frame(point.value_or(Vec3::Zero()), axis, toward, key("toward"));
    }

    JointFrame frame(const Vec3& point, const std::optional<Vec3>& axis,
                     const std::optional<Vec3>& toward, const std::string& toward_key)
    {
        if (!axis && !toward) return {point, Quat::Identity()};
        const Vec3 n = axis.value_or(Vec3::UnitZ());
        if (!toward) return frame_along(point, n);
        if (n.cross(*toward).norm() < 1e-6) {
            problems_.error(node_.find(toward_key)->where,
                            quote(toward_key) + " of " + request_.label +
                                " is parallel to the axis; it must not be");
            return frame_along(point, n);
        }
        return frame_along(point, n, *toward);
    }

private:
    void missing(const std::string& key, const std::string& own)
    {
        if (reported_) return;
        reported_ = true;
        const bool world = read_coordinates(node_) == Coordinates::World;
        const std::string wanted =
            world && request_.bodies == 2
                ? quote(key) + ", or " + quote(key + "_1") + " and " + quote(key + "_2")
                : quote(key + own);
        problems_.error(node_.where, request_.label + " has no " + quote(world ? key : key + own) +
                                         "; specify " + wanted);
    }

    const Node& node_;
    const FrameRequest& request_;
    Problems& problems_;
    bool reported_ = false;
};

// Reports keys that would have no effect.
void refuse_unused_keys(const FrameRequest& request, Problems& problems)
{
    const bool in_body = read_coordinates(request.node) == Coordinates::Body;
    for (const Node::Entry& entry : request.node.entries) {
        const auto is = [&](const char* name) { return entry.key == name; };
        const auto third = [&] { return is("at_3") || is("axis_3") || is("toward_3"); };
        if (in_body && (is("at") || is("axis") || is("toward")))
            problems.error(entry.where, request.label + " is in body coordinates and has " +
                                            quote(entry.key) + "; specify " +
                                            quote(entry.key + "_1") + " and " +
                                            quote(entry.key + "_2"));
        if (request.bodies == 2 && third())
            problems.error(entry.where,
                           request.label + " connects two bodies and has " + quote(entry.key));
        if (request.bodies == 3 && (is("at_1") || is("axis_1") || is("toward_1")))
            problems.error(entry.where,
                           request.label + " connects three bodies and has " + quote(entry.key) +
                               "; '_2' and '_3' give the frames of the second and third body");
    }
}

}  // namespace

Coordinates read_coordinates(const Node& node)
{
    return text_or(node, "coordinates", "world") == "body" ? Coordinates::Body : Coordinates::World;
}

std::array<JointFrame, 4> read_frames(const FrameRequest& request, Problems& problems)
{
    refuse_unused_keys(request, problems);
    FrameReader reader(request, problems);
    if (request.bodies == 3) {
        if (read_coordinates(request.node) == Coordinates::Body)
            problems.error(
                request.node.find("coordinates")->where,
                request.label + " connects three bodies and must be in world coordinates");
        const JointFrame second = reader.side(2), third = reader.side(3);
        return {second, second, third, third};
    }
    if (request.crossed_axes && request.node.has("axis_1") && request.node.has("axis_2")) {
        const auto n = direction(request.node, "axis_1", request.label, problems);
        const auto u = direction(request.node, "axis_2", request.label, problems);
        const JointFrame first = reader.side(1), second = reader.side(2);
        const bool in_body = read_coordinates(request.node) == Coordinates::Body;
        // in body coordinates each side gives its own axis only; the other columns are arbitrary
        if (in_body) {
            const JointFrame along_u = frame_along(second.p, u.value_or(Vec3::UnitX()));
            const Mat3 R = along_u.q.toRotationMatrix();
            Mat3 turned;
            turned << R.col(2), R.col(0), R.col(1);
            return {first, JointFrame{second.p, Quat(turned)}, {}, {}};
        }
        const JointFrame shared = reader.frame(first.p, n, u, "axis_2");
        return {shared, JointFrame{second.p, shared.q}, {}, {}};
    }
    return {reader.side(1), reader.side(2), {}, {}};
}

bool read_between(const Node& node, const std::string& label, const SceneDraft& draft,
                  std::array<BodyId, 3>& bodies, Problems& problems)
{
    const Node& between = *node.find("between");
    bool fine = true;
    for (std::size_t i = 0; i < between.items.size(); ++i) {
        const Node& item = *between.items[i];
        const auto body = draft.find_body(item.filled, item.where, label, problems);
        fine = fine && body;
        bodies[i] = body.value_or(kWorld);
        for (std::size_t j = 0; j < i; ++j)
            if (between.items[j]->filled == item.filled) {
                problems.error(item.where,
                               label + " refers to the body " + quote(item.filled) + " twice");
                fine = false;
            }
    }
    return fine;
}

std::array<std::optional<Vec3>, 3> default_points(const std::array<BodyId, 3>& bodies,
                                                  DefaultPoints which, Coordinates coordinates,
                                                  const SceneDraft& draft)
{
    std::array<std::optional<Vec3>, 3> points;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const DraftBody* body = draft.body(bodies[i]);
        const bool counts =
            body && (which == DefaultPoints::AllBodies || body->def.kind == BodyKind::Particle);
        if (counts)
            points[i] = coordinates == Coordinates::World ? body->def.pose.p : Vec3(Vec3::Zero());
    }
    return points;
}

Vec3 world_point(const Vec3& point, Coordinates coordinates, BodyId body, const SceneDraft& draft)
{
    if (coordinates == Coordinates::World) return point;
    const Pose pose = draft.pose(body);
    return pose.p + pose.q * point;
}

}  // namespace taut::scene

#include "exporters/gltf.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <taut/version.h>
#include "exporters/framing.h"
#include "exporters/glb_buffer.h"
#include "exporters/mesh_library.h"

namespace taut::exporters {

namespace {

using Json = GlbBuffer::Json;

Json as_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Json as_json(const Quat& q) { return {q.x(), q.y(), q.z(), q.w()}; }

bool is_identity(const Pose& pose)
{
    return pose.p == Vec3::Zero() && pose.q.coeffs() == Quat::Identity().coeffs();
}

void place(Json& node, const Pose& pose)
{
    if (is_identity(pose)) return;
    node["translation"] = as_json(pose.p);
    node["rotation"] = as_json(pose.q.normalized());
}

class GltfWriter {
public:
    GltfWriter(const Scene& scene, const Recording& recording)
        : scene_(scene),
          recording_(recording),
          bounds_(bounds_of(scene, recording)),
          size_(bounds_.isEmpty() ? 1 : std::max(bounds_.diagonal().norm(), 1e-3)),
          mesh_library_(buffer_, kPlaneEdge * size_),
          shapes_of_(recording.bodies().size() + 1)
    {
        for (const auto& [body, shape] : scene.shapes) shapes_of_[place_of(body)].push_back(shape);
        for (std::size_t i = 1; i < shapes_of_.size(); ++i)
            if (shapes_of_[i].empty()) shapes_of_[i].push_back(dot({static_cast<int>(i) - 1}));
    }

    std::string write()
    {
        // nodes of the bodies, the world first
        Json children = Json::array();
        if (!shapes_of_[0].empty()) children.push_back(body_node(kWorld));
        for (int i = 0; i < static_cast<int>(recording_.bodies().size()); ++i) {
            const int node = body_node({i});
            children.push_back(node);
            animate(node, recording_.bodies()[static_cast<std::size_t>(i)]);
        }
        children.push_back(camera_node());

        // rotation by −90° about x: z up to y up
        const Real half = std::sqrt(0.5);
        const int root = add_node({{"name", scene_.name},
                                   {"rotation", {-half, 0, 0, half}},
                                   {"children", std::move(children)}});
        return buffer_.file(document(root));
    }

private:
    static constexpr Real kPlaneEdge = 10;  // edge of a plane over the size of the scene
    // radius of the marker of a body without shapes, over the size of the scene
    static constexpr Real kDot = 0.01;

    // Index into shapes_of_, where the world is the first.
    static std::size_t place_of(BodyId body)
    {
        return body.valid() ? static_cast<std::size_t>(body.index) + 1 : 0;
    }

    // Marker of a body without shapes, at its centre of mass.
    DrawnShape dot(BodyId body) const
    {
        const Pose X_WB = scene_.world.pose(body);
        const Vec3 centre = X_WB.q.conjugate() * (scene_.world.centre_of_mass(body) - X_WB.p);
        return {Shape::sphere(kDot * size_), {centre, Quat::Identity()}};
    }

    Pose first_pose(BodyId body) const
    {
        if (!body.valid()) return {};
        const BodyTrack& track = recording_.bodies()[static_cast<std::size_t>(body.index)];
        const auto& p = track.positions[0];
        const auto& q = track.rotations[0];
        return {{p[0], p[1], p[2]}, Quat(q[3], q[0], q[1], q[2])};
    }

    int add_node(Json node)
    {
        nodes_.push_back(std::move(node));
        return static_cast<int>(nodes_.size()) - 1;
    }

    // A single shape with identity pose is the mesh of the body node; otherwise each shape has a child node.
    int body_node(BodyId body)
    {
        const Pose X_WB = first_pose(body);
        const auto& shapes = shapes_of_[place_of(body)];
        const std::string name =
            body.valid() ? std::string(scene_.world.name(body)) : std::string("world");
        Json node = {{"name", name}};
        place(node, X_WB);
        Json children = Json::array();
        for (const DrawnShape& drawn : shapes) {
            const int mesh = mesh_library_.mesh(drawn);
            if (mesh < 0) continue;
            const Pose X_BS = visible_pose(drawn, X_WB);
            if (shapes.size() == 1 && is_identity(X_BS)) {
                node["mesh"] = mesh;
                continue;
            }
            Json child = {{"name", name + "." + std::to_string(children.size() + 1)},
                          {"mesh", mesh}};
            place(child, X_BS);
            children.push_back(add_node(std::move(child)));
        }
        if (!children.empty()) node["children"] = std::move(children);
        return add_node(std::move(node));
    }

    // Pose of a shape in its body. The square of a plane is centred below or above the centre of the scene.
    Pose visible_pose(const DrawnShape& drawn, const Pose& X_WB) const
    {
        Pose X_BS = drawn.pose;
        if (!drawn.shape.is<Shape::Plane>() || bounds_.isEmpty()) return X_BS;
        const Vec3 p_BM = X_WB.q.conjugate() * (Vec3(bounds_.center()) - X_WB.p);
        const Vec3 normal = X_BS.q * Vec3::UnitZ();
        X_BS.p = p_BM - normal.dot(p_BM - X_BS.p) * normal;
        return X_BS;
    }

    void animate(int node, const BodyTrack& track)
    {
        if (!track.moves()) return;
        if (times_ < 0) times_ = buffer_.add(recording_.times());
        add_channel(node, "translation", buffer_.add(track.positions, GlbBuffer::Use::Animation));
        add_channel(node, "rotation", buffer_.add(track.rotations));
    }

    void add_channel(int node, const char* path, int samples)
    {
        channels_.push_back(
            {{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
        samplers_.push_back({{"input", times_}, {"output", samples}, {"interpolation", "LINEAR"}});
    }

    int camera_node()
    {
        const Camera camera = frame(bounds_);
        cameras_.push_back({{"type", "perspective"},
                            {"perspective",
                             {{"yfov", camera.height_angle},
                              {"znear", camera.nearest},
                              {"zfar", camera.furthest}}}});
        Json node = {{"name", "camera"}, {"camera", 0}};
        place(node, camera.pose);
        return add_node(std::move(node));
    }

    Json document(int root) const
    {
        Json document = {
            {"asset", {{"version", "2.0"}, {"generator", std::string("taut ") + version()}}},
            {"scene", 0}};
        document["scenes"] = Json::array(
            {{{"name", scene_.title.empty() ? scene_.name : scene_.title}, {"nodes", {root}}}});
        document["nodes"] = nodes_;
        document["cameras"] = cameras_;
        mesh_library_.write(document);
        if (!channels_.empty())
            document["animations"] = Json::array(
                {{{"name", scene_.name}, {"channels", channels_}, {"samplers", samplers_}}});
        return document;
    }

    const Scene& scene_;
    const Recording& recording_;
    Bounds bounds_;
    Real size_;
    GlbBuffer buffer_;
    MeshLibrary mesh_library_;
    std::vector<std::vector<DrawnShape>> shapes_of_;  // by index of the body plus one
    Json nodes_ = Json::array();
    Json cameras_ = Json::array();
    Json channels_ = Json::array();
    Json samplers_ = Json::array();
    int times_ = -1;  // accessor
};

}  // namespace

Status gltf_fits(std::size_t frames, std::size_t bodies)
{
    // sizes in the format have 32 bits
    constexpr std::size_t kBytes = 28;  // per position and rotation of a body
    if (frames <=
        std::numeric_limits<std::uint32_t>::max() / 2 / kBytes / std::max<std::size_t>(bodies, 1))
        return Done{};
    return Error{"glTF: " + std::to_string(frames) + " frames of " + std::to_string(bodies) +
                 " bodies exceed the size limit of one file; reduce the number of frames (--fps)"};
}

Result<std::string> gltf_file(const Scene& scene, const Recording& recording)
{
    if (recording.times().empty()) return Error{"glTF: nothing was recorded"};
    TAUT_TRY(gltf_fits(recording.times().size(), recording.bodies().size()));
    return GltfWriter(scene, recording).write();
}

}  // namespace taut::exporters

#include "stream/description.h"

#include <nlohmann/json.hpp>

#include "record/columns.h"

namespace taut::stream {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostRead = 300;  // number of bodies and joints whose readings are listed

Json to_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Json to_json(const Quat& q) { return {q.x(), q.y(), q.z(), q.w()}; }
Json to_json(const JointFrame& frame) { return {{"p", to_json(frame.p)}, {"q", to_json(frame.q)}}; }

// Index in the protocol: the world is 0, bodies start at 1.
int place_of(BodyId id) { return id.index + 1; }

const char* kind_name(BodyKind kind)
{
    switch (kind) {
        case BodyKind::Rigid: return "rigid";
        case BodyKind::Particle: return "particle";
        case BodyKind::Fixed: return "fixed";
        case BodyKind::Kinematic: return "kinematic";
    }
    return "?";
}

// Fields by name; numbers of few kinds share the vector `size`, as the page reads it.
class ShapeWriter {
public:
    explicit ShapeWriter(Json& json) : json_(json) {}

    template <class Field>
    void operator()(const Field&, const Vec3& size)
    {
        json_["size"] = to_json(size);
    }
    template <class Field>
    void operator()(const Field& field, Real value)
    {
        if (field.name == "radius")
            json_["size"][0] = value;
        else if (field.name == "length")
            json_["size"][2] = value;
        else
            json_[std::string(field.name)] = value;
    }
    template <class Field>
    void operator()(const Field& field, const std::vector<Vec3>& points)
    {
        Json& list = json_[std::string(field.name)] = Json::array();
        for (const Vec3& point : points) list.push_back(to_json(point));
    }
    template <class Field, class Value>
    void operator()(const Field& field, const Value& value)
    {
        json_[std::string(field.name)] = value;
    }

private:
    Json& json_;
};

Json shape_json(const DrawnShape& drawn)
{
    Json json = {{"kind", drawn.shape.kind_name()},
                 {"size", to_json(Vec3(0, 0, 0))},
                 {"p", to_json(drawn.pose.p)},
                 {"q", to_json(drawn.pose.q)},
                 {"colour", drawn.colour}};
    const auto write = [&](const auto& kind) {
        visit_shape_fields(kind, [&, out = ShapeWriter(json)](const auto& field) mutable {
            out(field, kind.*(field.member));
        });
    };
    drawn.shape.visit(write);
    if (const auto* hull = drawn.shape.as<Shape::Hull>())
        if (const auto surface = convex_mesh(hull->points)) write(*surface);
    return json;
}

Json body_json(const World& world, BodyId id)
{
    const Pose X_WB = world.pose(id);
    const Vec3 com = id == kWorld ? Vec3(Vec3::Zero())
                                  : X_WB.q.conjugate() * (world.centre_of_mass(id) - X_WB.p);
    return {{"name", world.name(id)},
            {"kind", kind_name(world.kind(id))},
            {"mass", world.mass(id)},
            {"com", to_json(com)},
            {"shapes", Json::array()}};
}

Json bodies_json(const Scene& scene)
{
    Json list = Json::array();
    list.push_back(body_json(scene.world, kWorld));
    for (int i = 0; i < scene.world.body_count(); ++i)
        list.push_back(body_json(scene.world, scene.world.body_at(i)));
    for (const auto& [body, shape] : scene.shapes)
        list[place_of(body)]["shapes"].push_back(shape_json(shape));
    return list;
}

Json joints_json(const World& world)
{
    Json list = Json::array();
    for (int i = 0; i < world.joint_count(); ++i) {
        const JointId id = world.joint_at(i);
        const auto bodies = world.bodies(id);
        list.push_back({{"name", world.name(id)},
                        {"type", world.type(id)},
                        {"bodies", {place_of(bodies[0]), place_of(bodies[1])}},
                        {"frames", {to_json(world.frame(id, 0)), to_json(world.frame(id, 1))}}});
    }
    return list;
}

Json springs_json(const World& world)
{
    Json list = Json::array();
    for (int i = 0; i < world.spring_count(); ++i) {
        const SpringId id = world.spring_at(i);
        const auto bodies = world.bodies(id);
        const bool linear = world.kind(id) == SpringDef::Kind::Linear;
        list.push_back({{"name", world.name(id)},
                        {"kind", linear ? "linear" : "torsional"},
                        {"bodies", {place_of(bodies[0]), place_of(bodies[1])}},
                        {"frames", {to_json(world.frame(id, 0)), to_json(world.frame(id, 1))}}});
    }
    return list;
}

Json parameters_json(const std::vector<SceneParameter>& parameters)
{
    const auto number = [](const std::optional<Real>& x) { return x ? Json(*x) : Json(nullptr); };
    Json list = Json::array();
    for (const SceneParameter& p : parameters)
        list.push_back({{"name", p.name},
                        {"value", p.value},
                        {"lowest", number(p.lowest)},
                        {"highest", number(p.highest)},
                        {"choices", p.choices},
                        {"unit", p.unit},
                        {"doc", p.doc},
                        {"adjustable", p.adjustable}});
    return list;
}

Json gamepad_json(const std::optional<GamepadInput>& input)
{
    if (!input) return nullptr;
    if (!input->is_axis) return {{"button", input->number}};
    return {{"axis", input->number}, {"reversed", input->reversed}};
}

Json controls_json(const Controls& controls)
{
    Json list = Json::array();
    for (const ControlInfo& c : controls.list())
        list.push_back({{"name", c.name},
                        {"unit", c.unit},
                        {"lowest", c.lowest},
                        {"highest", c.highest},
                        {"value", c.initial},
                        {"type", c.is_switch ? "switch" : "axis"},
                        {"keys", c.keys},
                        {"gamepad", gamepad_json(c.gamepad)},
                        {"doc", c.doc}});
    return list;
}

Json readings_json(const Scene& scene)
{
    Json list = Json::array();
    for (const ColumnInfo& column : column_list(scene, kMostRead))
        list.push_back({{"name", column.name}, {"unit", column.unit}, {"doc", column.summary}});
    return list;
}

template <class Enum>
Json names_json(std::span<const Choice<Enum>> list)
{
    Json names = Json::array();
    for (const auto& choice : list) names.push_back(choice.name);
    return names;
}

}  // namespace

std::vector<std::string> usual_plots(const World& world)
{
    std::vector<std::string> plots = {"energy.total", "energy.kinetic", "gap.max"};
    for (int i = 0; i < world.joint_count(); ++i) {
        const std::string name(world.name(world.joint_at(i)));
        if (name.empty()) continue;
        plots.push_back("joint." + name + ".force");
        break;
    }
    return plots;
}

std::vector<std::string> recorded_plots(const Scene& scene)
{
    std::vector<std::string> plots = usual_plots(scene.world);
    for (const std::string& name : scene.columns) {
        if (plots.size() == kMostPlots) break;
        const bool there = std::find(plots.begin(), plots.end(), name) != plots.end();
        if (!there && name != "time" && find_column(scene, name).ok()) plots.push_back(name);
    }
    return plots;
}

std::string describe_scene(const Scene& scene, const DescriptionNote& note)
{
    const World& world = scene.world;
    Json json = {{"type", "scene"},
                 {"version", 1},
                 {"revision", note.revision},
                 {"name", scene.name},
                 {"title", scene.title},
                 {"file", note.file},
                 {"duration", scene.duration},
                 {"size", world.size()},
                 {"gravity", to_json(world.gravity())},
                 {"bodies", bodies_json(scene)},
                 {"joints", joints_json(world)},
                 {"springs", springs_json(world)},
                 {"parameters", parameters_json(scene.parameters)},
                 {"controls", controls_json(scene.controls)},
                 {"readings", readings_json(scene)},
                 {"plots", note.plots}};
    json["choices"] = {{"scheme", names_json(schemes())},
                       {"stabilisation", names_json(stabilisations())},
                       {"solver", names_json(solvers())}};
    json["scenes"] = Json::array();
    for (const ListedScene& other : note.scenes)
        json["scenes"].push_back({{"name", other.name}, {"title", other.title}});
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace taut::stream

// Reads shapes: whatever fields their kinds have, from the keys of the same names.
#include "collision/hull.h"
#include "scene/locals.h"
#include "scene/readers.h"
#include "scene/resolve.h"
#include "scene/text_format.h"
#include "scene/values.h"

namespace taut::scene {
namespace {

// Values of fields from nodes whose form the tables have checked.
void read_value(const Node& node, Real& out) { out = node.number; }
void read_value(const Node& node, int& out) { out = static_cast<int>(node.number); }
void read_value(const Node& node, Vec3& out)
{
    for (int k = 0; k < 3; ++k) out[k] = node.items[static_cast<std::size_t>(k)]->number;
}
void read_value(const Node& node, Shape::Triangle& out)
{
    for (std::size_t k = 0; k < 3; ++k) out[k] = static_cast<int>(node.items[k]->number);
}
template <class T>
void read_value(const Node& node, std::vector<T>& out)
{
    for (const NodePtr& item : node.items) read_value(*item, out.emplace_back());
}

class ShapeReader {
public:
    ShapeReader(const std::string& label, SceneDraft& draft, Problems& problems)
        : label_(label), draft_(draft), problems_(problems)
    {}

    // A kind with one field has its value beside its name, one with several has a map.
    template <class Kind>
    Shape read(const Node& node, Kind kind)
    {
        visit_shape_fields(kind, [&](const auto& field) {
            constexpr bool only = std::tuple_size_v<decltype(Kind::fields())> == 1;
            const Node* value = only ? &node : node.find(field.name);
            if (value) read_value(*value, kind.*(field.member));
        });
        finish(node, kind);
        return kind;
    }

private:
    template <class Kind>
    void finish(const Node&, Kind&)
    {}

    void finish(const Node& node, Shape::Plane&)
    {
        if (node.number == 0)
            problems_.error(node.where,
                            "'plane' of " + label_ + " is false; only 'true' is allowed");
    }

    // Points inside are dropped.
    void finish(const Node& node, Shape::Hull& hull)
    {
        const auto made = collision::make_hull(hull.points);
        if (made.hull)
            hull.points = made.hull->vertices;
        else
            problems_.error(node.where, "'hull' of " + label_ + ": " + made.why);
    }

    void finish(const Node& node, Shape::Mesh& mesh)
    {
        const auto count = static_cast<Real>(mesh.points.size());
        for (const NodePtr& item : node.find("triangles")->items)
            for (const NodePtr& place : item->items)
                if (!(place->number < count)) {
                    problems_.error(place->where, "a triangle of " + label_ + " refers to point " +
                                                      to_short_text(place->number) +
                                                      "; the last of " +
                                                      std::to_string(mesh.points.size()) + " is " +
                                                      to_short_text(count - 1));
                    return;
                }
        if (shape_properties(mesh).mass < 0)
            problems_.error(node.where,
                            "the triangles of " + label_ +
                                " face inward; they must be counter-clockwise seen from outside");
    }

    void finish(const Node& node, Shape::HeightField& field)
    {
        if (const Node* formula = node.find("formula")) {
            evaluate_heights(*formula, field);
            return;
        }
        const auto wanted = static_cast<std::size_t>(field.columns) * field.rows;
        if (field.heights.size() != wanted)
            problems_.error(node.find("heights")->where, "'heights' of " + label_ + " are " +
                                                             std::to_string(field.heights.size()) +
                                                             " values; columns × rows is " +
                                                             std::to_string(wanted));
    }

    void evaluate_heights(const Node& formula, Shape::HeightField& field)
    {
        const std::string subject = "'formula' of " + label_;
        if (!formula.is_scalar()) {
            problems_.error(formula.where,
                            subject + " is " + formula.description() + "; a formula is required");
            return;
        }
        Locals names(*draft_.names);
        for (int j = 0; j < field.rows; ++j)
            for (int i = 0; i < field.columns; ++i) {
                names.set("x", i * field.spacing);
                names.set("y", j * field.spacing);
                const auto value = resolve_scalar(formula, subject, names, problems_);
                const Real* height = value ? std::get_if<Real>(&*value) : nullptr;
                if (!height) return;
                field.heights.push_back(*height);
            }
    }

    const std::string& label_;
    SceneDraft& draft_;
    Problems& problems_;
};

}  // namespace

DrawnShape read_shape(const Node& item, const std::string& label, SceneDraft& draft,
                      Problems& problems)
{
    DrawnShape drawn;
    ShapeReader reader(label, draft, problems);
    visit_shape_kinds([&]<class Kind>(const Kind& kind) {
        if (const Node* node = item.find(Kind::kName)) drawn.shape = reader.read(*node, kind);
    });
    drawn.pose.p = vector_or(item, "position", Vec3::Zero());
    drawn.pose.q = rotation_or_identity(item, "rotation", label, problems);
    return drawn;
}

}  // namespace taut::scene

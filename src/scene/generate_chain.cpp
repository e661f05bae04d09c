// Generates a chain: capsules along a straight line, connected end to end, with a load or a body at its end.
#include <cmath>
#include <random>

#include <taut/joints.h>
#include "scene/readers.h"
#include "scene/text_format.h"
#include "scene/values.h"

namespace taut::scene {
namespace {

class ChainGenerator {
public:
    ChainGenerator(const Node& node, const Where& where, SceneDraft& draft, Problems& problems)
        : node_(node),
          where_(where),
          draft_(draft),
          problems_(problems),
          name_(text_or(node, "name", "chain")),
          label_("chain " + quote(name_))
    {
        links_ = static_cast<int>(number_or(node, "links", 1));
        link_length_ = number_or(node, "link_length", 1);
        radius_ = number_or(node, "radius", 0);
        from_ = vector_or(node, "from", Vec3::Zero());
        turn_ = number_or(node, "turn", 0) * Vec3::UnitZ();
    }

    void generate()
    {
        const std::size_t before = problems_.error_count();
        allow_generated(links_ + 1, label_, node_.find("links")->where, draft_, problems_);
        if (2 * radius_ >= link_length_)
            problems_.error(node_.find("radius")->where,
                            label_ + " has links of length " + to_short_text(link_length_) +
                                " m and radius " + to_short_text(radius_) +
                                " m; the radius must be below half the length");
        read_direction();
        read_joint();
        if (problems_.error_count() != before) return;

        const bool anchored = text_or(node_, "anchor", "world") != "none";
        BodyId above = kWorld;
        if (anchored) {
            const Node* anchor = node_.find("anchor");
            if (anchor)
                above = draft_.find_body(anchor->filled, anchor->where, label_, problems_)
                            .value_or(kWorld);
        }
        const DraftBody pattern = make_link();
        std::mt19937 random(static_cast<std::mt19937::result_type>(number_or(node_, "seed", 1)));
        for (int i = 0; i < links_ && problems_.error_count() == before; ++i) {
            const BodyId link = add_link(pattern, i, random);
            if (i > 0 || anchored)
                add_joint(name_ + ".joint" + std::to_string(i + 1), above, link, i);
            above = link;
        }
        if (problems_.error_count() == before) add_end(above);
    }

private:
    Vec3 at(Real distance) const { return from_ + distance * along_; }

    // Velocity of a point of a chain that rotates rigidly about the vertical axis through `from`.
    Twist start_velocity(const Vec3& p) const { return {turn_.cross(p - from_), turn_}; }

    void read_direction()
    {
        const bool horizontal = text_or(node_, "release", "hanging") == "horizontal";
        along_ = horizontal ? Vec3(Vec3::UnitX()) : Vec3(-Vec3::UnitZ());
        if (const auto given = direction(node_, "direction", label_, problems_)) along_ = *given;

        // default axis of the first joint: horizontal and perpendicular to the chain
        const Vec3 square = Vec3::UnitZ().cross(along_);
        axis_ = square.norm() > 1e-6 ? square.normalized() : Vec3(Vec3::UnitY());
        const auto given = direction(node_, "axis", label_, problems_);
        if (!given) return;
        axis_ = *given - along_ * along_.dot(*given);
        if (axis_.norm() < 1e-6)
            problems_.error(node_.find("axis")->where,
                            "'axis' of " + label_ +
                                " is parallel to the chain; it must be perpendicular to it");
        axis_.normalize();
    }

    void read_joint()
    {
        type_ = find_joint_type(text_or(node_, "joint", "ball"));
        if (!type_) problems_.error(where_, label_ + ": there is no joint type 'ball'");
        alternate_ = flag_or(node_, "alternate", type_ && type_->uses_axis);
    }

    // z of the body is along the chain, x along the axis of the first joint
    Quat link_rotation() const
    {
        Mat3 R;
        R << axis_, along_.cross(axis_), along_;
        return Quat(R).normalized();
    }

    void set_mass(DraftBody& body, const Node& node, const char* mass_key, const std::string& label)
    {
        DrawnShape& shape = body.shapes.front();
        const MassProperties solid = shape_properties(shape.shape);
        const auto density = read_density(node, label, draft_, shape.colour, problems_);
        const Real mass = number_or(node, mass_key, density.value_or(1) * solid.mass);
        body.volume = solid.mass;
        body.solid = scaled(solid, mass / solid.mass);
        body.def.mass = mass;
        body.def.inertia = body.solid.inertia;
    }

    DraftBody make_link()
    {
        DraftBody link;
        link.where = where_;
        DrawnShape shape{Shape::capsule(radius_, link_length_ - 2 * radius_)};
        shape.colour = text_or(node_, "colour", "");
        link.shapes.push_back(shape);
        set_mass(link, node_, "link_mass", label_);
        add_colliders(node_, draft_, link);
        link.def.pose.q = link_rotation();
        return link;
    }

    BodyId add_link(const DraftBody& pattern, int i, std::mt19937& random)
    {
        DraftBody link = pattern;
        link.def.name = name_ + ".link" + std::to_string(i + 1);
        link.def.pose.p = at((i + Real(0.5)) * link_length_);
        link.def.velocity = start_velocity(link.def.pose.p);
        if (const Real spin = number_or(node_, "spin", 0); spin > 0)
            for (int k = 0; k < 3; ++k) {
                // std::uniform_real_distribution is not used, because its values differ between standard libraries
                const Real unit = static_cast<Real>(random()) / 4294967295.0;
                link.def.velocity.angular[k] += spin * (2 * unit - 1);
            }
        return draft_.add(std::move(link), problems_);
    }

    void add_joint(const std::string& name, BodyId above, BodyId below, int i)
    {
        const Vec3 axis = alternate_ && i % 2 == 1 ? Vec3(along_.cross(axis_)) : axis_;
        const Vec3 toward = along_.cross(axis);
        DraftJoint joint;
        joint.where = where_;
        joint.type = type_;
        JointDef& def = joint.def;
        def.name = name;
        def.type = std::string(type_->name);
        def.bodies = {above, below, kWorld};
        const JointFrame frame = frame_along(at(i * link_length_), axis, toward);
        def.frames = {frame, frame, {}, {}};
        def.compliance = number_or(node_, "compliance", 0);
        def.angular_compliance = number_or(node_, "angular_compliance", 0);
        def.damping_time = number_or(node_, "damping_time", 0);
        draft_.add(std::move(joint), problems_);
    }

    void add_end(BodyId last)
    {
        const std::string hook = name_ + ".hook";
        if (const Node* end = node_.find("end")) {
            const auto body = draft_.find_body(end->filled, end->where, label_, problems_);
            if (body) add_joint(hook, last, *body, links_);
            return;
        }
        const Node* load = node_.find("load");
        if (!load) return;
        const std::string label = "load of " + label_;
        DraftBody body;
        body.where = load->where;
        DrawnShape shape;
        Real half = 0;
        if (const auto size = vector(*load, "size")) {
            shape.shape = Shape::box(*size);
            half = size->z() / 2;
        } else {
            half = number_or(*load, "radius", 0);
            shape.shape = Shape::sphere(half);
        }
        shape.colour = text_or(*load, "colour", "");
        body.shapes.push_back(shape);
        set_mass(body, *load, "mass", label);
        add_colliders(node_, draft_, body);
        body.def.name = name_ + ".load";
        body.def.pose = {at(links_ * link_length_ + number_or(*load, "arm", half)),
                         link_rotation()};
        body.def.velocity = start_velocity(body.def.pose.p);
        const BodyId id = draft_.add(std::move(body), problems_);
        add_joint(hook, last, id, links_);
    }

    const Node& node_;
    Where where_;
    SceneDraft& draft_;
    Problems& problems_;
    std::string name_;
    std::string label_;
    int links_ = 1;
    Real link_length_ = 1;
    Real radius_ = 0;
    Vec3 from_ = Vec3::Zero();
    Vec3 along_ = Vec3::UnitX();
    Vec3 axis_ = Vec3::UnitY();
    Vec3 turn_ = Vec3::Zero();
    const JointTypeInfo* type_ = nullptr;
    bool alternate_ = false;
};

}  // namespace

void generate_chain(const Node& chain, const Where& where, SceneDraft& draft, Problems& problems)
{
    ChainGenerator(chain, where, draft, problems).generate();
}

}  // namespace taut::scene

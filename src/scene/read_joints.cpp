// Reads joints and their drives. The code is independent of the joint types: what differs is in the catalogue.
#include <algorithm>
#include <array>
#include <limits>

#include <taut/joints.h>
#include "scene/controls.h"
#include "scene/joint_frames.h"
#include "scene/readers.h"
#include "scene/text_format.h"
#include "scene/values.h"

namespace taut::scene {
namespace {

std::vector<std::string> drivable_types()
{
    std::vector<std::string> names;
    for (const JointTypeInfo& type : joint_types())
        if (type.drivable) names.emplace_back(type.name);
    return names;
}

// Whether body 1 can turn about n or slide along it, as far as the rows of the type say: limits act where it can.
bool leaves_free(std::string_view type, std::string_view limits)
{
    const bool turns = type != "prismatic", slides = type != "hinge" && type != "planar";
    return limits == "angle_limits" ? turns : slides;
}

class JointReader {
public:
    JointReader(const Node::Entry& entry, SceneDraft& draft, Problems& problems)
        : node_(*entry.value),
          label_("joint " + quote(entry.key)),
          draft_(draft),
          problems_(problems)
    {
        joint_.def.name = entry.key;
        joint_.where = entry.where;
    }

    void read()
    {
        const std::size_t before = problems_.error_count();
        JointDef& def = joint_.def;
        def.type = text_or(node_, "type", "");
        joint_.type = find_joint_type(def.type);
        if (!check_body_count()) return;
        if (!read_between(node_, label_, draft_, def.bodies, problems_)) return;
        def.coordinates = read_coordinates(node_);
        read_joint_frames();
        read_compliance();
        read_strength();
        for (const ParameterInfo& parameter : joint_.type->parameters)
            if (const auto value = number(node_, parameter.name))
                def.parameters.emplace_back(parameter.name, *value);
        def.target = schedule_or(node_, "target", 0, label_, problems_);
        if (problems_.error_count() != before) return;

        read_target(node_, "target", label_, joint_.def.name, node_.where);
        draft_.add(joint_, problems_);
        read_drive();
        read_limits("angle_limits");
        read_limits("slide_limits");
    }

private:
    bool check_body_count()
    {
        const Node& between = *node_.find("between");
        if (static_cast<int>(between.items.size()) == joint_.type->bodies) return true;
        problems_.error(between.where, label_ + " is between " +
                                           std::to_string(between.items.size()) + " bodies; type " +
                                           quote(joint_.def.type) + " connects " +
                                           std::to_string(joint_.type->bodies));
        return false;
    }

    void read_joint_frames()
    {
        JointDef& def = joint_.def;
        const bool holds_orientation = joint_.type->keeps_orientation;
        // types with a length default to the origins of the bodies; for other types only particles have a default
        // point
        const auto& all = joint_.type->parameters;
        const bool has_length =
            std::any_of(all.begin(), all.end(),
                        [](const ParameterInfo& parameter) { return parameter.name == "length"; });
        const DefaultPoints which =
            has_length ? DefaultPoints::AllBodies : DefaultPoints::Particles;
        const FrameRequest request{
            .node = node_,
            .label = label_,
            .bodies = static_cast<std::size_t>(joint_.type->bodies),
            .needs_axis = joint_.type->uses_axis && !holds_orientation,
            .crossed_axes = joint_.type->crossed_axes,
            .default_points = default_points(def.bodies, which, def.coordinates, draft_)};
        def.frames = read_frames(request, problems_);
        // in body coordinates the second frame must be aligned with the first to keep the initial
        // relative orientation
        const bool oriented = node_.has("axis_1") || node_.has("axis_2");
        if (holds_orientation && !oriented && def.coordinates == Coordinates::Body)
            def.frames[1].q =
                draft_.pose(def.bodies[1]).q.conjugate() * draft_.pose(def.bodies[0]).q;
    }

    void read_compliance()
    {
        JointDef& def = joint_.def;
        def.compliance = number_or(node_, "compliance", 0);
        def.angular_compliance = number_or(node_, "angular_compliance", 0);
        def.damping_time = number_or(node_, "damping_time", 0);
        def.row_compliance = numbers(node_, "row_compliance");
        def.row_damping_time = numbers(node_, "row_damping_time");
        check_rows("row_compliance", def.row_compliance.size());
        check_rows("row_damping_time", def.row_damping_time.size());
    }

    void read_strength()
    {
        JointDef& def = joint_.def;
        constexpr Real kUnbounded = std::numeric_limits<Real>::infinity();
        def.max_force = number_or(node_, "max_force", kUnbounded);
        def.break_force = number_or(node_, "break_force", kUnbounded);
        def.break_torque = number_or(node_, "break_torque", kUnbounded);
    }

    void read_limits(const char* key)
    {
        const Node::Entry* entry = node_.find_entry(key);
        if (!entry) return;
        if (!joint_.type->drivable) {
            problems_.error(entry->where, label_ + " is of type " + quote(joint_.def.type) +
                                              " and cannot have " + key +
                                              "; allowed: " + listed(drivable_types()));
            return;
        }
        if (!leaves_free(joint_.def.type, key)) {
            const bool angle = std::string_view(key) == "angle_limits";
            problems_.error(entry->where, label_ + " is of type " + quote(joint_.def.type) +
                                              (angle ? ", which does not turn about its axis: "
                                                     : ", which does not slide along its axis: ") +
                                              key + " would do nothing; allowed is " +
                                              (angle ? "slide_limits" : "angle_limits"));
            return;
        }
        const std::vector<Real> bounds = numbers(node_, key);
        if (!(bounds[0] <= bounds[1])) {
            problems_.error(entry->value->where, quote(key) + " of " + label_ + " are " +
                                                     to_short_text(bounds[0]) + " and " +
                                                     to_short_text(bounds[1]) +
                                                     "; the first must not exceed the second");
            return;
        }
        DraftJoint stops;
        stops.def = limits(joint_.def, bounds[0], bounds[1]);
        stops.def.type = key;
        stops.def.name = joint_.def.name + "." + key;
        stops.where = entry->where;
        stops.type = find_joint_type(key);
        draft_.add(std::move(stops), problems_);
    }

    void check_rows(const char* key, std::size_t given)
    {
        const Node* node = node_.find(key);
        if (!node || given == static_cast<std::size_t>(joint_.type->rows)) return;
        problems_.error(node->where, quote(key) + " of " + label_ + " has " +
                                         std::to_string(given) + " numbers; type " +
                                         quote(joint_.def.type) + " has " +
                                         std::to_string(joint_.type->rows) + " rows");
    }

    void read_drive()
    {
        const Node::Entry* drive = node_.find_entry("motor");
        if (!drive) drive = node_.find_entry("servo");
        if (!drive) return;
        if (!joint_.type->drivable) {
            problems_.error(drive->where, label_ + " is of type " + quote(joint_.def.type) +
                                              " and cannot have a " + drive->key +
                                              "; allowed: " + listed(drivable_types()));
            return;
        }
        const Node& node = *drive->value;
        const std::string label = drive->key + " of " + label_;
        DraftJoint driver;
        if (drive->key == "motor")
            driver.def = motor(joint_.def, schedule_or(node, "speed", 0, label, problems_));
        else
            driver.def = servo(joint_.def, schedule_or(node, "target", 0, label, problems_),
                               number_or(node, "stiffness", 0), number_or(node, "damping", 0));
        driver.def.max_force = number_or(node, "max_force", std::numeric_limits<Real>::infinity());
        driver.def.name = joint_.def.name + "." + drive->key;
        driver.where = drive->where;
        driver.type = find_joint_type(driver.def.type);
        read_target(node, drive->key == "motor" ? "speed" : "target", label, driver.def.name,
                    drive->where);
        draft_.add(std::move(driver), problems_);
    }

    // A formula in place of a schedule is a command; until the first step the target is 0.
    void read_target(const Node& node, const char* key, const std::string& label,
                     const std::string& drive, const Where& where)
    {
        const Node* formula = find_formula(node, key);
        if (!formula) return;
        control::Command command;
        command.kind = control::Command::Kind::Target;
        command.name = quote(key) + " of " + label;
        command.numbers.push_back(read_formula(*formula, command.name, draft_, problems_));
        add_command(std::move(command), drive, key, where, draft_, problems_);
    }

    const Node& node_;
    std::string label_;
    SceneDraft& draft_;
    Problems& problems_;
    DraftJoint joint_;
};

}  // namespace

void read_joints(const Node& section, SceneDraft& draft, Problems& problems)
{
    for (const Node::Entry& entry : section.entries) JointReader(entry, draft, problems).read();
}

}  // namespace taut::scene

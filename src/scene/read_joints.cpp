// Joints and their drives. Nothing here knows a joint type, except which of them have one axis to
// drive and that the axes of a universal joint are crossed.
#include <algorithm>
#include <array>

#include <taut/joints.h>
#include "scene/joint_frames.h"
#include "scene/readers.h"
#include "scene/values.h"
#include "scene/words.h"

namespace taut {
namespace {

// Types with an axis to turn about or slide along: what `motor` and `servo` act on.
constexpr std::array<std::string_view, 5> kDriven = {"hinge", "prismatic", "cylindrical", "planar",
                                                     "screw"};

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
        def.frames = read_frames({node_, label_, static_cast<std::size_t>(joint_.type->bodies),
                                  joint_.type->uses_axis, def.type == "universal"},
                                 problems_);
        read_compliance();
        for (const ParameterInfo& parameter : joint_.type->parameters)
            if (const auto value = number(node_, parameter.name))
                def.parameters.emplace_back(parameter.name, *value);
        def.target = schedule_or(node_, "target", 0, label_, problems_);
        if (problems_.error_count() != before) return;

        draft_.add(joint_, problems_);
        read_drive();
    }

private:
    bool check_body_count()
    {
        const Node& between = *node_.find("between");
        if (static_cast<int>(between.items.size()) == joint_.type->bodies) return true;
        problems_.error(between.where, label_ + " is between " +
                                           std::to_string(between.items.size()) + " bodies; type " +
                                           quote(joint_.def.type) + " joins " +
                                           std::to_string(joint_.type->bodies));
        return false;
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
        if (std::find(kDriven.begin(), kDriven.end(), joint_.def.type) == kDriven.end()) {
            problems_.error(drive->where, label_ + " is of type " + quote(joint_.def.type) +
                                              " and cannot have a " + drive->key + "; allowed: " +
                                              listed({kDriven.begin(), kDriven.end()}));
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
        driver.def.name = joint_.def.name + "." + drive->key;
        driver.where = drive->where;
        driver.type = find_joint_type(driver.def.type);
        draft_.add(std::move(driver), problems_);
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

}  // namespace taut

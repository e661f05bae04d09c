// Reads commands: formulas for the quantities of a joint, a spring or a body.
#include <algorithm>

#include "scene/controls.h"
#include "scene/readers.h"
#include "scene/text_format.h"
#include "scene/values.h"

namespace taut::scene {
namespace {

using control::Command;
using control::Program;

struct CommandQuantity {
    std::string_view key;
    std::string_view owner;  // joint, spring or body
    Command::Kind kind;
};
constexpr CommandQuantity kQuantities[] = {
    {"target", "joint", Command::Kind::Target},
    {"max_force", "joint", Command::Kind::MaxForce},
    {"limits", "joint", Command::Kind::Limits},
    {"stiffness", "joint", Command::Kind::Servo},
    {"damping", "joint", Command::Kind::Servo},
    {"enabled", "joint", Command::Kind::JointOn},
    {"stiffness", "spring", Command::Kind::Stiffness},
    {"damping", "spring", Command::Kind::Damping},
    {"rest", "spring", Command::Kind::Rest},
    {"velocity", "body", Command::Kind::Velocity},
    {"angular_velocity", "body", Command::Kind::Velocity},
    {"force", "body", Command::Kind::Force},
    {"torque", "body", Command::Kind::Force},
    {"enabled", "body", Command::Kind::BodyOn},
};

class CommandReader {
public:
    CommandReader(const Node::Entry& entry, SceneDraft& draft, Problems& problems)
        : node_(*entry.value),
          label_("command " + quote(entry.key)),
          draft_(draft),
          problems_(problems)
    {}

    void read()
    {
        for (const char* owner : {"joint", "spring", "body"})
            if (const Node* name = node_.find(owner)) {
                owner_ = owner;
                name_ = name;
            }
        std::vector<Command::Kind> done;
        for (const Node::Entry& entry : node_.entries) {
            const CommandQuantity* quantity = find(entry);
            if (!quantity || std::find(done.begin(), done.end(), quantity->kind) != done.end())
                continue;
            done.push_back(quantity->kind);
            add(*quantity, entry.where);
        }
        for (const char* key : {"point", "coordinates"})
            if (const Node::Entry* given = node_.find_entry(key); given && !node_.has("force"))
                problems_.error(given->where, quote(key) + " of " + label_ +
                                                  " belongs to 'force', which it has not");
    }

private:
    // The quantity of a key; an error if the owner has no such quantity.
    const CommandQuantity* find(const Node::Entry& entry)
    {
        std::vector<std::string> allowed;
        bool known = false;
        for (const CommandQuantity& quantity : kQuantities) {
            known = known || quantity.key == entry.key;
            if (quantity.owner != owner_) continue;
            if (quantity.key == entry.key) return &quantity;
            allowed.emplace_back(quantity.key);
        }
        if (known)
            problems_.error(entry.where, quote(entry.key) + " of " + label_ +
                                             " is no quantity of a " + owner_ +
                                             "; allowed: " + listed(allowed));
        return nullptr;
    }

    void add(const CommandQuantity& quantity, const Where& where)
    {
        Command command;
        command.kind = quantity.kind;
        switch (quantity.kind) {
            case Command::Kind::Limits: append("limits", 2, command); break;
            case Command::Kind::Servo:
                append("stiffness", 1, command);
                append("damping", 1, command);
                break;
            case Command::Kind::Velocity:
                append("velocity", 3, command);
                append("angular_velocity", 3, command);
                break;
            case Command::Kind::Force:
                append("force", 3, command);
                append("torque", 3, command);
                command.has_point = node_.has("point");
                command.point = vector_or(node_, "point", Vec3::Zero());
                if (text_or(node_, "coordinates", "world") == "body")
                    command.axes = Coordinates::Body;
                break;
            default: append(std::string(quantity.key), 1, command); break;
        }
        command.name = quote(quantity.key) + " of " + label_;
        add_command(std::move(command), name_->filled, std::string(quantity.key), where, draft_,
                    problems_);
    }

    // The formulas of a key; zeros if it is missing. A servo keeps the number of its description, which is not known here.
    void append(const std::string& key, int count, Command& command)
    {
        const Node* node = node_.find(key);
        if (!node && command.kind == Command::Kind::Servo)
            problems_.error(name_->where,
                            label_ +
                                " commands one of 'stiffness' and 'damping' of a servo; it "
                                "needs both");
        for (int i = 0; i < count; ++i) {
            const Node* item =
                node && node->is_list() ? node->items[static_cast<std::size_t>(i)].get() : node;
            command.numbers.push_back(
                item ? read_formula(*item, quote(key) + " of " + label_, draft_, problems_)
                     : Program(0));
        }
    }

    const Node& node_;
    std::string label_;
    SceneDraft& draft_;
    Problems& problems_;
    std::string owner_;
    const Node* name_ = nullptr;
};

}  // namespace

void add_command(Command command, const std::string& owner, const std::string& quantity,
                 const Where& where, SceneDraft& draft, Problems& problems)
{
    for (const DraftCommand& other : draft.control.commands)
        if (other.command.kind == command.kind && other.owner == owner &&
            command.kind != Command::Kind::Force && command.kind != Command::Kind::Load)
            return problems.error(where, command.name + " commands what " + other.command.name +
                                             " commands at " + other.where.text() + ", of " +
                                             quote(owner));
    draft.control.commands.push_back({std::move(command), owner, quantity, where});
}

void read_commands(const Node& section, SceneDraft& draft, Problems& problems)
{
    for (const Node::Entry& entry : section.entries) CommandReader(entry, draft, problems).read();
}

}  // namespace taut::scene

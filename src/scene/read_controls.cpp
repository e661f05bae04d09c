// Reads controls, logic and the condition that stops a run. Formulas are compiled here; the names in them are found when the
// world is built (build_controls.cpp).
#include <algorithm>
#include <cmath>

#include "scene/controls.h"
#include "scene/readers.h"
#include "scene/resolve.h"
#include "scene/text_format.h"
#include "scene/values.h"

namespace taut::scene {
namespace {

using control::Logic;
using control::Program;

class Inputs : public InputNames {
public:
    Inputs(const Node& node, DraftControls& draft) : node_(node), draft_(draft) {}

    int index_of(std::string_view name, std::size_t offset) override
    {
        const Where where =
            node_.where.shifted(static_cast<int>(offset) + (node_.in_quotes ? 1 : 0));
        draft_.inputs.push_back({std::string(name), where});
        return static_cast<int>(draft_.inputs.size()) - 1;
    }

private:
    const Node& node_;
    DraftControls& draft_;
};

// --- controls ---

// Whether controls and logic may have this name; formulas use it.
bool take_name(const Node::Entry& entry, const std::string& label, SceneDraft& draft,
               Problems& problems)
{
    std::string wrong;
    if (!is_name(entry.key) || entry.key.find_first_of("-.") != std::string::npos)
        wrong = ": its name must be usable in formulas: letters, digits and '_'";
    else if (is_reserved_name(entry.key) || entry.key == "time")
        wrong = " has the name of a function, constant or reading of formulas";
    else if (draft.names->find(entry.key))
        wrong = " has the name of a parameter";
    if (!wrong.empty()) {
        problems.error(entry.where, label + wrong);
        return false;
    }
    const auto [first, is_new] = draft.control.names.try_emplace(entry.key, entry.where);
    if (!is_new)
        problems.error(entry.where, label + " has a name that is used at " + first->second.text());
    return is_new;
}

// Names of KeyboardEvent.key in lower case; a few have a short one.
std::optional<std::string> key_name(const std::string& text)
{
    constexpr std::pair<std::string_view, std::string_view> kShort[] = {
        {"space", " "},        {"up", "arrowup"},       {"down", "arrowdown"},
        {"left", "arrowleft"}, {"right", "arrowright"},
    };
    for (const auto& [name, key] : kShort)
        if (text == name) return std::string(key);
    constexpr std::string_view kLong[] = {"arrowup", "arrowdown", "arrowleft", "arrowright",
                                          "enter",   "backspace", "home",      "end",
                                          "pageup",  "pagedown",  "insert",    "delete"};
    if (std::find(std::begin(kLong), std::end(kLong), text) != std::end(kLong)) return text;
    if (text.size() != 1 || text[0] <= ' ' || text[0] > '~') return std::nullopt;
    const char c = text[0];
    return std::string(1, c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
}

class ControlReader {
public:
    ControlReader(const Node::Entry& entry, SceneDraft& draft, Problems& problems)
        : entry_(entry),
          node_(*entry.value),
          label_("control " + quote(entry.key)),
          draft_(draft),
          problems_(problems)
    {}

    void read()
    {
        if (!take_name(entry_, label_, draft_, problems_)) return;
        control_.name = entry_.key;
        control_.unit = text_or(node_, "unit", "");
        control_.doc = text_or(node_, "doc", "");
        control_.is_switch = text_or(node_, "type", "axis") == "switch";
        control_.rate = number_or(node_, "rate", control_.rate);
        read_range();
        read_default();
        read_keys();
        read_gamepad();
        draft_.control.controls.push_back(std::move(control_));
    }

private:
    void read_range()
    {
        if (control_.is_switch) {
            control_.lowest = 0;
            for (const char* key : {"min", "max", "rate"})
                if (const Node::Entry* given = node_.find_entry(key))
                    problems_.error(given->where, label_ + " is a switch and has no " + quote(key));
            return;
        }
        control_.lowest = number_or(node_, "min", -1);
        control_.highest = number_or(node_, "max", 1);
        if (control_.lowest < control_.highest) return;
        const char* given = node_.has("max") ? "max" : "min";
        problems_.error(node_.has(given) ? node_.find(given)->where : entry_.where,
                        label_ + " has min " + to_short_text(control_.lowest) + " and max " +
                            to_short_text(control_.highest) + "; min must be less than max");
    }

    void read_default()
    {
        const Node* given = node_.find("default");
        const Where where = given ? given->where : entry_.where;
        const std::string subject = "'default' of " + label_;
        if (given && control_.is_switch && (given->text == "on" || given->text == "true")) {
            control_.initial = 1;
        } else if (given &&
                   !(control_.is_switch && (given->text == "off" || given->text == "false"))) {
            const auto value = resolve_scalar(*given, subject, *draft_.names, problems_);
            if (!value) return;
            const Real* number = std::get_if<Real>(&*value);
            if (!number)
                return problems_.error(where, subject + " is a text; a number is required");
            control_.initial = *number;
        }
        const Real x = control_.initial;
        if (control_.is_switch && x != 0 && x != 1)
            problems_.error(where, subject + " is " + to_short_text(x) + "; a switch is on or off");
        else if (!(x >= control_.lowest && x <= control_.highest))
            problems_.error(where, subject + " is " + to_short_text(x) + "; it must be within " +
                                       to_short_text(control_.lowest) + " and " +
                                       to_short_text(control_.highest));
    }

    void read_keys()
    {
        const Node* keys = node_.find("keys");
        if (!keys) return;
        const std::size_t wanted = control_.is_switch ? 1 : 2;
        if (keys->items.size() != wanted)
            problems_.error(keys->where,
                            "'keys' of " + label_ + " has " + std::to_string(keys->items.size()) +
                                (control_.is_switch ? "; a switch has 1, which toggles it"
                                                    : "; an axis has 2: raise and lower"));
        for (const NodePtr& item : keys->items) {
            const auto name = key_name(item->filled);
            if (!name)
                problems_.error(item->where,
                                "'keys' of " + label_ + ": " + quote(item->filled) +
                                    " is no key; allowed: a single character, space, up, down, "
                                    "left, right, enter, backspace, home, end, pageup, pagedown, "
                                    "insert, delete");
            else if (!control_.keys.empty() && control_.keys.front() == *name)
                problems_.error(item->where,
                                "'keys' of " + label_ + " has " + quote(item->filled) + " twice");
            else
                control_.keys.push_back(*name);
        }
    }

    void read_gamepad()
    {
        const Node* gamepad = node_.find("gamepad");
        if (!gamepad) return;
        GamepadInput input;
        input.is_axis = gamepad->has("axis");
        input.number = static_cast<int>(number_or(*gamepad, input.is_axis ? "axis" : "button", 0));
        input.reversed = flag_or(*gamepad, "reversed", false);
        if (input.is_axis == control_.is_switch)
            problems_.error(gamepad->where,
                            "'gamepad' of " + label_ +
                                (control_.is_switch ? " is an axis; a switch needs a 'button'"
                                                    : " is a button; an axis needs an 'axis'"));
        control_.gamepad = input;
    }

    const Node::Entry& entry_;
    const Node& node_;
    std::string label_;
    SceneDraft& draft_;
    Problems& problems_;
    ControlInfo control_;
};

// --- logic ---

void read_bounds(const Node& node, const std::string& label, Logic& logic, Problems& problems)
{
    logic.lowest = number_or(node, "min", logic.lowest);
    logic.highest = number_or(node, "max", logic.highest);
    if (!(logic.lowest < logic.highest))
        problems.error(node.find(node.has("max") ? "max" : "min")->where,
                       label + " has min " + to_short_text(logic.lowest) + " and max " +
                           to_short_text(logic.highest) + "; min must be less than max");
}

// A key that belongs to another one of the same map.
void check_owner(const Node& node, const char* key, const char* owner, const std::string& label,
                 Problems& problems)
{
    const Node::Entry* given = node.find_entry(key);
    if (given && !node.has(owner))
        problems.error(given->where, quote(key) + " of " + label + " belongs to '" +
                                         std::string(owner) + "', which it has not");
}

Logic read_pid(const Node& node, const std::string& label, SceneDraft& draft, Problems& problems)
{
    Logic pid;
    pid.kind = Logic::Kind::Pid;
    const std::string of = " of " + label;
    pid.first = read_formula(*node.find("of"), "'of'" + of, draft, problems);
    pid.target = read_formula(*node.find("target"), "'target'" + of, draft, problems);
    if (const Node* rate = node.find("rate")) {
        pid.rate = read_formula(*rate, "'rate'" + of, draft, problems);
        pid.has_rate = true;
    }
    pid.kp = number_or(node, "kp", 0);
    pid.ki = number_or(node, "ki", 0);
    pid.kd = number_or(node, "kd", 0);
    read_bounds(node, label, pid, problems);
    return pid;
}

}  // namespace

Program read_formula(const Node& node, const std::string& subject, SceneDraft& draft,
                     Problems& problems)
{
    if (const auto plain = parse_real(node.text)) return Program(*plain);
    Inputs inputs(node, draft.control);
    auto result = compile_formula(node.text, *draft.names, inputs);
    if (const auto* error = std::get_if<FormulaError>(&result)) {
        const int shift = static_cast<int>(error->offset) + (node.in_quotes ? 1 : 0);
        problems.error(node.where.shifted(shift), subject + ": " + error->message);
        return Program(0);
    }
    Program program = std::get<Program>(std::move(result));
    const auto code = program.code();
    const bool folded = code.size() == 1 && code[0].kind == control::Instruction::Kind::Constant;
    if (folded && !std::isfinite(code[0].constant))
        problems.error(node.where, subject + ": " + quote(node.text) + " gives " +
                                       to_short_text(code[0].constant) +
                                       "; a finite number is required");
    return program;
}

const Node* find_formula(const Node& map, std::string_view key)
{
    const Node* node = map.find(key);
    return node && node->is_map() ? node->find("formula") : nullptr;
}

void read_controls(const Node& section, SceneDraft& draft, Problems& problems)
{
    for (const Node::Entry& entry : section.entries) ControlReader(entry, draft, problems).read();
}

void read_logic(const Node& section, SceneDraft& draft, Problems& problems)
{
    for (const Node::Entry& entry : section.entries) {
        const Node& node = *entry.value;
        const std::string label = "logic " + quote(entry.key);
        if (!take_name(entry, label, draft, problems)) continue;
        Logic logic;
        if (const Node* value = node.find("value"))
            logic.first = read_formula(*value, "'value' of " + label, draft, problems);
        if (const Node* latch = node.find("latch")) {
            logic.kind = Logic::Kind::Latch;
            logic.first = read_formula(*latch, "'latch' of " + label, draft, problems);
            if (const Node* reset = node.find("reset"))
                logic.reset = read_formula(*reset, "'reset' of " + label, draft, problems);
        }
        if (const Node* integral = node.find("integral")) {
            logic.kind = Logic::Kind::Integral;
            logic.first = read_formula(*integral, "'integral' of " + label, draft, problems);
            logic.start = number_or(node, "start", 0);
            read_bounds(node, label, logic, problems);
            if (!(logic.start >= logic.lowest && logic.start <= logic.highest))
                problems.error(node.has("start") ? node.find("start")->where : entry.where,
                               label + " starts at " + to_short_text(logic.start) +
                                   ", which is not within its bounds");
        }
        check_owner(node, "reset", "latch", label, problems);
        for (const char* key : {"start", "min", "max"})
            check_owner(node, key, "integral", label, problems);
        if (const Node* pid = node.find("pid")) logic = read_pid(*pid, label, draft, problems);
        logic.name = entry.key;
        logic.unit = text_or(node, "unit", "-");
        draft.control.logic.push_back(std::move(logic));
    }
}

void read_stop(const Node& section, SceneDraft& draft, Problems& problems)
{
    const Node& when = *section.find("when");
    draft.control.stop = read_formula(when, "'when' of stop", draft, problems);
    draft.control.stop_reason = text_or(section, "reason", "");
    if (draft.control.stop_reason.empty()) draft.control.stop_reason = when.text;
}

}  // namespace taut::scene

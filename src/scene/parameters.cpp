#include "scene/parameters.h"

#include <algorithm>

#include "core/suggestion.h"
#include "scene/resolve.h"
#include "scene/text_format.h"

namespace taut::scene {
namespace {

// The choices are numbers if all of them are numeric; otherwise the parameter is text.
bool all_numbers(const std::vector<std::string>& choices)
{
    return std::all_of(choices.begin(), choices.end(),
                       [](const std::string& choice) { return parse_real(choice).has_value(); });
}

class ParameterReader {
public:
    ParameterReader(ParameterTable& earlier, Problems& problems)
        : earlier_(earlier), problems_(problems)
    {}

    void read(const Node::Entry& entry, const Node* override_value)
    {
        Parameter parameter;
        parameter.info.name = entry.key;
        parameter.where = entry.where;
        label_ = "parameter " + quote(entry.key);
        if (!check_name(entry)) return;

        const Node* value = entry.value.get();
        if (value->is_map()) {
            const std::size_t before = problems_.error_count();
            resolve_section(*entry.value, parameter_section(), label_, earlier_, problems_);
            if (problems_.error_count() != before) return;
            read_details(*entry.value, parameter.info);
            value = entry.value->find("value");
        }
        if (!value->is_scalar()) {
            problems_.error(value->kind == Node::Kind::Null ? entry.where : value->where,
                            label_ + " is " + value->description() +
                                "; a number, or a map with 'value', is required");
            return;
        }
        // the default is checked even if it is overridden, so that an invalid default is always
        // reported
        if (!evaluate(*value, parameter)) return;
        if (override_value && !evaluate(*override_value, parameter)) return;
        parameter.info.value = to_text(parameter.value);
        earlier_.add(std::move(parameter));
    }

private:
    bool check_name(const Node::Entry& entry)
    {
        const bool word = is_name(entry.key) && entry.key.find_first_of("-.") == std::string::npos;
        if (!word)
            problems_.error(entry.where, label_ +
                                             ": its name must be usable in formulas: letters, "
                                             "digits and '_', not starting with a digit");
        else if (is_reserved_name(entry.key))
            problems_.error(entry.where,
                            label_ + " is the name of a function or constant of formulas");
        return word && !is_reserved_name(entry.key);
    }

    static void read_details(const Node& map, SceneParameter& info)
    {
        if (const Node* min = map.find("min")) info.lowest = min->number;
        if (const Node* max = map.find("max")) info.highest = max->number;
        if (const Node* choices = map.find("choices"))
            for (const NodePtr& choice : choices->items) info.choices.push_back(choice->text);
        if (const Node* unit = map.find("unit")) info.unit = unit->filled;
        if (const Node* doc = map.find("doc")) info.doc = doc->filled;
        if (const Node* adjustable = map.find("adjustable"))
            info.adjustable = adjustable->number != 0;
    }

    bool evaluate(const Node& node, Parameter& parameter)
    {
        if (!node.is_scalar()) {
            problems_.error(node.where, label_ + " is set to " + node.description() +
                                            "; a single value is required");
            return false;
        }
        const auto& choices = parameter.info.choices;
        if (!choices.empty() && !all_numbers(choices)) return choose(node, parameter);

        const auto value = resolve_scalar(node, label_, earlier_, problems_);
        if (!value) return false;
        parameter.value = *value;
        if (value->index() == 1) return true;  // the text of another parameter
        return check_bounds(node, parameter);
    }

    bool choose(const Node& node, Parameter& parameter)
    {
        const auto& choices = parameter.info.choices;
        parameter.value = node.text;
        if (std::find(choices.begin(), choices.end(), node.text) != choices.end()) return true;
        problems_.error(node.where, label_ + " is " + quote(node.text) +
                                        did_you_mean(node.text, choices) +
                                        "; allowed: " + listed(choices));
        return false;
    }

    bool check_bounds(const Node& node, const Parameter& parameter)
    {
        const Real x = std::get<Real>(parameter.value);
        const SceneParameter& info = parameter.info;
        std::string allowed;
        if (info.lowest && x < *info.lowest) allowed = "at least " + to_text(*info.lowest);
        if (info.highest && x > *info.highest) allowed = "at most " + to_text(*info.highest);
        const auto equals = [&](const std::string& choice) { return parse_real(choice) == x; };
        if (!info.choices.empty() && std::none_of(info.choices.begin(), info.choices.end(), equals))
            allowed = "one of " + listed(info.choices);
        if (allowed.empty()) return true;
        problems_.error(node.where, label_ + " is " + to_short_text(x) + "; it must be " + allowed);
        return false;
    }

    ParameterTable& earlier_;
    Problems& problems_;
    std::string label_;
};

}  // namespace

const Value* ParameterTable::find(std::string_view name)
{
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return nullptr;
    found->second->used = true;
    return &found->second->value;
}

std::vector<std::string> ParameterTable::all() const
{
    std::vector<std::string> names;
    for (const Parameter& parameter : parameters_) names.push_back(parameter.info.name);
    return names;
}

void ParameterTable::add(Parameter parameter)
{
    parameters_.push_back(std::move(parameter));
    by_name_[parameters_.back().info.name] = &parameters_.back();
}

ParameterTable read_parameters(const Node& section, const std::map<std::string, NodePtr>& overrides,
                               Problems& problems)
{
    ParameterTable table;
    ParameterReader reader(table, problems);
    for (const Node::Entry& entry : section.entries) {
        const auto found = overrides.find(entry.key);
        reader.read(entry, found == overrides.end() ? nullptr : found->second.get());
    }
    return table;
}

}  // namespace taut::scene

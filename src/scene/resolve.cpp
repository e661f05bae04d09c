#include "scene/resolve.h"

#include <algorithm>
#include <cmath>

#include "core/suggestion.h"
#include "scene/colours.h"
#include "scene/text_format.h"

namespace taut::scene {
namespace {

// Place of a character of a scalar, if the scalar is written on one line.
Where inside(const Node& scalar, std::size_t offset)
{
    return scalar.where.shifted(static_cast<int>(offset) + (scalar.in_quotes ? 1 : 0));
}

std::string without_sign_and_case(std::string_view text)
{
    std::string bare;
    for (const char c : text)
        if (c != '+' && c != '-' && c != '.')
            bare += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return bare;
}

// The map that is being resolved, with the data common to all its keys.
class Resolver {
public:
    Resolver(const std::string& label, Names& names, Problems& problems)
        : label_(label), names_(names), problems_(problems)
    {}

    void value(Node& node, const Key& key);

private:
    std::string subject(const Key& key) const { return quote(key.name) + " of " + label_; }

    void wrong(const Node& node, const Key& key, const std::string& wanted)
    {
        problems_.error(node.where, subject(key) + " is " + node.description() + "; " + wanted +
                                        " is required");
    }

    bool filled(Node& node, const Key& key, const std::string& wanted);
    void number(Node& node, const Key& key);
    void integer(Node& node, const Key& key);
    void flag(Node& node, const Key& key);
    void choice(Node& node, const Key& key);
    void colour(Node& node, const Key& key);
    void name(Node& node, const Key& key);
    bool is_list(Node& node, const Key& key, const std::string& wanted);
    void numbers(Node& node, const Key& key, std::size_t fewest, std::size_t most,
                 const std::string& wanted);
    void triples(Node& node, const Key& key, const std::string& wanted, bool whole);
    void inertia(Node& node, const Key& key);
    void keyframes(Node& node, const Key& key);
    void formulas(Node& node, const Key& key);
    void maps(Node& node, const Key& key);
    void named(Node& node, const Key& key);
    void map(Node& node, const Key& key);
    void check_range(const Node& node, const Key& key);

    const std::string& label_;
    Names& names_;
    Problems& problems_;
};

std::string number_wanted(const Key& key)
{
    return key.unit.empty() ? std::string("a number") : "a number [" + key.unit + "]";
}

bool Resolver::filled(Node& node, const Key& key, const std::string& wanted)
{
    if (!node.is_scalar()) {
        wrong(node, key, wanted);
        return false;
    }
    const auto result = fill_in(node.text, names_);
    if (const auto* error = std::get_if<FormulaError>(&result)) {
        problems_.error(inside(node, error->offset), subject(key) + ": " + error->message);
        return false;
    }
    node.filled = std::get<std::string>(result);
    return true;
}

void Resolver::check_range(const Node& node, const Key& key)
{
    const Real x = node.number;
    std::string allowed;
    if (key.above && !(x > *key.above)) allowed = "above " + to_short_text(*key.above);
    if (key.least && !(x >= *key.least)) allowed = "at least " + to_short_text(*key.least);
    if (key.most && !(x <= *key.most)) allowed = "at most " + to_short_text(*key.most);
    if (allowed.empty()) return;
    const std::string unit = key.unit.empty() ? "" : " " + key.unit;
    problems_.error(node.where,
                    subject(key) + " is " + to_short_text(x) + "; it must be " + allowed + unit);
}

void Resolver::number(Node& node, const Key& key)
{
    if (!node.is_scalar()) return wrong(node, key, number_wanted(key));
    const auto value = resolve_scalar(node, subject(key), names_, problems_);
    if (!value) return;
    if (value->index() == 1) {
        problems_.error(node.where, subject(key) + " is the text " + quote(std::get<1>(*value)) +
                                        "; " + number_wanted(key) + " is required");
        return;
    }
    node.number = std::get<Real>(*value);
    check_range(node, key);
}

void Resolver::integer(Node& node, const Key& key)
{
    const std::size_t before = problems_.error_count();
    number(node, key);
    if (problems_.error_count() != before ||
        std::abs(node.number - std::round(node.number)) < 1e-9) {
        node.number = std::round(node.number);
        return;
    }
    problems_.error(node.where,
                    subject(key) + " is " + to_text(node.number) + "; a whole number is required");
}

void Resolver::flag(Node& node, const Key& key)
{
    if (!filled(node, key, "true or false")) return;
    if (node.filled == "true" || node.filled == "false") {
        node.number = node.filled == "true";
        return;
    }
    const auto value = evaluate_formula(node.filled, names_);
    const auto* result = std::get_if<Value>(&value);
    if (!result || result->index() != 0) return wrong(node, key, "true or false");
    node.number = std::get<Real>(*result) != 0;
}

void Resolver::choice(Node& node, const Key& key)
{
    if (!filled(node, key, "one of " + listed(key.choices, 60))) return;
    if (std::find(key.choices.begin(), key.choices.end(), node.filled) != key.choices.end()) return;
    problems_.error(node.where, subject(key) + " is " + quote(node.filled) +
                                    did_you_mean(node.filled, key.choices) +
                                    "; allowed: " + listed(key.choices, 60));
}

void Resolver::colour(Node& node, const Key& key)
{
    if (node.kind == Node::Kind::Null) {
        problems_.error(node.where, subject(key) +
                                        " is empty; '#' starts a comment in YAML, so write "
                                        "colours in quotes: \"#rrggbb\"");
        return;
    }
    if (!filled(node, key, "a colour")) return;
    const std::string code = colour_code(node.filled);
    if (code.empty()) {
        const auto known = colour_names();
        problems_.error(node.where, subject(key) + " is " + quote(node.filled) +
                                        did_you_mean(node.filled, known) +
                                        "; allowed: \"#rrggbb\", " + listed(known));
    }
    node.filled = code;
}

void Resolver::name(Node& node, const Key& key)
{
    if (!filled(node, key, "a name")) return;
    if (!is_name(node.filled))
        problems_.error(node.where, subject(key) + " is " + quote(node.filled) + "; " + kNameRule);
}

bool Resolver::is_list(Node& node, const Key& key, const std::string& wanted)
{
    if (node.is_list()) return true;
    wrong(node, key, wanted);
    return false;
}

void Resolver::numbers(Node& node, const Key& key, std::size_t fewest, std::size_t most,
                       const std::string& wanted)
{
    if (!is_list(node, key, wanted)) return;
    if (node.items.size() < fewest || (most > 0 && node.items.size() > most))
        return wrong(node, key, wanted);
    for (const NodePtr& item : node.items) number(*item, key);
}

void Resolver::triples(Node& node, const Key& key, const std::string& wanted, bool whole)
{
    if (!is_list(node, key, "a list of " + wanted)) return;
    if (node.items.size() < key.fewest_items)
        return wrong(node, key, "a list of at least " + std::to_string(key.fewest_items));
    for (const NodePtr& item : node.items) {
        if (!is_list(*item, key, wanted)) continue;
        if (item->items.size() != 3) {
            wrong(*item, key, wanted);
            continue;
        }
        for (const NodePtr& number_node : item->items)
            whole ? integer(*number_node, key) : number(*number_node, key);
    }
}

void Resolver::inertia(Node& node, const Key& key)
{
    const std::string wanted = "[Ixx, Iyy, Izz] or a 3×3 list of lists";
    if (!is_list(node, key, wanted)) return;
    if (node.items.size() != 3) return wrong(node, key, wanted);
    const bool nested = node.items.front()->is_list();
    if (!nested) return numbers(node, key, 3, 3, wanted);
    for (const NodePtr& row : node.items) numbers(*row, key, 3, 3, "each row as three numbers");
}

void Resolver::keyframes(Node& node, const Key& key)
{
    const std::string wanted = "a list of [time, value]";
    if (!is_list(node, key, wanted)) return;
    if (node.items.empty()) return wrong(node, key, wanted);
    for (const NodePtr& pair : node.items) numbers(*pair, key, 2, 2, "[time, value]");
}

void Resolver::formulas(Node& node, const Key& key)
{
    const std::string wanted = "a list of " + std::to_string(key.most_items) + " formulas";
    if (!is_list(node, key, wanted)) return;
    if (node.items.size() != key.most_items) return wrong(node, key, wanted);
    for (const NodePtr& item : node.items)
        if (!item->is_scalar()) wrong(*item, key, "a number or a formula");
}

void Resolver::map(Node& node, const Key& key)
{
    if (!node.is_map()) return wrong(node, key, "a map of " + listed(key_names(*key.section), 30));
    const bool top = label_ == kSceneLabel;
    resolve_section(node, *key.section, top ? key.name : key.name + " of " + label_, names_,
                    problems_);
}

void Resolver::maps(Node& node, const Key& key)
{
    if (node.kind == Node::Kind::Null) return;
    const std::string of_what = label_ == kSceneLabel ? std::string() : " of " + label_;
    if (!is_list(node, key, "a list of " + key.section->name + "s")) return;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        const std::string label = key.section->name + " " + std::to_string(i + 1) + of_what;
        Node& item = *node.items[i];
        if (item.is_map())
            resolve_section(item, *key.section, label, names_, problems_);
        else
            problems_.error(item.where, label + " is " + item.description() + "; a map of " +
                                            listed(key_names(*key.section), 30) + " is required");
    }
}

void Resolver::named(Node& node, const Key& key)
{
    // the document has converted lists to maps
    for (Node::Entry& entry : node.entries) {
        const std::string label = key.section->name + " " + quote(entry.key);
        if (entry.value->is_map())
            resolve_section(*entry.value, *key.section, label, names_, problems_);
        else
            problems_.error(
                entry.value->kind == Node::Kind::Null ? entry.where : entry.value->where,
                label + " is " + entry.value->description() + "; a map of " +
                    listed(key_names(*key.section), 30) + " is required");
    }
}

void Resolver::value(Node& node, const Key& key)
{
    if (key.later) return;
    switch (key.form) {
        case Form::Text: filled(node, key, "text"); break;
        case Form::Name: name(node, key); break;
        case Form::Number: number(node, key); break;
        case Form::Integer: integer(node, key); break;
        case Form::Flag: flag(node, key); break;
        case Form::Choice: choice(node, key); break;
        case Form::Colour: colour(node, key); break;
        case Form::Vector: numbers(node, key, 3, 3, "[x, y, z]"); break;
        case Form::Vectors: triples(node, key, "[x, y, z]", false); break;
        case Form::Triples: triples(node, key, "[i, j, k]", true); break;
        case Form::Numbers:
            numbers(node, key, key.fewest_items, key.most_items,
                    key.fewest_items > 0 && key.fewest_items == key.most_items
                        ? "a list of " + std::to_string(key.most_items) + " numbers"
                        : "a list of numbers");
            break;
        case Form::Texts:
            if (!is_list(node, key, "a list")) break;
            if (node.items.size() < key.fewest_items ||
                (key.most_items > 0 && node.items.size() > key.most_items))
                wrong(node, key,
                      "a list of " + std::to_string(key.fewest_items) +
                          (key.most_items == key.fewest_items
                               ? ""
                               : " to " + std::to_string(key.most_items)));
            for (const NodePtr& item : node.items) filled(*item, key, "text");
            break;
        case Form::Inertia: inertia(node, key); break;
        case Form::Keyframes: keyframes(node, key); break;
        case Form::Schedule: node.is_map() ? map(node, key) : number(node, key); break;
        case Form::Scalar:
            if (!node.is_scalar()) wrong(node, key, "a number or a word");
            break;
        case Form::Scalars:
            if (!is_list(node, key, "a list of values")) break;
            if (node.items.size() < key.fewest_items) wrong(node, key, "at least one value");
            for (const NodePtr& item : node.items)
                if (!item->is_scalar()) wrong(*item, key, "a number or a word");
            break;
        case Form::Formula:
            if (!node.is_scalar()) wrong(node, key, "a number or a formula");
            break;
        case Form::Formulas: formulas(node, key); break;
        case Form::Map: map(node, key); break;
        case Form::Maps: maps(node, key); break;
        case Form::Named: named(node, key); break;
    }
}

// The keys allowed in this map: those of the section and those of the selected variant.
std::vector<const Key*> keys_for(const Node& map, const Section& section)
{
    std::vector<const Key*> keys;
    for (const Key& key : section.keys) keys.push_back(&key);
    const Node* selected = section.selector.empty() ? nullptr : map.find(section.selector);
    if (!selected) return keys;
    for (const Variant& variant : section.variants)
        if (variant.value == selected->filled)
            for (const Key& key : variant.keys) keys.push_back(&key);
    return keys;
}

// Hint for a key that is valid for another variant only.
std::string owner_of(const std::string& key, const Section& section)
{
    std::vector<std::string> owners;
    for (const Variant& variant : section.variants)
        for (const Key& candidate : variant.keys)
            if (candidate.name == key) owners.push_back(variant.value);
    return owners.empty() ? "" : " (it belongs to " + section.selector + " " + listed(owners) + ")";
}

// The error if `given` of the keys of the group are present; empty if the rule is fulfilled.
std::string broken_rule(const Group& group, std::size_t given)
{
    const std::string all = listed(group.keys);
    switch (group.rule) {
        case Group::Rule::ExactlyOne:
            if (given == 1) break;
            return " has " + std::to_string(given) + " of " + all + "; exactly one is required";
        case Group::Rule::AtMostOne:
            if (given <= 1) break;
            return " has more than one of " + all + "; only one is allowed";
        case Group::Rule::AtLeastOne:
            if (given >= 1) break;
            return " has none of " + all + "; at least one is required";
        case Group::Rule::Together:
            if (given == 0 || given == group.keys.size()) break;
            return " has only some of " + all + "; all or none are required";
    }
    return {};
}

void check_groups(const Node& map, const Section& section, const std::string& label,
                  Problems& problems)
{
    for (const Group& group : section.groups) {
        const Node::Entry* last = nullptr;
        std::size_t given = 0;
        for (const std::string& key : group.keys)
            if (const Node::Entry* entry = map.find_entry(key)) {
                last = entry;
                ++given;
            }
        const std::string broken = broken_rule(group, given);
        if (!broken.empty()) problems.error(last ? last->where : map.where, label + broken);
    }
}

}  // namespace

std::optional<Value> resolve_scalar(const Node& node, const std::string& subject, Names& names,
                                    Problems& problems)
{
    // fast path: most scalars are plain numbers
    if (const auto plain = parse_real(node.text)) return Value(*plain);

    const std::string bare = without_sign_and_case(node.text);
    if (bare == "nan" || bare == "inf" || bare == "infinity") {
        problems.error(node.where,
                       subject + " is " + quote(node.text) + "; a finite number is required");
        return std::nullopt;
    }
    auto result = evaluate_formula(node.text, names);
    if (const auto* error = std::get_if<FormulaError>(&result)) {
        problems.error(inside(node, error->offset), subject + ": " + error->message);
        return std::nullopt;
    }
    Value value = std::get<Value>(std::move(result));
    const Real* number = std::get_if<Real>(&value);
    if (number && !std::isfinite(*number)) {
        problems.error(node.where, subject + ": " + quote(node.text) + " gives " +
                                       to_short_text(*number) + "; a finite number is required");
        return std::nullopt;
    }
    return value;
}

void resolve_section(Node& map, const Section& section, const std::string& label, Names& names,
                     Problems& problems)
{
    Resolver resolver(label, names, problems);
    // the selector is resolved first, because it determines which other keys are allowed
    if (const Node::Entry* selector = map.find_entry(section.selector))
        resolver.value(*selector->value, *section.find(section.selector));

    const auto keys = keys_for(map, section);
    std::vector<std::string> allowed;
    for (const Key* key : keys) allowed.push_back(key->name);

    for (Node::Entry& entry : map.entries) {
        const auto found = std::find(allowed.begin(), allowed.end(), entry.key);
        if (found == allowed.end()) {
            const std::string owner = owner_of(entry.key, section);
            problems.error(entry.where,
                           "unknown key " + quote(entry.key) + " in " + label +
                               (owner.empty() ? did_you_mean(entry.key, allowed) : owner) +
                               "; allowed: " + listed(allowed, 60));
        } else if (entry.key != section.selector) {
            resolver.value(*entry.value, *keys[static_cast<std::size_t>(found - allowed.begin())]);
        }
    }
    for (const Key* key : keys)
        if (key->required && !map.has(key->name))
            problems.error(map.where, label + " has no " + quote(key->name) +
                                          (key->unit.empty() ? "" : " [" + key->unit + "]") +
                                          "; it is required");
    check_groups(map, section, label, problems);
}

}  // namespace taut::scene

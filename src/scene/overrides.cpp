#include "scene/overrides.h"

#include <optional>

#include "core/suggestion.h"
#include "scene/text_format.h"
#include "scene/vocabulary.h"
#include "scene/yaml_reader.h"

namespace taut::scene {
namespace {

// Whether `part` is the first component of `path`, or all of it; the text after the dot is stored in `rest`.
bool starts_with(std::string_view path, std::string_view part, std::string_view& rest)
{
    if (path.substr(0, part.size()) != part) return false;
    if (path.size() == part.size()) {
        rest = {};
        return true;
    }
    if (path[part.size()] != '.') return false;
    rest = path.substr(part.size() + 1);
    return !rest.empty();
}

// The name of an entry of a list: its own, or that of the single map in it (generators).
std::string name_of(const Node& item)
{
    const Node* name = item.find("name");
    if (!name && item.entries.size() == 1) name = item.entries.front().value->find("name");
    return name && name->is_scalar() ? name->text : std::string();
}

class Override {
public:
    Override(const std::string& path, NodePtr value, const Where& where, Problems& problems)
        : path_(path), value_(std::move(value)), where_(where), problems_(problems)
    {}

    void apply(NodePtr& root, const std::vector<std::string>& parameters)
    {
        const std::size_t before = problems_.error_count();
        if (set(root, path_, "") || problems_.error_count() != before) return;
        std::vector<std::string> words = parameters;
        for (const std::string& key : key_names(scene_section())) words.push_back(key);
        problems_.error(
            where_, "--set " + quote(path_) + " is neither a parameter nor a path of the scene" +
                        did_you_mean(path_, words) + "; parameters: " + listed(parameters) +
                        "; sections: " + listed(key_names(scene_section())));
    }

private:
    // Modifies copies, because subtrees may be shared by aliases.
    bool set(NodePtr& node, std::string_view path, const std::string& so_far)
    {
        if (path.empty()) {
            node = value_;
            return true;
        }
        if (node->is_map()) return set_in_map(node, path, so_far);
        if (node->is_list()) return set_in_list(node, path, so_far);
        problems_.error(where_, "--set " + quote(path_) + ": " + quote(so_far) + " is " +
                                    node->description() + " and has no members");
        return false;
    }

    bool set_in_map(NodePtr& node, std::string_view path, const std::string& so_far)
    {
        std::string_view rest;
        for (std::size_t i = 0; i < node->entries.size(); ++i) {
            if (!starts_with(path, node->entries[i].key, rest)) continue;
            node = copy_of(*node);
            return set(node->entries[i].value, rest, joined(so_far, node->entries[i].key));
        }
        const std::string_view step = "step.";
        if (so_far.empty() && path.substr(0, step.size()) == step) {
            // `step` may be set even if the file has no such section
            auto section = std::make_shared<Node>();
            section->kind = Node::Kind::Map;
            section->where = where_;
            node = copy_of(*node);
            node->entries.push_back({"step", where_, section});
            return set(node->entries.back().value, path.substr(step.size()), "step");
        }
        const bool known_here = !so_far.empty() || scene_section().find(path);
        if (path.find('.') == std::string_view::npos && known_here && !is_names_map(so_far)) {
            // a new key; the vocabulary tables check later whether it is allowed
            node = copy_of(*node);
            node->entries.push_back({std::string(path), where_, value_});
            return true;
        }
        if (so_far.empty()) return false;
        std::vector<std::string> there;
        for (const Node::Entry& entry : node->entries) there.push_back(entry.key);
        return missing(path, so_far, there);
    }

    bool set_in_list(NodePtr& node, std::string_view path, const std::string& so_far)
    {
        std::vector<std::string> there;
        std::string_view rest;
        for (std::size_t i = 0; i < node->items.size(); ++i) {
            const std::string name = name_of(*node->items[i]);
            const std::string index = std::to_string(i);
            there.push_back(name.empty() ? index : name);
            const bool by_name = !name.empty() && starts_with(path, name, rest);
            if (!by_name && !starts_with(path, index, rest)) continue;
            node = copy_of(*node);
            NodePtr& item = node->items[i];
            const bool inner = by_name && !item->has("name");
            if (!inner) return set(item, rest, joined(so_far, name.empty() ? index : name));
            // the path `generate.rope.links` refers to the single map of the entry
            item = copy_of(*item);
            return set(item->entries.front().value, rest, joined(so_far, name));
        }
        return missing(path, so_far, there);
    }

    bool missing(std::string_view path, const std::string& so_far,
                 const std::vector<std::string>& there)
    {
        const std::string_view word = path.substr(0, path.find('.'));
        problems_.error(where_, "--set " + quote(path_) + ": unknown " + quote(word) + " in " +
                                    quote(so_far) + did_you_mean(word, there) +
                                    "; available: " + listed(there));
        return false;
    }

    // Maps whose keys are names of objects; a new key would add an object.
    static bool is_names_map(const std::string& path)
    {
        const Key* key = scene_section().find(path);
        return key && key->form == Form::Named;
    }

    static std::string joined(const std::string& path, const std::string& part)
    {
        return path.empty() ? part : path + "." + part;
    }

    std::string path_;
    NodePtr value_;
    Where where_;
    Problems& problems_;
};

// NAME, parameters.NAME or parameters.NAME.value.
std::optional<std::string> parameter_name(std::string_view path, const Node& parameters)
{
    std::string_view rest;
    if (starts_with(path, "parameters", rest)) {
        path = rest;
        if (path.size() > 6 && path.substr(path.size() - 6) == ".value") path.remove_suffix(6);
    }
    if (!parameters.has(path)) return std::nullopt;
    return std::string(path);
}

}  // namespace

std::map<std::string, NodePtr> apply_overrides(const Overrides& overrides, Document& document,
                                               Problems& problems)
{
    std::map<std::string, NodePtr> of_parameters;
    std::vector<std::string> names;
    for (const Node::Entry& entry : document.parameters->entries) names.push_back(entry.key);

    for (const auto& [path, text] : overrides) {
        const Where whole{std::make_shared<const std::string>("--set " + path), 0, 0};
        if (text.empty()) {
            problems.error(whole, "the value is missing");
            continue;
        }
        NodePtr value = read_yaml(text, whole, problems);
        if (!value) continue;
        const Where where{whole.file, 1, 1};
        if (const auto name = parameter_name(path, *document.parameters))
            of_parameters[*name] = std::move(value);
        else
            Override(path, std::move(value), where, problems).apply(document.root, names);
    }
    return of_parameters;
}

}  // namespace taut::scene

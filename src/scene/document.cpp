#include "scene/document.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <unordered_map>

#include "scene/file_bounds.h"
#include "scene/text_format.h"
#include "scene/vocabulary.h"
#include "scene/yaml_reader.h"

namespace taut::scene {
namespace {

namespace fs = std::filesystem;

// Merges files section by section, included files first.
class Joiner {
public:
    explicit Joiner(Problems& problems) : problems_(problems)
    {
        document_.root = empty_map();
        document_.parameters = empty_map();
    }

    void add_file(std::string_view text, const std::string& file)
    {
        const auto name = std::make_shared<const std::string>(file);
        document_.files.push_back(file);
        const NodePtr root = read_yaml(text, {name, 0, 0}, problems_);
        if (!root) return;
        if (++files_ == 1) document_.root->where = root->where;
        if (!root->is_map()) {
            problems_.error(root->where, "the file is " + root->description() +
                                             "; a scene is a map of " +
                                             listed(key_names(scene_section()), 60));
            return;
        }
        // included files are merged first, so that this file may override their parameters
        if (const Node* include = root->find("include")) add_includes(*include, file);
        for (const Node::Entry& entry : root->entries)
            if (entry.key != "include") add_section(entry);
    }

    Document take() { return std::move(document_); }

private:
    // A file that is being read, and the place of the include that is being processed.
    struct OpenFile {
        std::string path;  // canonical
        Where include_place;
    };

    static NodePtr empty_map()
    {
        auto map = std::make_shared<Node>();
        map->kind = Node::Kind::Map;
        return map;
    }

    void add_includes(const Node& include, const std::string& file)
    {
        if (!include.is_list()) {
            problems_.error(include.where, "'include' is " + include.description() +
                                               "; a list of files is required");
            return;
        }
        for (const NodePtr& item : include.items) {
            if (!item->is_scalar() || item->text.empty())
                problems_.error(item->where, "a file to include is " + item->description() +
                                                 "; a relative path is required");
            else if (fs::path(item->text).is_absolute())
                problems_.error(item->where,
                                "the file " + quote(item->text) +
                                    " is absolute; includes are relative to their scene");
            else
                include_file(fs::path(file).parent_path() / item->text, item->where, file);
        }
    }

    void include_file(const fs::path& path, const Where& where, const std::string& from)
    {
        std::error_code failed;
        const std::string canonical = fs::weakly_canonical(path, failed).string();
        if (open_.empty()) open_.push_back({fs::weakly_canonical(from, failed).string(), where});
        open_.back().include_place = where;

        for (const OpenFile& file : open_)
            if (file.path == canonical) {
                problems_.error(where, "cyclic include: " + quote(path.string()) +
                                           " is already being read; it includes this file at " +
                                           file.include_place.text());
                return;
            }
        if (open_.size() >= file_bounds::kIncludeDepth || files_ >= file_bounds::kFiles) {
            problems_.error(where, "too many includes: at most " +
                                       std::to_string(file_bounds::kFiles) + " files, " +
                                       std::to_string(file_bounds::kIncludeDepth) + " deep");
            return;
        }
        const auto text = read_text_file(path.string(), where, problems_);
        if (!text) return;
        const std::size_t depth = open_.size();
        open_.push_back({canonical, where});
        add_file(*text, path.lexically_normal().string());
        open_.resize(depth);
    }

    void add_section(const Node::Entry& entry)
    {
        const Key* key = scene_section().find(entry.key);
        if (entry.key == "parameters")
            add_named(*document_.parameters, entry, *key);
        else if (key && key->form == Form::Named)
            add_named(*section_of(entry), entry, *key);
        else if (key && key->form == Form::Maps && entry.value->is_list())
            append_list(entry);
        else if (key && key->form == Form::Map && entry.value->is_map())
            merge_map(*section_of(entry), *entry.value);
        else
            replace(*document_.root, entry);
    }

    // The section of the merged scene, created if it does not exist.
    NodePtr section_of(const Node::Entry& entry)
    {
        if (const Node::Entry* present = document_.root->find_entry(entry.key))
            return present->value;
        NodePtr section = empty_map();
        section->where = entry.value->where;
        document_.root->entries.push_back({entry.key, entry.where, section});
        return section;
    }

    static void replace(Node& map, const Node::Entry& entry)
    {
        for (Node::Entry& present : map.entries)
            if (present.key == entry.key) {
                present = entry;
                return;
            }
        map.entries.push_back(entry);
    }

    static void merge_map(Node& into, const Node& from)
    {
        for (const Node::Entry& entry : from.entries) replace(into, entry);
    }

    void append_list(const Node::Entry& entry)
    {
        const Node::Entry* present = document_.root->find_entry(entry.key);
        if (present && present->value->is_list()) {
            auto& items = present->value->items;
            items.insert(items.end(), entry.value->items.begin(), entry.value->items.end());
        } else {
            replace(*document_.root, {entry.key, entry.where, copy_of(*entry.value)});
        }
    }

    void add_named(Node& into, const Node::Entry& section, const Key& key)
    {
        const Node& value = *section.value;
        if (value.is_map()) {
            for (const Node::Entry& entry : value.entries) add_thing(into, key, entry);
        } else if (value.is_list() && key.name != "parameters") {
            for (std::size_t i = 0; i < value.items.size(); ++i)
                add_listed(into, key, value.items[i], i + 1);
        } else if (value.kind != Node::Kind::Null) {
            problems_.error(value.where, quote(key.name) + " is " + value.description() +
                                             "; a map of names is required");
        }
    }

    // An entry of the list form: its name is the value of `name`, or is generated from its position.
    void add_listed(Node& into, const Key& key, const NodePtr& item, std::size_t number)
    {
        const std::string label = key.section->name + " " + std::to_string(number);
        if (!item->is_map()) {
            problems_.error(item->where,
                            label + " is " + item->description() + "; a map is required");
            return;
        }
        Node::Entry entry{key.section->name + std::to_string(number), item->where, copy_of(*item)};
        if (const Node* name = item->find("name")) {
            if (!name->is_scalar()) {
                problems_.error(name->where, "the name of " + label + " is " + name->description() +
                                                 "; " + kNameRule);
                return;
            }
            entry.key = name->text;
            entry.where = name->where;
            std::erase_if(entry.value->entries, [](const auto& e) { return e.key == "name"; });
        } else if (key.name == "bodies" || key.name == "materials") {
            problems_.error(item->where, label + " has no 'name'; it is required in a list");
            return;
        }
        add_thing(into, key, entry);
    }

    void add_thing(Node& into, const Key& key, const Node::Entry& entry)
    {
        if (!is_name(entry.key)) {
            problems_.error(entry.where,
                            key.section->name + " " + quote(entry.key) + ": " + kNameRule);
            return;
        }
        if (key.name == "bodies" && (entry.key == "world" || entry.key == "none")) {
            problems_.error(entry.where, "a body cannot be named " + quote(entry.key) +
                                             ": this name is reserved");
            return;
        }
        const auto [first, is_new] = seen_[key.name].try_emplace(entry.key, into.entries.size());
        if (is_new) {
            into.entries.push_back(entry);
        } else if (key.name == "parameters" &&
                   into.entries[first->second].where.file != entry.where.file) {
            override_parameter(into.entries[first->second], entry);
        } else {
            problems_.error(entry.where, "duplicate " + key.section->name + " " + quote(entry.key) +
                                             "; the first is at " +
                                             into.entries[first->second].where.text());
        }
    }

    // The including file overrides the value of a parameter; the other keys of the parameter are kept.
    static void override_parameter(Node::Entry& parameter, const Node::Entry& newer)
    {
        if (newer.value->is_map() || !parameter.value->is_map()) {
            parameter = newer;
            return;
        }
        parameter.value = copy_of(*parameter.value);
        replace(*parameter.value, {"value", newer.where, newer.value});
    }

    Problems& problems_;
    Document document_;
    std::size_t files_ = 0;
    std::vector<OpenFile> open_;
    // section → name → index of the entry
    std::unordered_map<std::string, std::unordered_map<std::string, std::size_t>> seen_;
};

}  // namespace

std::optional<std::string> read_text_file(const std::string& file, const Where& where,
                                          Problems& problems)
{
    std::error_code failed;
    const auto status = fs::status(file, failed);
    if (!fs::exists(status)) {
        problems.error(where, "file not found: " + quote(file));
        return std::nullopt;
    }
    if (!fs::is_regular_file(status)) {
        problems.error(where, quote(file) + " is not a regular file");
        return std::nullopt;
    }
    const auto size = fs::file_size(file, failed);
    if (!failed && size > file_bounds::kFileBytes) {
        problems.error(where, quote(file) + " has " + std::to_string(size) +
                                  " bytes; the limit is " +
                                  std::to_string(file_bounds::kFileBytes) + " bytes");
        return std::nullopt;
    }
    std::ifstream in(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in.is_open() || in.bad()) {
        problems.error(where, quote(file) + " cannot be read");
        return std::nullopt;
    }
    return text;
}

Document read_document(std::string_view text, const std::string& file, Problems& problems)
{
    Joiner joiner(problems);
    joiner.add_file(text, file);
    Document document = joiner.take();
    return problems.any_error() ? Document{} : std::move(document);
}

}  // namespace taut::scene

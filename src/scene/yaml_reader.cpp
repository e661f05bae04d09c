#include "scene/yaml_reader.h"

#include <sstream>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "scene/file_bounds.h"
#include "scene/text_format.h"

namespace taut::scene {
namespace {

// Thrown by the builder to leave the parser of yaml-cpp; caught in read_yaml.
struct Refused {
    Where where;
    std::string message;
};

// Builds the tree from the events of the parser.
class TreeBuilder : public YAML::EventHandler {
public:
    TreeBuilder(const Where& origin, Problems& problems) : origin_(origin), problems_(problems) {}

    NodePtr root() const { return root_; }

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override
    {
        add(make(Node::Kind::Null, mark, anchor));
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override
    {
        const auto found = anchors_.find(anchor);
        const bool open = found == anchors_.end() || is_open(found->second.get());
        if (open) throw Refused{place(mark), "this alias is part of the value that it refers to"};
        // the value is shared, but the alias has its own place in the file
        NodePtr node = copy_of(*found->second);
        node->where = place(mark);
        add(std::move(node));
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override
    {
        NodePtr node = make(Node::Kind::Scalar, mark, anchor);
        node->text = value;
        node->in_quotes = tag == "!";
        if (!tag.empty() && tag != "!" && tag != "?") refuse_tag(mark, tag);
        if (!node->in_quotes && (value == "~" || value == "null")) node->kind = Node::Kind::Null;
        add(std::move(node));
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override
    {
        open(Node::Kind::List, mark, tag, anchor);
    }
    void OnSequenceEnd() override { close(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override
    {
        open(Node::Kind::Map, mark, tag, anchor);
    }
    void OnMapEnd() override { close(); }

private:
    struct Open {
        NodePtr node;
        NodePtr key;  // maps: the key whose value is read next
    };

    Where place(const YAML::Mark& mark) const
    {
        return {origin_.file, mark.line + 1, mark.column + 1};
    }

    [[noreturn]] void refuse_tag(const YAML::Mark& mark, const std::string& tag) const
    {
        throw Refused{place(mark), "the YAML tag " + quote(tag) + " is not supported"};
    }

    NodePtr make(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor)
    {
        auto node = std::make_shared<Node>();
        node->kind = kind;
        node->where = place(mark);
        if (anchor != YAML::NullAnchor) anchors_[anchor] = node;
        return node;
    }

    bool is_open(const Node* node) const
    {
        for (const Open& level : stack_)
            if (level.node.get() == node) return true;
        return false;
    }

    void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag,
              YAML::anchor_t anchor)
    {
        if (!tag.empty() && tag != "!" && tag != "?") refuse_tag(mark, tag);
        if (stack_.size() >= file_bounds::kNesting)
            throw Refused{place(mark), "nested more than " + std::to_string(file_bounds::kNesting) +
                                           " levels deep, which is not allowed"};
        stack_.push_back({make(kind, mark, anchor), nullptr});
    }

    void close()
    {
        const Open done = std::move(stack_.back());
        stack_.pop_back();
        merge_bases(*done.node);
        add(done.node);
    }

    void add(NodePtr node)
    {
        if (stack_.empty()) {
            root_ = std::move(node);
            return;
        }
        Open& parent = stack_.back();
        if (parent.node->is_map() && !parent.key) {
            if (!node->is_scalar() || node->text.empty())
                throw Refused{node->where,
                              "a key is " + node->description() + "; a key must be plain text"};
            parent.key = std::move(node);
            return;
        }
        grow(*parent.node, *node);
        if (parent.node->is_list()) {
            parent.node->items.push_back(std::move(node));
        } else {
            add_entry(*parent.node, *parent.key, std::move(node));
            parent.key.reset();
        }
    }

    void grow(Node& parent, const Node& child) const
    {
        parent.weight += child.weight;
        if (parent.weight > file_bounds::kValues)
            throw Refused{child.where, "more than " + std::to_string(file_bounds::kValues) +
                                           " values after expansion of aliases"};
    }

    void add_entry(Node& map, const Node& key, NodePtr value)
    {
        // yaml-cpp reports the place of the next token for an empty value
        if (value->kind == Node::Kind::Null && value->text.empty()) value->where = key.where;
        auto& seen = keys_[&map];
        const auto [first, is_new] = seen.try_emplace(key.text, key.where);
        if (!is_new && key.text != "<<") {
            problems_.error(key.where, "the key " + quote(key.text) + " is duplicated; first at " +
                                           first->second.text());
            return;
        }
        map.entries.push_back({key.text, key.where, std::move(value)});
    }

    // `<<: *base` or `<<: [*one, *two]`: keys that the map does not have are taken from the bases.
    void merge_bases(Node& map)
    {
        keys_.erase(&map);
        std::vector<Node::Entry> own;
        std::vector<NodePtr> bases;
        for (Node::Entry& entry : map.entries) {
            if (entry.key != "<<")
                own.push_back(std::move(entry));
            else if (entry.value->is_list())
                bases.insert(bases.end(), entry.value->items.begin(), entry.value->items.end());
            else
                bases.push_back(entry.value);
        }
        map.entries = std::move(own);
        if (bases.empty()) return;

        std::unordered_set<std::string> said;
        for (const Node::Entry& entry : map.entries) said.insert(entry.key);
        for (const NodePtr& base : bases) {
            if (!base->is_map()) {
                problems_.error(base->where, "'<<' is followed by " + base->description() +
                                                 "; an alias of a map is required");
                continue;
            }
            for (const Node::Entry& entry : base->entries)
                if (said.insert(entry.key).second) map.entries.push_back(entry);
        }
    }

    Where origin_;
    Problems& problems_;
    NodePtr root_;
    std::vector<Open> stack_;
    std::unordered_map<YAML::anchor_t, NodePtr> anchors_;
    // keys of the open maps, for fast lookup of duplicates in maps with thousands of
    // entries
    std::unordered_map<const Node*, std::unordered_map<std::string, Where>> keys_;
};

// Hint for a common error: the line is indented with a tab.
std::string tab_hint(std::string_view text, int line)
{
    std::size_t start = 0;
    for (int i = 0; i < line && start != std::string_view::npos; ++i) {
        start = text.find('\n', start);
        if (start != std::string_view::npos) ++start;
    }
    if (start == std::string_view::npos) return {};
    const std::size_t ink = text.find_first_not_of(" \t", start);
    const bool tab = text.substr(start, ink - start).find('\t') != std::string_view::npos;
    return tab ? "; the line is indented with a tab, but YAML requires spaces" : "";
}

// Length of the UTF-8 character that starts at `at`; 0 if it is invalid.
std::size_t utf8_length(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(at);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xc2 ? 0
                               : first < 0xe0 ? 2
                               : first < 0xf0 ? 3
                               : first < 0xf5 ? 4
                                              : 0;
    if (length == 0 || at + length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(at + i) & 0xc0) != 0x80) return 0;
    // overlong encodings, surrogates, beyond the last code point
    if (length == 3 &&
        ((first == 0xe0 && byte(at + 1) < 0xa0) || (first == 0xed && byte(at + 1) > 0x9f)))
        return 0;
    if (length == 4 &&
        ((first == 0xf0 && byte(at + 1) < 0x90) || (first == 0xf4 && byte(at + 1) > 0x8f)))
        return 0;
    return length;
}

// Rejects text that is not UTF-8 or has control characters before it is parsed by yaml-cpp.
bool is_plain_text(std::string_view text, const Where& origin, Problems& problems)
{
    int line = 1, column = 1;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        const std::size_t length = utf8_length(text, at);
        const bool control =
            static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t';
        if (length == 0 || control) {
            problems.error({origin.file, line, column},
                           "byte " + std::to_string(static_cast<unsigned char>(c)) +
                               " is not allowed; a scene is UTF-8 text without control characters");
            return false;
        }
        column = c == '\n' ? 1 : column + static_cast<int>(length);
        line += c == '\n';
        at += length;
    }
    return true;
}

}  // namespace

NodePtr read_yaml(std::string_view text, const Where& origin, Problems& problems)
{
    const Where whole{origin.file, 0, 0};
    if (text.size() > file_bounds::kFileBytes) {
        problems.error(whole, "the file has " + std::to_string(text.size()) +
                                  " bytes; the limit is " +
                                  std::to_string(file_bounds::kFileBytes) + " bytes");
        return nullptr;
    }
    if (!is_plain_text(text, origin, problems)) return nullptr;

    // yaml-cpp does not report an unclosed quote if the text ends with a line break
    const std::size_t ink = text.find_last_not_of(" \t\r\n");
    text = text.substr(0, ink == std::string_view::npos ? 0 : ink + 1);

    const std::size_t errors_before = problems.error_count();
    TreeBuilder tree(origin, problems);
    try {
        std::istringstream in{std::string(text)};
        YAML::Parser parser(in);
        if (!parser.HandleNextDocument(tree) || !tree.root()) {
            problems.error(whole, "the file is empty; a scene has at least one body");
            return nullptr;
        }
        TreeBuilder second(origin, problems);
        if (parser.HandleNextDocument(second) && second.root()) {
            problems.error(second.root()->where,
                           "a second YAML document; a scene file must have one");
            return nullptr;
        }
    } catch (const Refused& refused) {
        problems.error(refused.where, refused.message);
        return nullptr;
    } catch (const YAML::Exception& error) {
        const bool placed = !error.mark.is_null();
        problems.error(
            placed ? Where{origin.file, error.mark.line + 1, error.mark.column + 1} : whole,
            "not YAML: " + error.msg + (placed ? tab_hint(text, error.mark.line) : ""));
        return nullptr;
    } catch (const std::exception& error) {
        problems.error(whole, std::string("could not be read: ") + error.what());
        return nullptr;
    }
    return problems.error_count() == errors_before ? tree.root() : nullptr;
}

}  // namespace taut::scene

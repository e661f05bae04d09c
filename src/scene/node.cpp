#include "scene/node.h"

#include "scene/text_format.h"

namespace taut::scene {

const Node::Entry* Node::find_entry(std::string_view key) const noexcept
{
    for (const Entry& entry : entries)
        if (entry.key == key) return &entry;
    return nullptr;
}

const Node* Node::find(std::string_view key) const noexcept
{
    const Entry* entry = find_entry(key);
    return entry ? entry->value.get() : nullptr;
}

std::string Node::description() const
{
    switch (kind) {
        case Kind::Null: return "empty";
        case Kind::Scalar: return quote(text);
        case Kind::List: return "a list of " + std::to_string(items.size());
        case Kind::Map: return "a map";
    }
    return "unknown";
}

NodePtr copy_of(const Node& node) { return std::make_shared<Node>(node); }

}  // namespace taut::scene

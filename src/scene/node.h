// A scene file as a tree whose every value knows where it stands.
//
// yaml-cpp's own nodes are not used: they lose the place of keys, follow aliases without bound and
// throw on access. Subtrees may be shared (YAML aliases); who changes one copies it first.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <taut/types.h>
#include "scene/problems.h"

namespace taut::scene {

struct Node;
using NodePtr = std::shared_ptr<Node>;

struct Node {
    enum class Kind { Null, Scalar, List, Map };
    struct Entry {
        std::string key;
        Where where;  // of the key
        NodePtr value;
    };

    Kind kind = Kind::Null;
    Where where;
    std::string text;  // scalars, as written
    bool in_quotes = false;
    std::vector<NodePtr> items;  // lists
    std::vector<Entry> entries;  // maps, in the order of the file
    std::size_t weight = 1;      // values below and including this one, aliases counted each time

    // What resolve() made of a scalar: its number, or its text with ${…} filled in.
    Real number = 0;
    std::string filled;

    bool is_scalar() const noexcept { return kind == Kind::Scalar; }
    bool is_list() const noexcept { return kind == Kind::List; }
    bool is_map() const noexcept { return kind == Kind::Map; }

    const Node* find(std::string_view key) const noexcept;
    const Entry* find_entry(std::string_view key) const noexcept;
    bool has(std::string_view key) const noexcept { return find_entry(key) != nullptr; }

    // "a list", "the text 'abc'": for messages.
    std::string description() const;
};

// A copy of one node that shares its children.
NodePtr copy_of(const Node& node);

}  // namespace taut::scene

// A scene file as a tree; every value stores its place in the file.
//
// The nodes of yaml-cpp are not used: they lose the places of keys, expand aliases without limit and throw on
// access. Subtrees may be shared (YAML aliases) and must be copied before they are modified.
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
        Where where;  // place of the key
        NodePtr value;
    };

    Kind kind = Kind::Null;
    Where where;
    std::string text;  // scalars, as written
    bool in_quotes = false;
    std::vector<NodePtr> items;  // lists
    std::vector<Entry> entries;  // maps, in the order of the file
    std::size_t weight = 1;      // number of values in this subtree, each use of an alias counted

    // Set by resolve(): the value of a scalar, or its text with ${…} replaced.
    Real number = 0;
    std::string filled;

    bool is_scalar() const noexcept { return kind == Kind::Scalar; }
    bool is_list() const noexcept { return kind == Kind::List; }
    bool is_map() const noexcept { return kind == Kind::Map; }

    const Node* find(std::string_view key) const noexcept;
    const Entry* find_entry(std::string_view key) const noexcept;
    bool has(std::string_view key) const noexcept { return find_entry(key) != nullptr; }

    // Description for messages: "a list", "the text 'abc'".
    std::string description() const;
};

// Copies one node; the copy shares the children.
NodePtr copy_of(const Node& node);

}  // namespace taut::scene

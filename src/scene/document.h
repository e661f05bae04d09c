// A scene file with its includes, joined into one tree.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/node.h"

namespace taut::scene {

struct Document {
    NodePtr root;        // sections of all files; lists of named things have become maps
    NodePtr parameters;  // map of names to defaults
    std::vector<std::string> files;  // in the order in which they were opened
};

// Null pointers after an error. `text` is that of `file`; includes are read from disk.
Document read_document(std::string_view text, const std::string& file, Problems& problems);

// The content of a file, within the limits; an error is reported at `where`.
std::optional<std::string> read_text_file(const std::string& file, const Where& where,
                                          Problems& problems);

}  // namespace taut::scene

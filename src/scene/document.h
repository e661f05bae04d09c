// A scene file and its includes, merged into one tree.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/node.h"

namespace taut::scene {

struct Document {
    NodePtr root;        // sections of all files; lists of named objects are converted to maps
    NodePtr parameters;  // map from names to default values
    std::vector<std::string> files;  // in the order in which they were opened
};

// The pointers are null after an error. `text` is the content of `file`; includes are read from disk.
Document read_document(std::string_view text, const std::string& file, Problems& problems);

// The content of a file within the size limit; errors are reported at `where`.
std::optional<std::string> read_text_file(const std::string& file, const Where& where,
                                          Problems& problems);

}  // namespace taut::scene

// Places in files, and the errors and warnings of a scene.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/namespaces.h"

namespace taut::scene {

struct Where {
    std::shared_ptr<const std::string> file;
    int line = 0;    // from 1; 0: the file as a whole
    int column = 0;  // from 1

    std::string text() const;  // file:line:column
    // A place further right on the same line.
    Where shifted(int columns) const { return {file, line, column + columns}; }
};

// Errors and warnings in the order of their detection. Readers continue after an error where possible, so that one
// run reports several; a scene with errors is never returned.
class Problems {
public:
    void error(const Where& where, const std::string& message);
    void warning(const Where& where, const std::string& message);

    bool any_error() const noexcept { return !errors_.empty(); }
    std::size_t error_count() const noexcept { return errors_.size() + omitted_; }
    std::string report() const;  // all errors, one line each
    const std::vector<std::string>& warnings() const noexcept { return warnings_; }

private:
    std::vector<std::string> errors_;
    std::size_t omitted_ = 0;
    std::vector<std::string> warnings_;
};

}  // namespace taut::scene

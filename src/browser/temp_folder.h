// A private temporary folder (mode 0700), removed with its contents by the destructor.
#pragma once

#include <filesystem>

#include <taut/result.h>

#include "core/namespaces.h"

namespace taut::browser {

class TempFolder {
public:
    static Result<TempFolder> make();

    TempFolder(TempFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    TempFolder& operator=(TempFolder&&) = delete;
    ~TempFolder();

    const std::filesystem::path& path() const noexcept { return path_; }

private:
    explicit TempFolder(std::filesystem::path path) : path_(std::move(path)) {}

    std::filesystem::path path_;
};

}  // namespace taut::browser

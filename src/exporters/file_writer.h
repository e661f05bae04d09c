// A file that is there whole or not at all: written under another name beside it, then renamed.
#pragma once

#include <string>
#include <string_view>

#include <taut/result.h>

#include "core/namespaces.h"

namespace taut::exporters {

class FileWriter {
public:
    // Finds out at once whether the place can be written to. What is there already stays until commit().
    static Result<FileWriter> open(const std::string& path);

    FileWriter(FileWriter&& other) noexcept;
    FileWriter& operator=(FileWriter&&) = delete;
    ~FileWriter();  // what was not committed is removed

    Status write(std::string_view bytes);
    Status commit();

    // Where it is until then: another program may write it there.
    const std::string& draft() const noexcept { return draft_; }

    const std::string& path() const noexcept { return path_; }
    std::size_t size() const noexcept { return size_; }  // bytes written so far

private:
    FileWriter(std::string path, std::string target, std::string draft, int file)
        : path_(std::move(path)), target_(std::move(target)), draft_(std::move(draft)), file_(file)
    {}
    Error failure(const char* what) const;

    std::string path_;    // as it was asked for
    std::string target_;  // the same, or what it links to
    std::string draft_;   // the name until commit(); empty when there is none
    int file_ = -1;
    std::size_t size_ = 0;
};

}  // namespace taut::exporters

// Writes a file atomically: to a temporary file beside it, which is renamed at the end.
#pragma once

#include <string>
#include <string_view>

#include <taut/result.h>

#include "core/namespaces.h"

namespace taut::exporters {

class FileWriter {
public:
    // Fails if the path is not writable. An existing file is kept until commit().
    static Result<FileWriter> open(const std::string& path);

    FileWriter(FileWriter&& other) noexcept;
    FileWriter& operator=(FileWriter&&) = delete;
    ~FileWriter();  // removes an uncommitted temporary file

    Status write(std::string_view bytes);
    Status commit();

    // Path of the temporary file, which another program may write.
    const std::string& draft() const noexcept { return draft_; }

    const std::string& path() const noexcept { return path_; }
    std::size_t size() const noexcept { return size_; }  // bytes written so far

private:
    FileWriter(std::string path, std::string target, std::string draft, int file)
        : path_(std::move(path)), target_(std::move(target)), draft_(std::move(draft)), file_(file)
    {}
    Error failure(const char* what) const;

    std::string path_;    // as requested
    std::string target_;  // path_ with symbolic links resolved
    std::string draft_;   // path of the temporary file; empty if there is none
    int file_ = -1;
    std::size_t size_ = 0;
};

}  // namespace taut::exporters

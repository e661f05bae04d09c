#include "exporters/file_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace taut::exporters {

namespace fs = std::filesystem;

namespace {

// Permissions of new files according to the umask, which can only be read by setting it.
mode_t permissions_of_new_files()
{
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

}  // namespace

Result<FileWriter> FileWriter::open(const std::string& path)
{
    std::error_code ignored;
    if (path.empty()) return Error{"cannot write a file without a name"};
    if (fs::is_directory(path, ignored))
        return Error{"cannot write '" + path + "': it is a folder"};
    // the old file is replaced, so it must be a regular file
    if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
        return Error{"cannot write '" + path + "': it is not a regular file"};
    // a symbolic link is kept; its target is replaced
    const std::string target =
        fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored).string() : path;
    const fs::path folder = fs::path(target).parent_path();
    if (!folder.empty() && !fs::is_directory(folder, ignored))
        return Error{"cannot write '" + path + "': the folder does not exist: '" + folder.string() +
                     "'"};

    std::string draft = target + ".XXXXXX";
    const int file = mkostemp(draft.data(), O_CLOEXEC);
    if (file < 0) return Error{"cannot write '" + path + "': " + std::strerror(errno)};
    if (fchmod(file, permissions_of_new_files()) != 0) {
        // ignore errors of file systems without permissions
    }
    return FileWriter(path, target, draft, file);
}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      draft_(std::exchange(other.draft_, {})),
      file_(std::exchange(other.file_, -1)),
      size_(other.size_)
{}

FileWriter::~FileWriter()
{
    if (file_ >= 0) close(file_);
    if (!draft_.empty()) unlink(draft_.c_str());
}

Error FileWriter::failure(const char* what) const
{
    return Error{std::string("cannot ") + what + " '" + path_ + "': " + std::strerror(errno)};
}

Status FileWriter::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(file_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return failure("write");
        size_ += static_cast<std::size_t>(written);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return Done{};
}

Status FileWriter::commit()
{
    if (close(std::exchange(file_, -1)) != 0) return failure("write");
    if (rename(draft_.c_str(), target_.c_str()) != 0) return failure("rename to");
    draft_.clear();
    return Done{};
}

}  // namespace taut::exporters

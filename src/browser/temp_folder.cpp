#include "browser/temp_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace taut::browser {

Result<TempFolder> TempFolder::make()
{
    std::error_code error;
    const std::filesystem::path place = std::filesystem::temp_directory_path(error);
    if (error) return Error{"no folder for temporary files: " + error.message()};
    std::string name = (place / "taut_XXXXXX").string();
    if (!mkdtemp(name.data()))
        return Error{"cannot create a folder in '" + place.string() + "': " + std::strerror(errno)};
    return TempFolder(name);
}

TempFolder::~TempFolder()
{
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace taut::browser

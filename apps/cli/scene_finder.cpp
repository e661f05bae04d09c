#include "scene_finder.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "core/suggestion.h"

namespace taut::cli {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> scene_folders()
{
    std::vector<fs::path> folders;
    if (const char* variable = std::getenv("TAUT_SCENES")) {
        std::istringstream list(variable);
        for (std::string folder; std::getline(list, folder, ':');)
            if (!folder.empty()) folders.emplace_back(folder);
    }

    // an installation may have been moved: search relative to the executable first
    std::error_code none;
    const fs::path program = fs::read_symlink("/proc/self/exe", none);
    if (!program.empty())
        folders.push_back(program.parent_path().parent_path() / "share/taut/scenes");
    folders.emplace_back(TAUT_INSTALLED_SCENES);
    folders.emplace_back(TAUT_SOURCE_SCENES);
    return folders;
}

void add_scenes(const fs::path& folder, std::vector<ShippedScene>& scenes)
{
    std::error_code none;
    for (fs::recursive_directory_iterator it(folder, none), end; it != end; it.increment(none)) {
        if (none) return;
        if (it->path().extension() != ".yaml") continue;
        std::string name =
            it->path().lexically_relative(folder).replace_extension().generic_string();
        const bool known =
            std::any_of(scenes.begin(), scenes.end(), [&](auto& s) { return s.name == name; });
        if (!known) scenes.push_back({std::move(name), it->path().string()});
    }
}

}  // namespace

std::vector<ShippedScene> shipped_scenes()
{
    std::vector<ShippedScene> scenes;
    for (const fs::path& folder : scene_folders()) add_scenes(folder, scenes);
    std::sort(scenes.begin(), scenes.end(), [](auto& a, auto& b) { return a.name < b.name; });
    return scenes;
}

Result<std::string> find_shipped_scene(const std::string& name)
{
    const std::vector<ShippedScene> scenes = shipped_scenes();
    std::vector<std::string> words;
    std::vector<const ShippedScene*> matches;
    for (const ShippedScene& scene : scenes) {
        if (scene.name == name) return scene.file;
        const std::string last = fs::path(scene.name).filename().string();
        if (last == name) matches.push_back(&scene);
        words.push_back(scene.name);
        words.push_back(last);
    }
    if (matches.size() == 1) return matches.front()->file;
    if (matches.size() > 1)
        return Error{"'" + name + "' is ambiguous: " + matches[0]->name + " or " +
                     matches[1]->name};
    return Error{"unknown scene '" + name + "'" + did_you_mean(name, words) +
                 " ('taut demo' lists the scenes that come with Taut)"};
}

Result<std::string> find_scene(const std::string& file_or_name)
{
    std::error_code none;
    if (fs::is_regular_file(file_or_name, none)) return file_or_name;

    // a name with a slash or an extension is a path
    const fs::path path(file_or_name);
    if (path.has_extension() && path.extension() != ".") {
        if (fs::is_directory(path, none))
            return Error{"'" + file_or_name + "' is a folder, not a scene file"};
        return Error{"file not found: '" + file_or_name + "'"};
    }
    return find_shipped_scene(file_or_name);
}

}  // namespace taut::cli

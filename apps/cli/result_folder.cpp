#include "result_folder.h"

#include <cstdio>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace taut::cli {

namespace fs = std::filesystem;

namespace {

// The command that repeats the run, as comment lines at the top of the copied scene.
std::string provenance(const Scene& scene, const std::string& scene_file, const RunOptions& options)
{
    std::ostringstream text;
    text << "# Copy of " << scene_file << " as it was run:\n# taut run " << options.scene;
    const auto option = [&](const std::string& flag, const std::string& value) {
        if (!value.empty()) text << " " << flag << " " << value;
    };
    option("--time", options.time);
    for (const StepOption& of : kStepOptions)
        if (const auto given = options.step.find(std::string(of.name)); given != options.step.end())
            option(flag_of(of), given->second);
    for (const std::string& entry : options.set) text << " --set '" << entry << "'";
    for (const std::string& entry : options.control) text << " --control '" << entry << "'";
    text << "\n";
    if (!scene.parameters.empty()) text << "# Parameters in use:\n";
    for (const SceneParameter& p : scene.parameters)
        text << "#   " << p.name << " = " << p.value << "\n";
    return text.str();
}

Status write_file(const fs::path& path, const std::string& text)
{
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) return Error{"cannot write '" + path.string() + "'"};
    return Done{};
}

}  // namespace

Result<std::unique_ptr<ResultFolder>> ResultFolder::open(const std::string& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return Error{"cannot create the folder '" + folder + "': " + error.message()};

    auto results = std::make_unique<ResultFolder>();
    results->folder_ = folder;
    results->csv_.open(fs::path(folder) / "run.csv", std::ios::binary);
    if (!results->csv_)
        return Error{"cannot write '" + (fs::path(folder) / "run.csv").string() + "'"};
    return results;
}

Status ResultFolder::finish(const Json& summary, const Scene& scene, const std::string& scene_file,
                            const RunOptions& options)
{
    csv_.close();
    if (!csv_) return Error{"cannot write '" + (fs::path(folder_) / "run.csv").string() + "'"};
    TAUT_TRY(write_file(fs::path(folder_) / "summary.json",
                        summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"));

    std::ifstream original(scene_file, std::ios::binary);
    std::ostringstream text;
    text << provenance(scene, scene_file, options) << original.rdbuf();
    return write_file(fs::path(folder_) / "scene.yaml", text.str());
}

void ResultFolder::print() const
{
    std::printf("results in %s: run.csv, summary.json, scene.yaml\n", folder_.c_str());
}

}  // namespace taut::cli

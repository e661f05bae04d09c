#include "run_exports.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "exporters/gltf.h"
#include "stream/description.h"
#include "viewer_page.h"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;

Result<Real> frames_per_second(const RunOptions& options)
{
    constexpr Real kUsual = 60;
    if (options.fps.empty()) return kUsual;
    if (options.gltf.empty() && options.replay.empty())
        return Error{"--fps is the frame rate of --gltf and --replay and requires one of them"};
    return parse_frame_rate(options.fps);
}

Status check_paths(const RunOptions& options)
{
    if (options.gltf.empty() || options.replay.empty()) return Done{};
    if (fs::path(options.gltf).lexically_normal() != fs::path(options.replay).lexically_normal())
        return Done{};
    return Error{"--gltf and --replay name the same file '" + options.gltf + "'"};
}

// At most `rate` frames per second and one per step; the first and the last are always included.
std::size_t planned_frames(const Scene& scene, Real fps)
{
    const Real steps = static_cast<Real>(planned_steps(scene.duration, scene.settings.dt));
    return static_cast<std::size_t>(std::min(steps, scene.duration * fps + 1)) + 1;
}

}  // namespace

std::string size_text(std::size_t bytes)
{
    char text[32];
    const auto number = static_cast<double>(bytes);
    if (bytes < 999'500)
        std::snprintf(text, sizeof text, "%.3g kB", number / 1e3);
    else
        std::snprintf(text, sizeof text, "%.3g MB", number / 1e6);
    return text;
}

Real planned_end(const Scene& scene)
{
    const auto steps = static_cast<Real>(planned_steps(scene.duration, scene.settings.dt));
    return scene.world.time() + steps * scene.settings.dt;
}

Result<std::unique_ptr<RunExports>> RunExports::open(const RunOptions& options, const Scene& scene,
                                                     const std::string& scene_file)
{
    const auto fps = frames_per_second(options);
    if (!fps.ok()) return fps.error();
    TAUT_TRY(check_paths(options));
    std::unique_ptr<RunExports> exports(new RunExports(FrameClock(*fps, planned_end(scene))));
    if (!options.gltf.empty()) {
        TAUT_TRY(gltf_fits(planned_frames(scene, *fps),
                           static_cast<std::size_t>(scene.world.body_count())));
        auto file = FileWriter::open(options.gltf);
        if (!file.ok()) return Error{"--gltf: " + file.error().message};
        exports->gltf_.emplace(std::move(*file));
    }
    if (!options.replay.empty()) {
        const auto page = viewer_page();
        if (!page.ok()) return Error{"--replay: " + page.error().message};
        auto replay = Replay::open(
            scene, {.path = options.replay,
                    .page = *page,
                    // the page may be sent to others: keep only the file name, not the local path
                    .scene_file = std::filesystem::path(scene_file).filename().string(),
                    .plots = recorded_plots(scene)});
        if (!replay.ok()) return Error{"--replay: " + replay.error().message};
        exports->replay_.emplace(std::move(*replay));
    }
    return exports;
}

void RunExports::watch(const Moment& moment)
{
    if (!clock_.wants(moment)) return;
    if (gltf_) recording_.add(moment.world);
    if (replay_) replay_->add(moment);
}

Status RunExports::write_gltf(const Scene& scene)
{
    const auto bytes = gltf_file(scene, recording_);
    if (!bytes.ok()) return bytes.error();
    TAUT_TRY(gltf_->write(*bytes));
    TAUT_TRY(gltf_->commit());
    written_.push_back({"gltf", gltf_->path(), recording_.times().size(), gltf_->size()});
    return Done{};
}

Status RunExports::finish(const Scene& scene, const RunReport& report, Json& json)
{
    if (!wanted()) return Done{};
    if (gltf_) TAUT_TRY(write_gltf(scene));
    if (replay_) {
        const bool broke_off = report.summary.status == RunStatus::Diverged;
        TAUT_TRY(replay_->finish(broke_off ? report.summary.reason : ""));
        written_.push_back({"replay", replay_->path(), replay_->frames(), replay_->size()});
    }
    json["files"] = Json::array();
    for (const Written& file : written_)
        json["files"].push_back({{"format", file.format},
                                 {"path", file.path},
                                 {"frames", file.frames},
                                 {"bytes", file.bytes}});
    return Done{};
}

void RunExports::print() const
{
    for (const Written& file : written_)
        std::printf("%s: %zu frames, %s\n", file.path.c_str(), file.frames,
                    size_text(file.bytes).c_str());
}

}  // namespace taut::cli

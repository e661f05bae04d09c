// The files of --gltf and --replay: opened before the run, fed during the run, completed at its end.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "exporters/frame_clock.h"
#include "exporters/recording.h"
#include "exporters/replay.h"
#include "output.h"
#include "record/run_scene.h"
#include "run_options.h"

namespace taut::cli {

class RunExports {
public:
    // Opens the files before the run, so that a path that cannot be written fails early.
    static Result<std::unique_ptr<RunExports>> open(const RunOptions& options, const Scene& scene,
                                                    const std::string& scene_file);

    bool wanted() const noexcept { return gltf_ || replay_; }
    void watch(const Moment& moment);

    // Completes the files and adds their paths and sizes to `json` as `files`.
    Status finish(const Scene& scene, const RunReport& report, Json& json);

    void print() const;

private:
    struct Written {
        std::string format, path;
        std::size_t frames, bytes;
    };

    explicit RunExports(FrameClock clock) : clock_(clock) {}
    Status write_gltf(const Scene& scene);

    FrameClock clock_;
    std::optional<FileWriter> gltf_;
    Recording recording_;
    std::optional<Replay> replay_;
    std::vector<Written> written_;
};

// End time of the last planned step [s].
Real planned_end(const Scene& scene);

// A number of bytes in readable units.
std::string size_text(std::size_t bytes);

}  // namespace taut::cli

// The files of --gltf and --replay: opened before the run, fed while it goes on, written at its end.
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
    // Nothing has been simulated yet when a path turns out not to be writable.
    static Result<std::unique_ptr<RunExports>> open(const RunOptions& options, const Scene& scene,
                                                    const std::string& scene_file);

    bool wanted() const noexcept { return gltf_ || replay_; }
    void watch(const Moment& moment);

    // Writes what was seen. Adds paths and sizes to `json` as `files`.
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

// When the last step of the whole run is over [s].
Real planned_end(const Scene& scene);

// A number of bytes as people say it.
std::string size_text(std::size_t bytes);

}  // namespace taut::cli

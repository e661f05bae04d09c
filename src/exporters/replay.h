// Exports a run as one HTML page that needs no network: the page of the viewer with a scene and its frames, as specified
// in docs/viewer-protocol.md. Frames are written to the file immediately, so that memory is bounded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <taut/scene.h>
#include "exporters/file_writer.h"
#include "stream/frame.h"

namespace taut::exporters {

// Incremental base64 encoder.
class Base64 {
public:
    // Encodes all complete triples; up to two bytes are kept for the next call.
    std::string add(std::span<const std::byte> bytes);
    std::string finish();

private:
    std::vector<std::byte> waiting_;
};

// The page of the viewer; a replay inlines script and style into index.html.
struct ViewerPage {
    std::string_view html, script, style;
};

struct ReplayRequest {
    std::string path;
    ViewerPage page;
    std::string scene_file;
    std::vector<std::string> plots;  // readings that are part of the frames
};

class Replay {
public:
    // Writes the part before the frames.
    static Result<Replay> open(const Scene& scene, const ReplayRequest& request);

    // Write errors are returned by finish().
    void add(const Moment& moment);

    // `failure` is the reason if the run was aborted; the last frame is then flagged as diverged.
    Status finish(std::string_view failure);

    const std::string& path() const noexcept { return file_.path(); }
    std::size_t size() const noexcept { return file_.size(); }
    std::size_t frames() const noexcept { return frames_; }

private:
    Replay(FileWriter file, FrameEncoder encoder, std::string tail)
        : file_(std::move(file)), encoder_(std::move(encoder)), tail_(std::move(tail))
    {}
    void write_last();

    FileWriter file_;
    FrameEncoder encoder_;
    std::string tail_;             // part of the page after the frames
    std::vector<std::byte> last_;  // the latest frame, kept back because it may be the last one
    Base64 base64_;
    std::size_t frames_ = 0;
    Status status_ = Done{};
};

}  // namespace taut::exporters

// A run as one HTML page that needs no network: the viewer's page with a scene and its frames inside, as laid down
// in docs/viewer-protocol.md. Frames go to the file as they come, so that a long run needs no memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <taut/scene.h>
#include "exporters/file_writer.h"
#include "stream/frame.h"

namespace taut::exporters {

// Bytes of any length, piece by piece, as base64.
class Base64 {
public:
    // What can be written so far; up to two bytes wait for the next piece.
    std::string add(std::span<const std::byte> bytes);
    std::string finish();

private:
    std::vector<std::byte> waiting_;
};

// The viewer's page: index.html names the other two, and a replay has them in place of their names.
struct ViewerPage {
    std::string_view html, script, style;
};

struct ReplayRequest {
    std::string path;
    ViewerPage page;
    std::string scene_file;
    std::vector<std::string> plots;  // readings that frames carry
};

class Replay {
public:
    // Writes everything up to the frames.
    static Result<Replay> open(const Scene& scene, const ReplayRequest& request);

    // Trouble with the disk is kept for finish().
    void add(const Moment& moment);

    // `failure`, where the motion broke off: why. It marks the last frame.
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
    std::string tail_;             // of the page, after the frames
    std::vector<std::byte> last_;  // a frame that may yet turn out to be the end
    Base64 base64_;
    std::size_t frames_ = 0;
    Status status_ = Done{};
};

}  // namespace taut::exporters

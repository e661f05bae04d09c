#include "browser/video.h"

#include <cstdlib>

namespace taut::browser {

namespace {

constexpr double kEncodingTimeout = 120;  // [s]

std::string find_ffmpeg()
{
    if (const char* named = std::getenv("TAUT_FFMPEG"); named && *named)
        return find_program({named});
    return find_program({"ffmpeg"});
}

}  // namespace

Status Video::available()
{
    if (!find_ffmpeg().empty()) return Done{};
    return Error{
        "videos require ffmpeg, which was not found (Debian: ffmpeg); the environment variable "
        "TAUT_FFMPEG may give its path"};
}

Result<Video> Video::start(const std::string& file, double frames_per_second)
{
    TAUT_TRY(available());
    const std::string program = find_ffmpeg();
    auto folder = TempFolder::make();
    if (!folder.ok()) return folder.error();
    // clang-format off
    auto ffmpeg = ChildProcess::start({{
        program, "-hide_banner", "-loglevel", "error", "-y",
        "-f", "image2pipe", "-c:v", "png", "-framerate", std::to_string(frames_per_second), "-i", "pipe:0",
        // yuv420p requires even numbers of pixels
        "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20",
        "-movflags", "+faststart", "-f", "mp4", "file:" + file},
        {0}, folder->path() / "messages"});
    // clang-format on
    if (!ffmpeg.ok()) return ffmpeg.error();
    return Video(std::move(*folder), std::move(*ffmpeg));
}

Error Video::failure(const std::string& what) const
{
    return Error{"the video could not be encoded: " + what + "\n" + ffmpeg_.last_output()};
}

Status Video::add(std::string_view png)
{
    const auto sent = ffmpeg_.send(png, within(kEncodingTimeout));
    if (!sent.ok()) return failure(sent.error().message);
    return Done{};
}

Status Video::finish()
{
    ffmpeg_.close_writing();
    const auto code = ffmpeg_.wait(within(kEncodingTimeout));
    if (!code.ok()) return failure(code.error().message);
    if (*code != 0) return failure("ffmpeg ended with code " + std::to_string(*code));
    return Done{};
}

}  // namespace taut::browser

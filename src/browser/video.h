// Encodes a sequence of PNG images as H.264 video in an MP4 file, with ffmpeg.
#pragma once

#include <string>

#include "browser/child_process.h"
#include "browser/temp_folder.h"

namespace taut::browser {

class Video {
public:
    // The error states what to install if ffmpeg is missing. The environment variable TAUT_FFMPEG selects another
    // executable.
    static Status available();
    static Result<Video> start(const std::string& file, double frames_per_second);

    Status add(std::string_view png);
    Status finish();

private:
    Video(TempFolder folder, ChildProcess ffmpeg)
        : folder_(std::move(folder)), ffmpeg_(std::move(ffmpeg))
    {}
    Error failure(const std::string& what) const;

    TempFolder folder_;
    ChildProcess ffmpeg_;
};

}  // namespace taut::browser

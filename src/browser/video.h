// Pictures, one after the other, as a video that browsers and players open: H.264 in MP4, by ffmpeg.
#pragma once

#include <string>

#include "browser/child_process.h"
#include "browser/temp_folder.h"

namespace taut::browser {

class Video {
public:
    // The error says what to install where there is no ffmpeg. The variable TAUT_FFMPEG names another program.
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

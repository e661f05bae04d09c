// A progress bar on stderr with the estimated remaining time; disabled if stderr is not a terminal.
#pragma once

#include <chrono>
#include <cstdint>

namespace taut::cli {

class ProgressBar {
public:
    explicit ProgressBar(bool enabled);
    ~ProgressBar();  // erases the line
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void show(std::uint64_t done, std::uint64_t planned);

private:
    using Clock = std::chrono::steady_clock;

    bool enabled_;
    bool drawn_ = false;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_ = begin_;
};

}  // namespace taut::cli

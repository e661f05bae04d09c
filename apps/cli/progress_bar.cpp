#include "progress_bar.h"

#include <unistd.h>

#include <cstdio>
#include <string>

namespace taut::cli {

ProgressBar::ProgressBar(bool enabled) : enabled_(enabled && isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar()
{
    if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void ProgressBar::show(std::uint64_t done, std::uint64_t planned)
{
    using namespace std::chrono_literals;
    constexpr int kWidth = 40;
    if (!enabled_ || planned == 0) return;

    // redrawn ten times per second at most, to keep its cost out of the measured time
    const Clock::time_point now = Clock::now();
    if (now - last_ < 100ms) return;
    last_ = now;

    const double share = static_cast<double>(done) / static_cast<double>(planned);
    const double spent = std::chrono::duration<double>(now - begin_).count();
    const auto filled = static_cast<std::size_t>(share * kWidth);
    const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
    std::fprintf(stderr, "\r[%s] %3.0f %%", bar.c_str(), 100 * share);
    if (share > 0) std::fprintf(stderr, "  %.0f s remaining", spent * (1 - share) / share);
    std::fputs("\x1b[K", stderr);
    std::fflush(stderr);
    drawn_ = true;
}

}  // namespace taut::cli

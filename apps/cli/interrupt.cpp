#include "interrupt.h"

#include <csignal>

namespace taut::cli {

namespace {

volatile std::sig_atomic_t signal_seen = 0;

}  // namespace

void catch_interrupts()
{
    const auto remember = [](int) { signal_seen = 1; };
    std::signal(SIGINT, remember);
    std::signal(SIGTERM, remember);
}

bool interrupted() noexcept { return signal_seen != 0; }

}  // namespace taut::cli

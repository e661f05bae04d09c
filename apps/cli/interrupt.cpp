#include "interrupt.h"

#include <csignal>
#include <cstdlib>

namespace taut::cli {

namespace {

volatile std::sig_atomic_t signal_seen = 0;

}  // namespace

void catch_interrupts()
{
    const auto remember = [](int) {
        if (signal_seen != 0)
            std::_Exit(130);  // the second signal ends the program immediately, without cleaning up
        signal_seen = 1;
    };
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, remember);
    if (std::signal(SIGHUP, remember) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
}

bool interrupted() noexcept { return signal_seen != 0; }

}  // namespace taut::cli

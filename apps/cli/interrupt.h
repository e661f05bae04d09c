// Ctrl-C stops the run but not the report: the signal sets a flag that the running command polls.
#pragma once

namespace taut::cli {

void catch_interrupts();  // SIGINT, SIGTERM and SIGHUP
bool interrupted() noexcept;

}  // namespace taut::cli

// Ctrl-C ends the work, not the report: the signal is remembered and asked for.
#pragma once

namespace taut::cli {

void catch_interrupts();  // of the keyboard (SIGINT) and of a system that shuts down (SIGTERM)
bool interrupted() noexcept;

}  // namespace taut::cli

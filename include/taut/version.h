// Version of the headers; version() is that of the library in use.
#pragma once

#define TAUT_VERSION_MAJOR 0
#define TAUT_VERSION_MINOR 1
#define TAUT_VERSION_PATCH 0

namespace taut {

const char* version() noexcept;

}  // namespace taut

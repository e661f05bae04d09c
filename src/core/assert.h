// TAUT_ASSERT(condition) states a contract that only a mistake of our own can break: an index within its range, a size
// that fits, a function called in the right order. Input of users is checked by Result<T> instead.
// With TAUT_ASSERTS (a CMake option; on unless the build type is Release) a condition that does not hold prints where
// it stands and aborts. Without it the condition is compiled but never evaluated, and the library never aborts.
// The condition must have no side effects.
#pragma once

#include <cstdio>
#include <cstdlib>

#if TAUT_ASSERTS
// Variadic, because the commas of a template's arguments would otherwise separate arguments of the macro.
#define TAUT_ASSERT(...)                                                                      \
    (static_cast<bool>(__VA_ARGS__)                                                           \
         ? static_cast<void>(0)                                                               \
         : (static_cast<void>(std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, \
                                           __LINE__, #__VA_ARGS__)),                          \
            std::abort()))
#else
#define TAUT_ASSERT(...) static_cast<void>(sizeof(static_cast<bool>(__VA_ARGS__)))
#endif

// Limits of scene files. A larger file is rejected with a message.
#pragma once

#include <cstddef>

#include "core/namespaces.h"

namespace taut::scene::file_bounds {

inline constexpr std::size_t kFileBytes = 4u << 20;
inline constexpr std::size_t kFiles = 64;
inline constexpr std::size_t kIncludeDepth = 16;
inline constexpr std::size_t kNesting = 64;
inline constexpr std::size_t kValues = 1'000'000;    // after expansion of aliases
inline constexpr std::size_t kFormulaLength = 2000;  // characters
inline constexpr int kFormulaNesting = 100;
inline constexpr int kGeneratedBodies = 200'000;  // sum over all generators of a scene
inline int generated_bodies = kGeneratedBodies;   // the fuzzer lowers it to get many small scenes

}  // namespace taut::scene::file_bounds

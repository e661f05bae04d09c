// How large a scene file may be. Beyond these a file is refused with a message, never tried.
#pragma once

#include <cstddef>

#include "core/namespaces.h"

namespace taut::scene::file_bounds {

inline constexpr std::size_t kFileBytes = 4u << 20;
inline constexpr std::size_t kFiles = 64;
inline constexpr std::size_t kIncludeDepth = 16;
inline constexpr std::size_t kNesting = 64;
inline constexpr std::size_t kValues = 1'000'000;    // after aliases are followed
inline constexpr std::size_t kFormulaLength = 2000;  // characters
inline constexpr int kFormulaNesting = 100;
inline constexpr int kGeneratedBodies = 200'000;  // by all generators of a scene together
inline int generated_bodies = kGeneratedBodies;   // fuzzing lowers it: many small scenes are wanted

}  // namespace taut::scene::file_bounds

// Which kernels run on this machine.
#pragma once

#include "core/namespaces.h"

namespace taut::core {

// The machine has AVX2. The environment variable TAUT_AVX2=off denies it, so that tests can compare both kinds of kernels: the
// bits of the state are the same.
bool has_avx2() noexcept;

}  // namespace taut::core

// Several doubles side by side: two everywhere, four where the machine has AVX2. Written out because the compilers' own
// choice was half as fast. Neither needs alignment. What is computed per number is the same for both, in the same
// order and without fused multiply-adds: a result does not depend on the machine.
#pragma once

#include "core/namespaces.h"

namespace taut::core {

template <int W>
struct Lanes;

template <>
struct Lanes<2> {
    typedef double Type __attribute__((vector_size(16), aligned(8), may_alias));
};

template <>
struct Lanes<4> {
    typedef double Type __attribute__((vector_size(32), aligned(8), may_alias));
};

template <int W>
using Lane = typename Lanes<W>::Type;

}  // namespace taut::core

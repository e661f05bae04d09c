#include "stepper/packs/pack_kernels.h"

namespace taut::stepper {

constexpr PackMoves moves_by_twos = PackKernels<2>::all();

const PackMoves& best_moves() noexcept
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) return moves_by_fours;
#endif
    return moves_by_twos;
}

}  // namespace taut::stepper

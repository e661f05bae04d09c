// Compiled for machines with AVX2, called on these only (best_put_balls).
#include "assembly/packs/ball_kernels.h"

#ifdef __x86_64__
namespace taut::assembly {

void put_balls_by_fours(const BallPack* packs, long count, const BallTarget& to) noexcept
{
    BallKernels<4>::put(packs, count, to);
}

}  // namespace taut::assembly
#endif

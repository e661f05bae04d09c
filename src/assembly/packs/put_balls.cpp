#include "assembly/packs/ball_kernels.h"

namespace taut::assembly {

void put_balls_by_twos(const BallPack* packs, long count, const BallTarget& to) noexcept
{
    BallKernels<2>::put(packs, count, to);
}

PutBalls* best_put_balls() noexcept
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) return put_balls_by_fours;
#endif
    return put_balls_by_twos;
}

}  // namespace taut::assembly

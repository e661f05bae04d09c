// Compiled for machines with AVX2, called on these only (fastest_write_balls).
#include "assembly/packs/midpoint_ball_kernels.h"

#ifdef __x86_64__
namespace taut::assembly {

void write_balls_four_wide(const BallPack* packs, long count, const BallArrays& to) noexcept
{
    BallKernels<Four<4>>::write(packs, count, to);
}

void write_midpoint_balls_four_wide(const BallPack* packs, long count,
                                    const BallArrays& to) noexcept
{
    MidpointBallKernels<Four<4>>::write(packs, count, to);
}

void write_balls_in_order_four_wide(const BallPack* packs, long count,
                                    const BallArrays& to) noexcept
{
    BallKernels<Four<4>, BallRounding::Single>::write_in_order(packs, count, to);
}

}  // namespace taut::assembly
#endif

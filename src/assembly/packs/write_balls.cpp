#include "assembly/packs/midpoint_ball_kernels.h"
#include "core/cpu.h"

namespace taut::assembly {

void write_balls_scalar(const BallPack* packs, long count, const BallArrays& to) noexcept
{
    BallKernels<double>::write(packs, count, to);
}

void write_balls_two_wide(const BallPack* packs, long count, const BallArrays& to) noexcept
{
    BallKernels<Four<2>>::write(packs, count, to);
}

void write_midpoint_balls_scalar(const BallPack* packs, long count, const BallArrays& to) noexcept
{
    MidpointBallKernels<double>::write(packs, count, to);
}

void write_midpoint_balls_two_wide(const BallPack* packs, long count, const BallArrays& to) noexcept
{
    MidpointBallKernels<Four<2>>::write(packs, count, to);
}

void write_one_midpoint_ball(const BallPack& pack, int lane, const BallArrays& to) noexcept
{
    MidpointBallKernels<double>::write_one(pack, lane, to);
}

void write_balls_in_order_two_wide(const BallPack* packs, long count, const BallArrays& to) noexcept
{
    BallKernels<Four<2>, BallRounding::Single>::write_in_order(packs, count, to);
}

void write_one_ball(const BallPack& pack, int lane, const BallArrays& to) noexcept
{
    BallKernels<double, BallRounding::Single>::write_one(pack, lane, to);
}

WriteBalls* fastest_write_balls() noexcept
{
#if defined(__x86_64__)
    return core::has_avx2() ? write_balls_four_wide : write_balls_two_wide;
#elif defined(__ARM_NEON)
    return write_balls_two_wide;
#else
    return write_balls_scalar;
#endif
}

WriteBalls* fastest_write_midpoint_balls() noexcept
{
#if defined(__x86_64__)
    return core::has_avx2() ? write_midpoint_balls_four_wide : write_midpoint_balls_two_wide;
#elif defined(__ARM_NEON)
    return write_midpoint_balls_two_wide;
#else
    return write_midpoint_balls_scalar;
#endif
}

WriteBalls* fastest_write_balls_in_order() noexcept
{
#if defined(__x86_64__)
    if (core::has_avx2()) return write_balls_in_order_four_wide;
#endif
    return write_balls_in_order_two_wide;
}

}  // namespace taut::assembly

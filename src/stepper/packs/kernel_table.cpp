#include "core/cpu.h"
#include "stepper/packs/body_kernels.h"
#include "stepper/packs/midpoint_kernels.h"
#include "stepper/packs/rotation_table.h"

namespace taut::stepper {

constexpr BodyKernelTable scalar_body_kernels = BodyKernels<double>::table();
constexpr BodyKernelTable two_wide_body_kernels = BodyKernels<Four<2>>::table();
constexpr MidpointKernelTable scalar_midpoint_kernels = MidpointKernels<double>::table();
constexpr MidpointKernelTable two_wide_midpoint_kernels = MidpointKernels<Four<2>>::table();

const BodyKernelTable& fastest_body_kernels() noexcept
{
#if defined(__x86_64__)
    return core::has_avx2() ? four_wide_body_kernels : two_wide_body_kernels;
#elif defined(__ARM_NEON)
    return two_wide_body_kernels;
#else
    return scalar_body_kernels;
#endif
}

const MidpointKernelTable& fastest_midpoint_kernels() noexcept
{
#if defined(__x86_64__)
    return core::has_avx2() ? four_wide_midpoint_kernels : two_wide_midpoint_kernels;
#elif defined(__ARM_NEON)
    return two_wide_midpoint_kernels;
#else
    return scalar_midpoint_kernels;
#endif
}

RotatePack* fastest_rotate_pack() noexcept
{
#if defined(__x86_64__)
    if (core::has_avx2()) return rotate_pack_four_wide;
#endif
    return nullptr;
}

AdvancePack* fastest_advance_pack() noexcept
{
#if defined(__x86_64__)
    if (core::has_avx2()) return advance_pack_four_wide;
#endif
    return nullptr;
}

}  // namespace taut::stepper

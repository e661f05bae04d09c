#include "stepper/packs/body_kernels.h"

namespace taut::stepper {

constexpr BodyKernelTable scalar_body_kernels = BodyKernels<double>::table();
constexpr BodyKernelTable two_wide_body_kernels = BodyKernels<Four<2>>::table();

const BodyKernelTable& fastest_body_kernels() noexcept
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") ? four_wide_body_kernels : two_wide_body_kernels;
#elif defined(__ARM_NEON)
    return two_wide_body_kernels;
#else
    return scalar_body_kernels;
#endif
}

}  // namespace taut::stepper

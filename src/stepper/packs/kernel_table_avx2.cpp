// Compiled for machines with AVX2, called on these only (fastest_body_kernels).
#include "stepper/packs/body_kernels.h"

#ifdef __x86_64__
namespace taut::stepper {

constexpr BodyKernelTable four_wide_body_kernels = BodyKernels<Four<4>>::table();

}  // namespace taut::stepper
#endif

// Compiled for machines with AVX2, called on these only (fastest_body_kernels).
#include "stepper/packs/body_kernels.h"
#include "stepper/packs/midpoint_kernels.h"
#include "stepper/packs/rotation_kernels.h"

#ifdef __x86_64__
namespace taut::stepper {

constexpr BodyKernelTable four_wide_body_kernels = BodyKernels<Four<4>>::table();
constexpr MidpointKernelTable four_wide_midpoint_kernels = MidpointKernels<Four<4>>::table();

bool rotate_pack_four_wide(const BodyPack& pack, const RotationLimits& limits,
                           const RotationArrays& to) noexcept
{
    return RotationKernels<4>::rotate(pack, limits, to);
}

bool advance_pack_four_wide(const BodyPack& pack, const AdvanceArrays& to) noexcept
{
    return RotationKernels<4>::advance(pack, to);
}

}  // namespace taut::stepper
#endif

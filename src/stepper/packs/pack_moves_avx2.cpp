// Compiled for machines with AVX2, called on these only (best_moves).
#include "stepper/packs/pack_kernels.h"

#ifdef __x86_64__
namespace taut::stepper {

constexpr PackMoves moves_by_fours = PackKernels<4>::all();

}  // namespace taut::stepper
#endif

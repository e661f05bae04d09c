// Compiled for machines with AVX2, called on these only (best_table() of residual.cpp).
#include "linalg/residual_kernels.h"

#ifdef __x86_64__
namespace taut::linalg::kernels {

constexpr ResidualTable residual_four_at_a_time = ResidualKernels<4>::table();

}  // namespace taut::linalg::kernels
#endif

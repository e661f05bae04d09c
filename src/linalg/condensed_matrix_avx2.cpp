// Compiled for machines with AVX2, called on these only (best_condensation() of condensed_matrix.cpp).
#include "linalg/condensation_kernels.h"

#ifdef __x86_64__
namespace taut::linalg::kernels {

constexpr CondensationTable condensation_four_at_a_time = CondensationKernels<4>::table();

}  // namespace taut::linalg::kernels
#endif

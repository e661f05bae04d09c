// Compiled for machines with AVX2, called on these only (best_tables).
#include "linalg/stretches/stretch_kernels.h"

#ifdef __x86_64__
namespace taut::linalg::kernels {

constexpr StretchTable stretch_four_at_a_time = make_stretch_table<4>();

}  // namespace taut::linalg::kernels
#endif

#include "linalg/stretches/stretch_kernels.h"

namespace taut::linalg::kernels {

constexpr StretchTable stretch_two_at_a_time = make_stretch_table<2>();

}  // namespace taut::linalg::kernels

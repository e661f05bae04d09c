// Compiled for machines with AVX2, called on these only (best_tables). The kernels carry their width in their names, so that
// the linker cannot take them for the code of other machines. What does not, the sizes of block_kernels.h, are
// constants where optimised and integers otherwise, which the option does not change: keep it so.
#include "linalg/make_tables.h"

#ifdef __x86_64__
namespace taut::linalg::kernels {

constexpr Tables four_at_a_time = make_tables<4>(stretch_four_at_a_time);

}  // namespace taut::linalg::kernels
#endif

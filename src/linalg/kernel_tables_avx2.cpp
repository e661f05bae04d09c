// Compiled for machines with AVX2, called on these only (best_tables). Whatever is instantiated here carries the width in
// its name, so that the linker cannot take it for the code of other machines.
#include "linalg/make_tables.h"

#ifdef __x86_64__
namespace taut::linalg::kernels {

constexpr Tables four_at_a_time = make_tables<4>();

}  // namespace taut::linalg::kernels
#endif

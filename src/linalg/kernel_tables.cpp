#include "core/cpu.h"
#include "linalg/make_tables.h"

namespace taut::linalg::kernels {

constexpr Tables two_at_a_time = make_tables<2>(stretch_two_at_a_time);

const Tables& best_tables() noexcept
{
#ifdef __x86_64__
    if (core::has_avx2()) return four_at_a_time;
#endif
    return two_at_a_time;
}

}  // namespace taut::linalg::kernels

#include "core/cpu.h"

#include <cstdlib>
#include <string_view>

namespace taut::core {
namespace {

bool find_avx2() noexcept
{
#if defined(__x86_64__)
    const char* const set = std::getenv("TAUT_AVX2");
    if (set && std::string_view(set) == "off") return false;
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

}  // namespace

bool has_avx2() noexcept
{
    static const bool has = find_avx2();
    return has;
}

}  // namespace taut::core

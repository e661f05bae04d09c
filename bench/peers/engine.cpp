#include "engine.h"

#include <time.h>

#include <algorithm>

namespace taut::peers {

double thread_seconds()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double LocalEngine::step(Real h, int count)
{
    const double start = thread_seconds();
    for (int i = 0; i < count; ++i) step(h);
    return thread_seconds() - start;
}

bool EngineInfo::can(const Scene& scene) const
{
    const auto any = [&](auto property) {
        return std::any_of(scene.joints.begin(), scene.joints.end(), property);
    };
    if (!hinges && any([](const Joint& j) { return j.kind == Joint::Kind::Hinge; })) return false;
    if (!loops && any([](const Joint& j) { return j.closes_loop; })) return false;
    return contacts || !scene.floor;
}

}  // namespace taut::peers

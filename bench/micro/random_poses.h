// Random poses of the collision benches.
#pragma once

#include <random>

#include <taut/types.h>

namespace taut::bench {

using Random = std::mt19937;

inline Real uniform(Random& random, Real low, Real high)
{
    return std::uniform_real_distribution<Real>(low, high)(random);
}

inline Vec3 random_direction(Random& random)
{
    std::normal_distribution<Real> normal;
    return Vec3(normal(random), normal(random), normal(random)).normalized();
}

inline Mat3 random_rotation(Random& random)
{
    std::normal_distribution<Real> normal;
    return Quat(normal(random), normal(random), normal(random), normal(random))
        .normalized()
        .toRotationMatrix();
}

}  // namespace taut::bench

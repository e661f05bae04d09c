// Random numbers that are the same with every standard library: splitmix64.
#pragma once

#include <cmath>
#include <cstdint>

#include <taut/types.h>

namespace taut::study {

class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}

    Real unit()  // [0, 1)
    {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return static_cast<Real>((z ^ (z >> 31)) >> 11) * 0x1p-53;
    }
    Real between(Real low, Real high) { return low + (high - low) * unit(); }
    Real decades(Real low, Real high) { return std::pow(10, between(low, high)); }
    int below(int n) { return static_cast<int>(unit() * n); }
    bool chance(Real p) { return unit() < p; }
    Vec3 vector(Real size)
    {
        const Real x = between(-size, size), y = between(-size, size), z = between(-size, size);
        return {x, y, z};
    }
    Quat rotation()
    {
        const Vec3 axis = vector(1);
        const Real angle = between(-M_PI, M_PI);
        return axis.norm() < 1e-3 ? Quat::Identity()
                                  : Quat(Eigen::AngleAxis<Real>(angle, axis.normalized()));
    }

private:
    std::uint64_t state_;
};

}  // namespace taut::study

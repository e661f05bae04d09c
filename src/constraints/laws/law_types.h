// What the multipliers of a constraint may be: the admissible set of λ, and the way back into it.
//
//     equal         λ any                                φ = 0
//     non_negative  λ ≥ 0                                0 ≤ λ ⊥ φ ≥ 0: limits, contacts, cables
//     interval      lower ≤ λ ≤ upper                    motors of limited force, dry friction
//     cone          λ₀ ≥ 0, |(λ₁, λ₂)| ≤ friction · λ₀   Coulomb; row 0 is the normal
//
// Each set is convex and closed, and project() is the orthogonal projection onto it: idempotent,
// and never drives two points apart. The step solves Equal today; the others are refused where a
// world is built. The pattern of the system does not depend on the law: activity changes numbers only.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::constraints {

struct Equal {
    static constexpr bool contains(Real) noexcept { return true; }
    static constexpr Real project(Real lambda) noexcept { return lambda; }
};

struct NonNegative {
    static constexpr bool contains(Real lambda) noexcept { return lambda >= 0; }
    static constexpr Real project(Real lambda) noexcept { return std::max(lambda, Real(0)); }
};

struct Interval {
    Real lower = -std::numeric_limits<Real>::infinity();
    Real upper = std::numeric_limits<Real>::infinity();  // ≥ lower

    constexpr bool contains(Real lambda) const noexcept
    {
        return lower <= lambda && lambda <= upper;
    }
    constexpr Real project(Real lambda) const noexcept { return std::clamp(lambda, lower, upper); }
};

// Three rows: (normal, tangent, tangent).
struct Cone {
    Real friction = 0;  // ≥ 0 [-]

    // `slack` allows for the round-off of a projected point.
    bool contains(const Vec3& lambda, Real slack = 0) const noexcept
    {
        return lambda.x() >= -slack &&
               std::hypot(lambda.y(), lambda.z()) <= friction * lambda.x() + slack;
    }

    Vec3 project(const Vec3& lambda) const noexcept
    {
        const Real n = lambda.x(), t = std::hypot(lambda.y(), lambda.z());
        if (t <= friction * n) return lambda;         // inside
        if (friction * t <= -n) return Vec3::Zero();  // in the polar cone: the tip is nearest
        // onto the mantle, along its normal
        const Real normal = (n + friction * t) / (1 + friction * friction);
        const Real shrink = friction * normal / t;
        return {normal, shrink * lambda.y(), shrink * lambda.z()};
    }
};

// The list: what a constraint's pool entry says besides compliance and target.
using Law = std::variant<Equal, NonNegative, Interval, Cone>;

}  // namespace taut::constraints

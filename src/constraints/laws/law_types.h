// The law of a row: the admissible set of its multipliers λ, and the projection onto it.
//
//     equal         λ any                                φ = 0
//     non_negative  λ ≥ 0                                0 ≤ λ ⊥ φ ≥ 0: limits, contacts, cables
//     interval      lower ≤ λ ≤ upper                    motors of limited force, dry friction
//     cone          λ₀ ≥ 0, |(λ₁, λ₂)| ≤ friction · λ₀   Coulomb; row 0 is the normal
//
// Each set is convex and closed, and project() is the orthogonal projection onto it: idempotent
// and non-expansive. src/complementarity solves systems with such rows; the pattern of the system does not depend on the
// law.
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
        if (friction * t <= -n) return Vec3::Zero();  // in the polar cone: the apex is nearest
        // onto the surface of the cone, along its normal
        const Real normal = (n + friction * t) / (1 + friction * friction);
        const Real shrink = friction * normal / t;
        return {normal, shrink * lambda.y(), shrink * lambda.z()};
    }
};

// The list of laws.
using Law = std::variant<Equal, NonNegative, Interval, Cone>;

}  // namespace taut::constraints

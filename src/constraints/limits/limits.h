// One-sided rows: joint limits and ropes. Every row pushes only, 0 ≤ λ ⊥ φ ≥ 0.
//
//     angle_limits   φ = (Ω − lower, upper − Ω)          of body 1 against body 0 about n [rad]
//     slide_limits   φ = (x − lower, upper − x)          x = −d·n_0, of body 1 along n of body 0 [m]
//     rope           φ = length − |d|                    between a point of each body [m]
//
//         lower        upper
//     ──────┤  free   ├──────▶ Ω, x        λ_0 pushes up from the lower stop, λ_1 down from the upper
//
//     0 ●~~~~~~~~~~~● 1     slack: φ > 0, λ = 0        0 ●────────────● 1    taut: φ = 0, λ the tension
//
// Limits share the frames of the joint they limit, as drives do, and read the same coordinates.
// J, K̃: parts/twist.h, parts/dot.h with u = −n_0, parts/distance.h with the sign turned.
// A distant limit has no effect: φ is capped at kFar, which no step can cross.
// Singular as twist (axes opposed); a rope whose ends meet has no direction, and is slack there.
#pragma once

#include <limits>

#include "constraints/parts/distance.h"
#include "constraints/parts/dot.h"
#include "constraints/parts/twist.h"

namespace taut::constraints {

struct AngleLimits : ConstraintBase<2, 2, 1> {
    static constexpr int kHeldRows = 1;
    static constexpr SingularPoses kSingular{.opposed_axes = true};
    static constexpr std::string_view kName = "angle_limits";
    static constexpr std::string_view kSummary = "stops the angle about n between two bounds";
    static constexpr JointFamily kFamily = JointFamily::Limit;
    static constexpr RowLaw kLaw = RowLaw::NonNegative;
    static constexpr std::array<RowUnit, 2> kUnits = {kAngle, kAngle};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<AngleLimits>, 2> fields()
    {
        return {{{&AngleLimits::lower, "lower", "rad", "smallest angle", -1e9, 1e9, true},
                 {&AngleLimits::upper, "upper", "rad", "largest angle", -1e9, 1e9, true}}};
    }

    Real lower = -1;
    Real upper = 1;

    void evaluate(const Poses<2>& X, const Memory<1>& memory, Rows<2, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<2>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void remember(const Poses<2>& X, Memory<1>& memory) const noexcept;
};
static_assert(Constraint<AngleLimits>);

struct SlideLimits : ConstraintBase<2> {
    static constexpr int kHeldRows = 1;
    static constexpr int kMeanRows = 2;
    static constexpr std::string_view kName = "slide_limits";
    static constexpr std::string_view kSummary = "stops the slide along n between two bounds";
    static constexpr JointFamily kFamily = JointFamily::Limit;
    static constexpr RowLaw kLaw = RowLaw::NonNegative;
    static constexpr std::array<RowUnit, 2> kUnits = {kLength, kLength};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<SlideLimits>, 2> fields()
    {
        return {{{&SlideLimits::lower, "lower", "m", "smallest slide", -1e9, 1e9, true},
                 {&SlideLimits::upper, "upper", "m", "largest slide", -1e9, 1e9, true}}};
    }

    Real lower = -1;
    Real upper = 1;

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<2, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<2>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<2>& lambda,
                 TensionDiagonal<2>& G) const noexcept;
};
static_assert(Constraint<SlideLimits>);

struct Rope : ConstraintBase<1> {
    static constexpr SingularPoses kSingular{.meeting_points = true};
    static constexpr int kMeanRows = 1;
    static constexpr bool kMeanIsExact = false;
    static constexpr std::string_view kName = "rope";
    static constexpr std::string_view kSummary =
        "massless rope between a point of each body: pulls when taut, hangs slack otherwise";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    static constexpr RowLaw kLaw = RowLaw::NonNegative;
    static constexpr std::array<RowUnit, 1> kUnits = {kLength};
    static constexpr bool kUsesAxis = false;
    static constexpr bool kStiffnessCouples = true;
    static constexpr bool kTensionCouples = true;
    static constexpr std::array<Field<Rope>, 1> fields()
    {
        return {{{&Rope::length, "length", "m", "of the rope; as at the start if not given", 0, 1e9,
                  false}}};
    }

    Real length = std::numeric_limits<Real>::quiet_NaN();  // ≥ 0 [m]

    void close(const Poses<2>& X, const Memory<0>&) noexcept;
    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<1, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<1>& lambda,
                 StiffnessBlocks<2>& G) const noexcept;
};
static_assert(Constraint<Rope>);

}  // namespace taut::constraints

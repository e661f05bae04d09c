// Body 1 rotates about one axis of body 0; no other relative motion is free.
//
//          n_0                     φ₀₋₂ = d          [m]   points together, world axes
//     ┌──┐ │ ┌──┐                  φ₃ = n_0·u_1      [-]   ⎫ n_1 stays along n_0
//     │0 ├─●─┤ 1│                  φ₄ = n_0·v_1      [-]   ⎭ sines of the two tilts, as rad
//     └──┘ │ └──┘                  λ₀₋₂ force on body 0 [N], λ₃₋₄ torques [N m]
//                                  J, K̃: parts/point.h and parts/dot.h
// The angle, of body 1 against body 0 about n, is kept unwrapped in memory.
// A second zero has n_1 = −n_0, half a turn away; compliant tilts soften towards 90°. Cables, which
// bend far, use bend and twist instead.
#pragma once

#include "constraints/parts/dot.h"
#include "constraints/parts/twist.h"

namespace taut::constraints {

struct Hinge : ConstraintBase<5, 2, 1> {
    static constexpr int kWorldRows = 3;
    static constexpr int kMeanRows = 5;
    static constexpr std::string_view kName = "hinge";
    static constexpr std::string_view kSummary = "turns about axis n; everything else is held";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    static constexpr std::array<RowUnit, 5> kUnits = {kLength, kLength, kLength, kAngle, kAngle};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kDrivable = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<Hinge>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<1>&, Rows<5, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<5>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<5>& lambda,
                 TensionDiagonal<2>& G) const noexcept;
    void remember(const Poses<2>& X, Memory<1>& memory) const noexcept;
};
static_assert(Constraint<Hinge>);

}  // namespace taut::constraints

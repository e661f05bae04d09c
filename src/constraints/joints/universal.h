// Two crossed axes in one point: n of frame 0 turns with body 0, u of frame 1 with body 1.
//
//          │ n_0              φ₀₋₂ = d           [m]  points together, world axes
//     0 ═══┼═══ 1             φ₃ = n_0·u_1       [-]  axes square; cosine as rad
//          └─ u_1             λ₀₋₂ force on body 0 [N], λ₃ torque along n_0×u_1 [N m]
//                             J, K̃: parts/point.h, parts/dot.h
// Loses its fourth row only where both axes are parallel, which is 90° away from holding.
#pragma once

#include "constraints/parts/dot.h"

namespace taut::constraints {

struct Universal : ConstraintBase<4> {
    static constexpr int kWorldRows = 3;
    static constexpr int kMeanRows = 4;
    static constexpr std::string_view kName = "universal";
    static constexpr std::string_view kSummary =
        "turns about n of frame 0 and about u of frame 1, which stay square";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    static constexpr std::array<RowUnit, 4> kUnits = {kLength, kLength, kLength, kAngle};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kCrossedAxes = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<Universal>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<4, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<4>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<4>& lambda,
                 TensionDiagonal<2>& G) const noexcept;
};
static_assert(Constraint<Universal>);

}  // namespace taut::constraints

// Body 1 does not move against body 0: frame 1 stays on frame 0.
//
//     ┌──┐  ┌──┐       φ₀₋₂ = Q_0ᵀ d           [m]    d·u_0, d·v_0, d·n_0
//     │0 ├▓▓┤ 1│       φ₃₋₅ = log(Q_0ᵀ Q_1)    [rad]  rotation vector in frame 0
//     └──┘  └──┘       λ₀₋₂ force on body 0 along u_0, v_0, n_0 [N]; λ₃₋₅ torque on body 1 [N m]
//                      J, K̃: parts/dot.h, parts/rotation_vector.h
// Why these rows: a weld is the joint that is most often made compliant. All six are read in the frame of
// body 0, so a stiffness that differs along and across the joint turns with it and conserves
// angular momentum (world rows of a ball would not). The rotation vector measures the true angle:
// the torque of dot-1 rows saturates at 90° and vanishes at a second zero at 180°. It costs a little more
// than dot rows, and is regular up to half a turn.
#pragma once

#include "constraints/parts/dot.h"
#include "constraints/parts/rotation_vector.h"

namespace taut::constraints {

struct Weld : ConstraintBase<6> {
    static constexpr SingularPoses kSingular{.half_turn = true};
    static constexpr int kMeanRows = 3;
    static constexpr std::string_view kName = "weld";
    static constexpr std::string_view kSummary =
        "holds two frames together; a six-axis spring if compliant";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    static constexpr std::array<RowUnit, 6> kUnits = {kLength, kLength, kLength,
                                                      kAngle,  kAngle,  kAngle};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kKeepsOrientation = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<Weld>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<6, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<6>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<6>& lambda,
                 TensionDiagonal<2>& G) const noexcept;
};
static_assert(Constraint<Weld>);

}  // namespace taut::constraints

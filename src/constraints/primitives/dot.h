// Scalar products as constraints of their own: two axes kept square, and a point kept in a plane.
//
//     dot_1   n_0 ↑ ┐          φ = n_0·u_1     cosine of the angle between n of frame 0 and u of
//               0 ●──→ u_1 1                   frame 1; zero when square. λ torque [N m]
//     dot_2   ───●───  plane   φ = d·u_0 [m]   d = p_0 + s_0 − p_1 − s_1; the point of body 1 in
//                ↓ u_0                         the plane through frame 0 across its u. λ force [N]
// J, K̃: parts/dot.h. dot_1 loses its gradient at φ = ±1, axes parallel; dot_2 is never singular.
#pragma once

#include "constraints/parts/dot.h"

namespace taut::constraints {

struct Dot1 : ConstraintBase<1> {
    static constexpr int kMeanRows = 1;
    static constexpr std::string_view kName = "dot_1";
    static constexpr std::string_view kSummary = "keeps n of frame 0 square to u of frame 1";
    static constexpr JointFamily kFamily = JointFamily::Primitive;
    static constexpr std::array<RowUnit, 1> kUnits = {kAngle};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<Dot1>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<1, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
};
static_assert(Constraint<Dot1>);

struct Dot2 : ConstraintBase<1> {
    static constexpr int kMeanRows = 1;
    static constexpr std::string_view kName = "dot_2";
    static constexpr std::string_view kSummary =
        "keeps a point of body 1 in the plane of frame 0 across its u";
    static constexpr JointFamily kFamily = JointFamily::Primitive;
    static constexpr std::array<RowUnit, 1> kUnits = {kLength};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<Dot2>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<1, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<1>& lambda,
                 TensionDiagonal<2>& G) const noexcept;
};
static_assert(Constraint<Dot2>);

}  // namespace taut::constraints

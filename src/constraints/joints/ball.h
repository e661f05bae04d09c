// A point of body 0 stays on a point of body 1; all rotations free.
//
//     0 o───s_0──●──s_1───o 1      φ = d = p_0 + s_0 − p_1 − s_1   [m], world axes
//                                  λ   force on body 0 [N]
//                                  J = (I, −[s_0]ₓ, −I, [s_1]ₓ)      see parts/point.h
// Never singular. The rows are in world axes: a different compliance per row would be tied to the
// world's axes and not turn with the bodies; take a weld or point_on_line for that.
#pragma once

#include "constraints/parts/point.h"

namespace taut::constraints {

struct Ball : ConstraintBase<3> {
    static constexpr int kWorldRows = 3;
    static constexpr int kMeanRows = 3;
    static constexpr std::string_view kName = "ball";
    static constexpr std::string_view kSummary = "holds two points together; all rotations free";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    static constexpr std::array<RowUnit, 3> kUnits = {kLength, kLength, kLength};
    static constexpr bool kUsesAxis = false;
    static constexpr bool kStiffnessCouples = false;
    static constexpr std::array<Field<Ball>, 0> fields() { return {}; }

    // Inline: the inner loop of chains.
    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<3, 2>& out) const noexcept
    {
        parts::ball_rows(parts::points(X[0], frames[0], X[1], frames[1]), 0, out);
    }

    void geometric_stiffness(const Poses<2>& X, const RowVector<3>& lambda,
                             StiffnessBlocks<2>& K) const noexcept
    {
        parts::ball_stiffness(parts::points(X[0], frames[0], X[1], frames[1]), lambda, K);
    }

    void tension(const Poses<2>& X, const RowVector<3>& lambda,
                 TensionDiagonal<2>& G) const noexcept
    {
        parts::ball_tension(parts::points(X[0], frames[0], X[1], frames[1]), lambda, G[0], G[1]);
    }
};
static_assert(Constraint<Ball>);

}  // namespace taut::constraints

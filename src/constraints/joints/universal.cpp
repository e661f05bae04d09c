#include "constraints/joints/universal.h"

namespace taut::constraints {

void Universal::evaluate(const Poses<2>& X, const Memory<0>&, Rows<4, 2>& out) const noexcept
{
    parts::ball_rows(parts::points(X[0], frames[0], X[1], frames[1]), 0, out);
    parts::dot_1_row(parts::axis(X[0], frames[0], 2), parts::axis(X[1], frames[1], 0), 3, out);
}

void Universal::geometric_stiffness(const Poses<2>& X, const RowVector<4>& lambda,
                                    StiffnessBlocks<2>& K) const noexcept
{
    parts::ball_stiffness(parts::points(X[0], frames[0], X[1], frames[1]), lambda.head<3>(), K);
    parts::dot_1_stiffness(parts::axis(X[0], frames[0], 2), parts::axis(X[1], frames[1], 0),
                           lambda[3], K);
}

void Universal::tension(const Poses<2>& X, const RowVector<4>& lambda,
                        TensionDiagonal<2>& G) const noexcept
{
    parts::ball_tension(parts::points(X[0], frames[0], X[1], frames[1]), lambda.head<3>(), G[0],
                        G[1]);
}

}  // namespace taut::constraints

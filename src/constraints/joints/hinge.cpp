#include "constraints/joints/hinge.h"

namespace taut::constraints {

void Hinge::evaluate(const Poses<2>& X, const Memory<1>&, Rows<5, 2>& out) const noexcept
{
    const Vec3 n_0 = parts::axis(X[0], frames[0], 2);
    parts::ball_rows(parts::points(X[0], frames[0], X[1], frames[1]), 0, out);
    parts::dot_1_row(n_0, parts::axis(X[1], frames[1], 0), 3, out);
    parts::dot_1_row(n_0, parts::axis(X[1], frames[1], 1), 4, out);
}

void Hinge::geometric_stiffness(const Poses<2>& X, const RowVector<5>& lambda,
                                StiffnessBlocks<2>& K) const noexcept
{
    // λ₃ u + λ₄ v is one axis of body 1: both dot rows at once
    const Vec3 n_0 = parts::axis(X[0], frames[0], 2);
    const Vec3 w_1 = X[1].R * (lambda[3] * frames[1].R.col(0) + lambda[4] * frames[1].R.col(1));
    parts::ball_stiffness(parts::points(X[0], frames[0], X[1], frames[1]), lambda.head<3>(), K);
    parts::dot_1_stiffness(n_0, w_1, 1, K);
}

void Hinge::tension(const Poses<2>& X, const RowVector<5>& lambda,
                    TensionDiagonal<2>& G) const noexcept
{
    parts::ball_tension(parts::points(X[0], frames[0], X[1], frames[1]), lambda.head<3>(), G[0],
                        G[1]);
}

void Hinge::remember(const Poses<2>& X, Memory<1>& memory) const noexcept
{
    memory[0] = parts::twist_angle(X[0], frames[0], X[1], frames[1], memory[0]);
}

}  // namespace taut::constraints

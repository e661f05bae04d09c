#include "constraints/joints/weld.h"

namespace taut::constraints {

void Weld::evaluate(const Poses<2>& X, const Memory<0>&, Rows<6, 2>& out) const noexcept
{
    const Mat3 Q_0 = parts::axes(X[0], frames[0]);
    const parts::Points at = parts::points(X[0], frames[0], X[1], frames[1]);
    for (int k = 0; k < 3; ++k) parts::dot_2_row(at, Q_0.col(k), k, out);
    parts::rotation_vector_rows(Q_0, parts::axes(X[1], frames[1]), 3, out);
}

void Weld::geometric_stiffness(const Poses<2>& X, const RowVector<6>& lambda,
                               StiffnessBlocks<2>& K) const noexcept
{
    const Mat3 Q_0 = parts::axes(X[0], frames[0]);
    parts::dot_2_stiffness(parts::points(X[0], frames[0], X[1], frames[1]), Q_0 * lambda.head<3>(),
                           K);
    parts::rotation_vector_stiffness(Q_0, parts::axes(X[1], frames[1]), lambda.tail<3>(), K);
}

void Weld::tension(const Poses<2>& X, const RowVector<6>& lambda,
                   TensionDiagonal<2>& G) const noexcept
{
    const Vec3 f = parts::axes(X[0], frames[0]) * lambda.head<3>();
    parts::dot_2_tension(parts::points(X[0], frames[0], X[1], frames[1]), f, G[0], G[1]);
}

}  // namespace taut::constraints

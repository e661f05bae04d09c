#include "constraints/primitives/dot.h"

namespace taut::constraints {

void Dot1::evaluate(const Poses<2>& X, const Memory<0>&, Rows<1, 2>& out) const noexcept
{
    parts::dot_1_row(parts::axis(X[0], frames[0], 2), parts::axis(X[1], frames[1], 0), 0, out);
}

void Dot1::geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                               StiffnessBlocks<2>& K) const noexcept
{
    parts::dot_1_stiffness(parts::axis(X[0], frames[0], 2), parts::axis(X[1], frames[1], 0),
                           lambda[0], K);
}

void Dot2::evaluate(const Poses<2>& X, const Memory<0>&, Rows<1, 2>& out) const noexcept
{
    const parts::Points at = parts::points(X[0], frames[0], X[1], frames[1]);
    parts::dot_2_row(at, parts::axis(X[0], frames[0], 0), 0, out);
}

void Dot2::geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                               StiffnessBlocks<2>& K) const noexcept
{
    const parts::Points at = parts::points(X[0], frames[0], X[1], frames[1]);
    parts::dot_2_stiffness(at, lambda[0] * parts::axis(X[0], frames[0], 0), K);
}

void Dot2::tension(const Poses<2>& X, const RowVector<1>& lambda,
                   TensionDiagonal<2>& G) const noexcept
{
    const parts::Points at = parts::points(X[0], frames[0], X[1], frames[1]);
    parts::dot_2_tension(at, lambda[0] * parts::axis(X[0], frames[0], 0), G[0], G[1]);
}

}  // namespace taut::constraints

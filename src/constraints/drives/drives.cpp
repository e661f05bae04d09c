#include "constraints/drives/drives.h"

namespace taut::constraints {

using parts::axis;

void AngleDrive::evaluate(const Poses<2>& X, const Memory<1>& memory,
                          Rows<1, 2>& out) const noexcept
{
    out.phi[0] = parts::twist_angle(X[0], frames[0], X[1], frames[1], memory[0]);
    parts::twist_jacobian(axis(X[0], frames[0], 2), axis(X[1], frames[1], 2), 0, out);
}

void AngleDrive::geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                                     StiffnessBlocks<2>& K) const noexcept
{
    parts::twist_stiffness(axis(X[0], frames[0], 2), axis(X[1], frames[1], 2), lambda[0], K);
}

void AngleDrive::remember(const Poses<2>& X, Memory<1>& memory) const noexcept
{
    memory[0] = parts::twist_angle(X[0], frames[0], X[1], frames[1], memory[0]);
}

void SlideDrive::evaluate(const Poses<2>& X, const Memory<0>&, Rows<1, 2>& out) const noexcept
{
    parts::dot_2_row(parts::points(X[0], frames[0], X[1], frames[1]), -axis(X[0], frames[0], 2), 0,
                     out);
}

void SlideDrive::geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                                     StiffnessBlocks<2>& K) const noexcept
{
    const Vec3 f = -lambda[0] * axis(X[0], frames[0], 2);
    parts::dot_2_stiffness(parts::points(X[0], frames[0], X[1], frames[1]), f, K);
}

void SlideDrive::tension(const Poses<2>& X, const RowVector<1>& lambda,
                         TensionDiagonal<2>& G) const noexcept
{
    const Vec3 f = -lambda[0] * axis(X[0], frames[0], 2);
    parts::dot_2_tension(parts::points(X[0], frames[0], X[1], frames[1]), f, G[0], G[1]);
}

}  // namespace taut::constraints

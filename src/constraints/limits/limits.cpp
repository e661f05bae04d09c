#include "constraints/limits/limits.h"

#include <algorithm>
#include <cmath>

namespace taut::constraints {
namespace {

using parts::axis;

constexpr Real kFar = 1e4;  // [rad] or [m]; far more than a body moves in one step

// φ of both rows, and J of row 1: the same coordinate with the opposite sign.
void put_bounds(Real coordinate, Real lower, Real upper, Rows<2, 2>& out) noexcept
{
    out.phi[0] = std::min(coordinate - lower, kFar);
    out.phi[1] = std::min(upper - coordinate, kFar);
    for (auto& J : out.J) J.row(1) = -J.row(0);
}

parts::Points ends(const std::array<BodyFrame, 2>& frames, const Poses<2>& X) noexcept
{
    return parts::points(X[0], frames[0], X[1], frames[1]);
}

}  // namespace

void AngleLimits::evaluate(const Poses<2>& X, const Memory<1>& memory,
                           Rows<2, 2>& out) const noexcept
{
    parts::twist_jacobian(axis(X[0], frames[0], 2), axis(X[1], frames[1], 2), 0, out);
    put_bounds(parts::twist_angle(X[0], frames[0], X[1], frames[1], memory[0]), lower, upper, out);
}

void AngleLimits::geometric_stiffness(const Poses<2>& X, const RowVector<2>& lambda,
                                      StiffnessBlocks<2>& K) const noexcept
{
    parts::twist_stiffness(axis(X[0], frames[0], 2), axis(X[1], frames[1], 2),
                           lambda[0] - lambda[1], K);
}

void AngleLimits::remember(const Poses<2>& X, Memory<1>& memory) const noexcept
{
    memory[0] = parts::twist_angle(X[0], frames[0], X[1], frames[1], memory[0]);
}

void SlideLimits::evaluate(const Poses<2>& X, const Memory<0>&, Rows<2, 2>& out) const noexcept
{
    parts::dot_2_row(ends(frames, X), -axis(X[0], frames[0], 2), 0, out);
    put_bounds(out.phi[0], lower, upper, out);
}

void SlideLimits::geometric_stiffness(const Poses<2>& X, const RowVector<2>& lambda,
                                      StiffnessBlocks<2>& K) const noexcept
{
    const Vec3 f = (lambda[1] - lambda[0]) * axis(X[0], frames[0], 2);
    parts::dot_2_stiffness(ends(frames, X), f, K);
}

void SlideLimits::tension(const Poses<2>& X, const RowVector<2>& lambda,
                          TensionDiagonal<2>& G) const noexcept
{
    const Vec3 f = (lambda[1] - lambda[0]) * axis(X[0], frames[0], 2);
    parts::dot_2_tension(ends(frames, X), f, G[0], G[1]);
}

void Rope::close(const Poses<2>& X, const Memory<0>&) noexcept
{
    if (std::isnan(length)) length = ends(frames, X).d.norm();
}

void Rope::evaluate(const Poses<2>& X, const Memory<0>&, Rows<1, 2>& out) const noexcept
{
    parts::distance_row(ends(frames, X), length, 0, out);
    out.phi = -out.phi;
    for (auto& J : out.J) J = -J;
}

void Rope::geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                               StiffnessBlocks<2>& K) const noexcept
{
    parts::distance_stiffness(ends(frames, X), -lambda[0], K);
}

void Rope::tension(const Poses<2>& X, const RowVector<1>& lambda,
                   StiffnessBlocks<2>& G) const noexcept
{
    parts::distance_tension(ends(frames, X), -lambda[0], G);
}

}  // namespace taut::constraints

#include "constraints/joints/transmission.h"

namespace taut::constraints {

namespace {

using parts::axes;
using parts::axis;
using parts::Pair;
using parts::Points;

constexpr Pair kFirst{0, 1};   // carrier and first body
constexpr Pair kSecond{0, 2};  // carrier and second body

}  // namespace

// --- screw ---

void Screw::close(const Poses<2>& X, const Memory<1>& memory) noexcept
{
    constant = 0;
    Rows<5, 2> rows;
    evaluate(X, memory, rows);
    constant = rows.phi[4];
}

void Screw::evaluate(const Poses<2>& X, const Memory<1>& memory, Rows<5, 2>& out) const noexcept
{
    const Real per_radian = pitch / (2 * std::numbers::pi_v<Real>);
    const Mat3 Q_0 = axes(X[0], frames[0]), Q_1 = axes(X[1], frames[1]);
    const Points at = parts::points(X[0], frames[0], X[1], frames[1]);
    parts::dot_1_row(Q_0.col(2), Q_1.col(0), 0, out);
    parts::dot_1_row(Q_0.col(2), Q_1.col(1), 1, out);
    for (int k = 0; k < 3; ++k) parts::dot_2_row(at, Q_0.col(k), 2 + k, out);
    out.phi[4] += per_radian * unwrap(parts::twist_angle(Q_0, Q_1), memory[0]) - constant;
    parts::add_twist_jacobian(Q_0.col(2), Q_1.col(2), per_radian, 4, out);
}

void Screw::geometric_stiffness(const Poses<2>& X, const RowVector<5>& lambda,
                                StiffnessBlocks<2>& K) const noexcept
{
    const Real per_radian = pitch / (2 * std::numbers::pi_v<Real>);
    const Mat3 Q_0 = axes(X[0], frames[0]), Q_1 = axes(X[1], frames[1]);
    parts::dot_1_stiffness(Q_0.col(2), Q_1.leftCols<2>() * lambda.head<2>(), 1, K);
    parts::dot_2_stiffness(parts::points(X[0], frames[0], X[1], frames[1]), Q_0 * lambda.tail<3>(),
                           K);
    parts::twist_stiffness(Q_0.col(2), Q_1.col(2), per_radian * lambda[4], K);
}

void Screw::tension(const Poses<2>& X, const RowVector<5>& lambda,
                    TensionDiagonal<2>& G) const noexcept
{
    const Vec3 f = axes(X[0], frames[0]) * lambda.tail<3>();
    parts::dot_2_tension(parts::points(X[0], frames[0], X[1], frames[1]), f, G[0], G[1]);
}

void Screw::remember(const Poses<2>& X, Memory<1>& memory) const noexcept
{
    memory[0] = parts::twist_angle(X[0], frames[0], X[1], frames[1], memory[0]);
}

// --- gear ---

void Gear::close(const Poses<3>& X, const Memory<2>& memory) noexcept
{
    constant = 0;
    Rows<1, 3> rows;
    evaluate(X, memory, rows);
    constant = rows.phi[0];
}

void Gear::evaluate(const Poses<3>& X, const Memory<2>& memory, Rows<1, 3>& out) const noexcept
{
    const Mat3 Q_01 = axes(X[0], frames[0]), Q_1 = axes(X[1], frames[1]);
    const Mat3 Q_02 = axes(X[0], frames[2]), Q_2 = axes(X[2], frames[3]);
    out.phi[0] = radius_1 * unwrap(parts::twist_angle(Q_01, Q_1), memory[0]) +
                 radius_2 * unwrap(parts::twist_angle(Q_02, Q_2), memory[1]) - constant;
    for (auto& J : out.J) J.setZero();
    parts::add_twist_jacobian(Q_01.col(2), Q_1.col(2), radius_1, 0, out, kFirst);
    parts::add_twist_jacobian(Q_02.col(2), Q_2.col(2), radius_2, 0, out, kSecond);
}

void Gear::geometric_stiffness(const Poses<3>& X, const RowVector<1>& lambda,
                               StiffnessBlocks<3>& K) const noexcept
{
    parts::twist_stiffness(axis(X[0], frames[0], 2), axis(X[1], frames[1], 2), radius_1 * lambda[0],
                           K, kFirst);
    parts::twist_stiffness(axis(X[0], frames[2], 2), axis(X[2], frames[3], 2), radius_2 * lambda[0],
                           K, kSecond);
}

void Gear::remember(const Poses<3>& X, Memory<2>& memory) const noexcept
{
    memory[0] = parts::twist_angle(X[0], frames[0], X[1], frames[1], memory[0]);
    memory[1] = parts::twist_angle(X[0], frames[2], X[2], frames[3], memory[1]);
}

// --- rack and pinion ---

void RackAndPinion::close(const Poses<3>& X, const Memory<1>& memory) noexcept
{
    constant = 0;
    Rows<1, 3> rows;
    evaluate(X, memory, rows);
    constant = rows.phi[0];
}

void RackAndPinion::evaluate(const Poses<3>& X, const Memory<1>& memory,
                             Rows<1, 3>& out) const noexcept
{
    const Mat3 Q_0 = axes(X[0], frames[0]), Q_1 = axes(X[1], frames[1]);
    const Points at = parts::points(X[0], frames[2], X[2], frames[3]);
    parts::dot_2_row(at, axis(X[0], frames[2], 2), 0, out, kSecond);
    out.J[1].setZero();
    out.phi[0] += radius * unwrap(parts::twist_angle(Q_0, Q_1), memory[0]) - constant;
    parts::add_twist_jacobian(Q_0.col(2), Q_1.col(2), radius, 0, out, kFirst);
}

void RackAndPinion::geometric_stiffness(const Poses<3>& X, const RowVector<1>& lambda,
                                        StiffnessBlocks<3>& K) const noexcept
{
    const Points at = parts::points(X[0], frames[2], X[2], frames[3]);
    parts::dot_2_stiffness(at, lambda[0] * axis(X[0], frames[2], 2), K, kSecond);
    parts::twist_stiffness(axis(X[0], frames[0], 2), axis(X[1], frames[1], 2), radius * lambda[0],
                           K, kFirst);
}

void RackAndPinion::tension(const Poses<3>& X, const RowVector<1>& lambda,
                            TensionDiagonal<3>& G) const noexcept
{
    const Points at = parts::points(X[0], frames[2], X[2], frames[3]);
    parts::dot_2_tension(at, lambda[0] * axis(X[0], frames[2], 2), G[0], G[2]);
}

void RackAndPinion::remember(const Poses<3>& X, Memory<1>& memory) const noexcept
{
    memory[0] = parts::twist_angle(X[0], frames[0], X[1], frames[1], memory[0]);
}

}  // namespace taut::constraints

#include "constraints/joints/sliding.h"

namespace taut::constraints {

namespace {

using parts::Points;

Points points_of(const Poses<2>& X, const std::array<BodyFrame, 2>& frames) noexcept
{
    return parts::points(X[0], frames[0], X[1], frames[1]);
}

// Rows 0, 1: n_1 along n_0.
template <int kRows>
void tilt_rows(const Vec3& n_0, const BodyPose& X_1, const BodyFrame& F_1,
               Rows<kRows, 2>& out) noexcept
{
    parts::dot_1_row(n_0, parts::axis(X_1, F_1, 0), 0, out);
    parts::dot_1_row(n_0, parts::axis(X_1, F_1, 1), 1, out);
}

// Both at once: λ₀u + λ₁v is one axis of body 1.
void tilt_stiffness(const Vec3& n_0, const BodyPose& X_1, const BodyFrame& F_1, Real lambda_u,
                    Real lambda_v, StiffnessBlocks<2>& K) noexcept
{
    parts::dot_1_stiffness(n_0, X_1.R * (lambda_u * F_1.R.col(0) + lambda_v * F_1.R.col(1)), 1, K);
}

// The force of rows d·u_0, d·v_0.
Vec3 force_across(const BodyPose& X_0, const BodyFrame& F_0, Real lambda_u, Real lambda_v) noexcept
{
    return X_0.R * (lambda_u * F_0.R.col(0) + lambda_v * F_0.R.col(1));
}

}  // namespace

// --- prismatic ---

void Prismatic::evaluate(const Poses<2>& X, const Memory<0>&, Rows<5, 2>& out) const noexcept
{
    const Mat3 Q_0 = parts::axes(X[0], frames[0]);
    const Points at = points_of(X, frames);
    tilt_rows(Q_0.col(2), X[1], frames[1], out);
    parts::dot_1_row(Q_0.col(0), parts::axis(X[1], frames[1], 1), 2, out);
    parts::dot_2_row(at, Q_0.col(0), 3, out);
    parts::dot_2_row(at, Q_0.col(1), 4, out);
}

void Prismatic::geometric_stiffness(const Poses<2>& X, const RowVector<5>& lambda,
                                    StiffnessBlocks<2>& K) const noexcept
{
    tilt_stiffness(parts::axis(X[0], frames[0], 2), X[1], frames[1], lambda[0], lambda[1], K);
    parts::dot_1_stiffness(parts::axis(X[0], frames[0], 0), parts::axis(X[1], frames[1], 1),
                           lambda[2], K);
    parts::dot_2_stiffness(points_of(X, frames),
                           force_across(X[0], frames[0], lambda[3], lambda[4]), K);
}

void Prismatic::tension(const Poses<2>& X, const RowVector<5>& lambda,
                        TensionDiagonal<2>& G) const noexcept
{
    parts::dot_2_tension(points_of(X, frames), force_across(X[0], frames[0], lambda[3], lambda[4]),
                         G[0], G[1]);
}

// --- cylindrical ---

void Cylindrical::evaluate(const Poses<2>& X, const Memory<1>&, Rows<4, 2>& out) const noexcept
{
    const Mat3 Q_0 = parts::axes(X[0], frames[0]);
    const Points at = points_of(X, frames);
    tilt_rows(Q_0.col(2), X[1], frames[1], out);
    parts::dot_2_row(at, Q_0.col(0), 2, out);
    parts::dot_2_row(at, Q_0.col(1), 3, out);
}

void Cylindrical::geometric_stiffness(const Poses<2>& X, const RowVector<4>& lambda,
                                      StiffnessBlocks<2>& K) const noexcept
{
    tilt_stiffness(parts::axis(X[0], frames[0], 2), X[1], frames[1], lambda[0], lambda[1], K);
    parts::dot_2_stiffness(points_of(X, frames),
                           force_across(X[0], frames[0], lambda[2], lambda[3]), K);
}

void Cylindrical::tension(const Poses<2>& X, const RowVector<4>& lambda,
                          TensionDiagonal<2>& G) const noexcept
{
    parts::dot_2_tension(points_of(X, frames), force_across(X[0], frames[0], lambda[2], lambda[3]),
                         G[0], G[1]);
}

void Cylindrical::remember(const Poses<2>& X, Memory<1>& memory) const noexcept
{
    memory[0] = parts::twist_angle(X[0], frames[0], X[1], frames[1], memory[0]);
}

// --- planar ---

void Planar::evaluate(const Poses<2>& X, const Memory<1>&, Rows<3, 2>& out) const noexcept
{
    const Vec3 n_0 = parts::axis(X[0], frames[0], 2);
    tilt_rows(n_0, X[1], frames[1], out);
    parts::dot_2_row(points_of(X, frames), n_0, 2, out);
}

void Planar::geometric_stiffness(const Poses<2>& X, const RowVector<3>& lambda,
                                 StiffnessBlocks<2>& K) const noexcept
{
    const Vec3 n_0 = parts::axis(X[0], frames[0], 2);
    tilt_stiffness(n_0, X[1], frames[1], lambda[0], lambda[1], K);
    parts::dot_2_stiffness(points_of(X, frames), lambda[2] * n_0, K);
}

void Planar::tension(const Poses<2>& X, const RowVector<3>& lambda,
                     TensionDiagonal<2>& G) const noexcept
{
    parts::dot_2_tension(points_of(X, frames), lambda[2] * parts::axis(X[0], frames[0], 2), G[0],
                         G[1]);
}

void Planar::remember(const Poses<2>& X, Memory<1>& memory) const noexcept
{
    memory[0] = parts::twist_angle(X[0], frames[0], X[1], frames[1], memory[0]);
}

// --- point on line, point on plane ---

void PointOnLine::evaluate(const Poses<2>& X, const Memory<0>&, Rows<2, 2>& out) const noexcept
{
    const Points at = points_of(X, frames);
    parts::dot_2_row(at, parts::axis(X[0], frames[0], 0), 0, out);
    parts::dot_2_row(at, parts::axis(X[0], frames[0], 1), 1, out);
}

void PointOnLine::geometric_stiffness(const Poses<2>& X, const RowVector<2>& lambda,
                                      StiffnessBlocks<2>& K) const noexcept
{
    parts::dot_2_stiffness(points_of(X, frames),
                           force_across(X[0], frames[0], lambda[0], lambda[1]), K);
}

void PointOnLine::tension(const Poses<2>& X, const RowVector<2>& lambda,
                          TensionDiagonal<2>& G) const noexcept
{
    parts::dot_2_tension(points_of(X, frames), force_across(X[0], frames[0], lambda[0], lambda[1]),
                         G[0], G[1]);
}

void PointOnPlane::evaluate(const Poses<2>& X, const Memory<0>&, Rows<1, 2>& out) const noexcept
{
    parts::dot_2_row(points_of(X, frames), parts::axis(X[0], frames[0], 2), 0, out);
}

void PointOnPlane::geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                                       StiffnessBlocks<2>& K) const noexcept
{
    parts::dot_2_stiffness(points_of(X, frames), lambda[0] * parts::axis(X[0], frames[0], 2), K);
}

void PointOnPlane::tension(const Poses<2>& X, const RowVector<1>& lambda,
                           TensionDiagonal<2>& G) const noexcept
{
    parts::dot_2_tension(points_of(X, frames), lambda[0] * parts::axis(X[0], frames[0], 2), G[0],
                         G[1]);
}

}  // namespace taut::constraints

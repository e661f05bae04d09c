// S = what a stabilisation keeps of −K̃ for one constraint; M̃ = M + h²S.
//
//   none       0
//   exact      −K̃                     unsymmetric: needs an LU solver
//   symmetric  −sym K̃                 drops −½[τ]ₓ, which does no work
//   projected  (−sym K̃)₊              its positive part, by eigenvalues
//   tension    Σ max(0, f·ŝ)|s| (1−ŝŝᵀ)  positive by construction, leaves the spin of slender bodies alone
// The others use the assembled K̃ of all joints (assembly/damping.h):
//   diagonal                                            S = K_d, the column norms
//   inertial_damping, rotational_damping, block_damping  S = 0, M̃ = M + hB
//   constraint_damping, constraint_damping_printed       S = 0, rows with a damping of their own
// The switches below have no default: a new stabilisation does not compile before it has an answer in each of them. The compiler
// names two of them in this file, and those in templates where src/assembly uses them.
#pragma once

#include <taut/catalogue.h>

#include "constraints/constraint.h"

namespace taut::stabilisation {

// A ← positive semidefinite part of the symmetric part of A; n×n row-major, n ≤ 18.
void project_to_positive(Real* A, int n) noexcept;

// Whether it uses the assembled K̃ instead of taking S from each constraint.
constexpr bool judges_assembled(Stabilisation kind) noexcept
{
    switch (kind) {
        case Stabilisation::None:
        case Stabilisation::Exact:
        case Stabilisation::Symmetric:
        case Stabilisation::Projected:
        case Stabilisation::Tension: return false;
        case Stabilisation::Diagonal:
        case Stabilisation::InertialDamping:
        case Stabilisation::RotationalDamping:
        case Stabilisation::ConstraintDamping:
        case Stabilisation::ConstraintDampingPrinted:
        case Stabilisation::BlockDamping: return true;
    }
    return false;
}

// What becomes of the K̃ of springs, which are forces of their own: they keep it with `none` too.
constexpr Stabilisation stabilisation_of_springs(Stabilisation kind) noexcept
{
    switch (kind) {
        case Stabilisation::None:
        case Stabilisation::Symmetric: return Stabilisation::Symmetric;
        case Stabilisation::Exact: return Stabilisation::Exact;
        case Stabilisation::Tension: return Stabilisation::Tension;
        case Stabilisation::Projected:
        case Stabilisation::Diagonal:
        case Stabilisation::InertialDamping:
        case Stabilisation::RotationalDamping:
        case Stabilisation::ConstraintDamping:
        case Stabilisation::ConstraintDampingPrinted:
        case Stabilisation::BlockDamping: return Stabilisation::Projected;
    }
    return Stabilisation::Symmetric;
}

// Whether it gives joint rows a damping of their own.
constexpr bool damps_rows(Stabilisation kind) noexcept
{
    return kind == Stabilisation::ConstraintDamping ||
           kind == Stabilisation::ConstraintDampingPrinted;
}

// Whether S of a type has blocks between different bodies.
template <class T>
constexpr bool couples_bodies(Stabilisation kind) noexcept
{
    switch (kind) {
        case Stabilisation::Tension: return T::kTensionCouples;
        case Stabilisation::Exact:
        case Stabilisation::Symmetric:
        case Stabilisation::Projected: return T::kStiffnessCouples;
        case Stabilisation::None:
        case Stabilisation::Diagonal:
        case Stabilisation::InertialDamping:
        case Stabilisation::RotationalDamping:
        case Stabilisation::ConstraintDamping:
        case Stabilisation::ConstraintDampingPrinted:
        case Stabilisation::BlockDamping: return false;
    }
    return false;
}

// --- S of one constraint: each of these writes every block ---

template <class T>
void tension_form(const T& constraint, const Poses<T::kBodies>& X,
                  const RowVector<T::kRows>& lambda, StiffnessBlocks<T::kBodies>& S) noexcept
{
    constexpr int n = T::kBodies;
    S.set_zero();
    if constexpr (T::kTensionCouples) {
        constraint.tension(X, lambda, S);
    } else {
        TensionDiagonal<n> G;
        for (Mat3& g : G) g.setZero();
        constraint.tension(X, lambda, G);
        for (int b = 0; b < n; ++b) S.block[b][b].template bottomRightCorner<3, 3>() = G[b];
    }
}

template <class T>
void exact_form(const T& constraint, const Poses<T::kBodies>& X, const RowVector<T::kRows>& lambda,
                StiffnessBlocks<T::kBodies>& S) noexcept
{
    S.set_zero();
    constraint.geometric_stiffness(X, lambda, S);
    for (auto& row : S.block)
        for (Mat6& block : row) block = -block;
}

template <class T>
void symmetric_form(const T& constraint, const Poses<T::kBodies>& X,
                    const RowVector<T::kRows>& lambda, StiffnessBlocks<T::kBodies>& S) noexcept
{
    constexpr int n = T::kBodies;
    exact_form(constraint, X, lambda, S);
    for (int b = 0; b < n; ++b) {
        S.block[b][b] = (S.block[b][b] + S.block[b][b].transpose()).eval() / 2;
        for (int c = b + 1; c < n; ++c) {
            S.block[b][c] = (S.block[b][c] + S.block[c][b].transpose()).eval() / 2;
            S.block[c][b] = S.block[b][c].transpose();
        }
    }
}

template <class T>
void projected_form(const T& constraint, const Poses<T::kBodies>& X,
                    const RowVector<T::kRows>& lambda, StiffnessBlocks<T::kBodies>& S) noexcept
{
    constexpr int n = T::kBodies;
    symmetric_form(constraint, X, lambda, S);
    Eigen::Matrix<Real, 6 * n, 6 * n, Eigen::RowMajor> A;
    for (int b = 0; b < n; ++b)
        for (int c = 0; c < n; ++c) A.template block<6, 6>(6 * b, 6 * c) = S.block[b][c];
    project_to_positive(A.data(), 6 * n);
    for (int b = 0; b < n; ++b)
        for (int c = 0; c < n; ++c) S.block[b][c] = A.template block<6, 6>(6 * b, 6 * c);
}

// S by name. Zero for those that take nothing from a single constraint.
template <class T>
void stabilised_stiffness(Stabilisation kind, const T& constraint, const Poses<T::kBodies>& X,
                          const RowVector<T::kRows>& lambda,
                          StiffnessBlocks<T::kBodies>& S) noexcept
{
    switch (kind) {
        case Stabilisation::Exact: return exact_form(constraint, X, lambda, S);
        case Stabilisation::Symmetric: return symmetric_form(constraint, X, lambda, S);
        case Stabilisation::Projected: return projected_form(constraint, X, lambda, S);
        case Stabilisation::Tension: return tension_form(constraint, X, lambda, S);
        case Stabilisation::None:
        case Stabilisation::Diagonal:
        case Stabilisation::InertialDamping:
        case Stabilisation::RotationalDamping:
        case Stabilisation::ConstraintDamping:
        case Stabilisation::ConstraintDampingPrinted:
        case Stabilisation::BlockDamping: break;
    }
    S.set_zero();
}

}  // namespace taut::stabilisation

// Derivatives of constraints by extrapolated central differences, to hold the written ones against.
//
// Poses are moved as the engine moves them: p ← p + δp, R ← exp([δθ]ₓ) R. Three steps h, h/2, h/4 are
// extrapolated (Richardson), which leaves a truncation error of order h⁶; with h = 0.02 and functions
// of size and scale one, that and round-off are both near 1e-12.
#pragma once

#include <ostream>
#include <string>

#include <Eigen/Dense>

#include "constraints/constraint.h"
#include "math/so3.h"

namespace taut::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// All bodies moved by the increments of w = (δp_0, δθ_0, δp_1, δθ_1, …).
template <std::size_t kBodies>
std::array<BodyPose, kBodies> moved(const std::array<BodyPose, kBodies>& X, const VectorXd& w)
{
    std::array<BodyPose, kBodies> Y = X;
    for (int b = 0; b < int(kBodies); ++b) {
        Y[b].p += w.segment<3>(6 * b);
        Y[b].R = exp_so3(w.segment<3>(6 * b + 3)) * X[b].R;
    }
    return Y;
}

// f′(0) of a vector-valued f.
template <class F>
VectorXd first_derivative(const F& f, Real h)
{
    const auto central = [&](Real step) { return VectorXd((f(step) - f(-step)) / (2 * step)); };
    const VectorXd d_1 = central(h), d_2 = central(h / 2), d_4 = central(h / 4);
    const VectorXd e_1 = (4 * d_2 - d_1) / 3, e_2 = (4 * d_4 - d_2) / 3;
    return (16 * e_2 - e_1) / 15;
}

// f″(0) of a scalar f. A fourth step, because second differences need long ones.
template <class F>
Real second_derivative(const F& f, Real h)
{
    const Real f_0 = f(0);
    std::array<Real, 4> d;
    for (int k = 0; k < 4; ++k, h /= 2) d[k] = (f(h) - 2 * f_0 + f(-h)) / (h * h);
    for (int level = 1; level < 4; ++level) {
        const Real weight = std::pow(Real(4), level);
        for (int k = 3; k >= level; --k) d[k] = (weight * d[k] - d[k - 1]) / (weight - 1);
    }
    return d[3];
}

template <class T>
Rows<T::kRows, T::kBodies> rows_of(const T& c, const Poses<T::kBodies>& X,
                                   const Memory<T::kMemory>& memory)
{
    // whatever evaluate() forgets to write shows
    Rows<T::kRows, T::kBodies> rows;
    rows.phi.setConstant(std::numeric_limits<Real>::quiet_NaN());
    for (auto& J : rows.J) J.setConstant(std::numeric_limits<Real>::quiet_NaN());
    c.evaluate(X, memory, rows);
    return rows;
}

template <class T>
VectorXd phi_of(const T& c, const Poses<T::kBodies>& X, const Memory<T::kMemory>& memory)
{
    return rows_of(c, X, memory).phi;
}

// kRows × 6 kBodies.
template <class T>
MatrixXd jacobian_of(const T& c, const Poses<T::kBodies>& X, const Memory<T::kMemory>& memory)
{
    const auto rows = rows_of(c, X, memory);
    MatrixXd J(T::kRows, 6 * T::kBodies);
    for (int b = 0; b < T::kBodies; ++b) J.middleCols(6 * b, 6) = rows.J[b];
    return J;
}

template <int kBodies>
MatrixXd full(const StiffnessBlocks<kBodies>& K)
{
    MatrixXd matrix(6 * kBodies, 6 * kBodies);
    for (int b = 0; b < kBodies; ++b)
        for (int c = 0; c < kBodies; ++c) matrix.block(6 * b, 6 * c, 6, 6) = K.block[b][c];
    return matrix;
}

template <class T>
MatrixXd stiffness_of(const T& c, const Poses<T::kBodies>& X, const RowVector<T::kRows>& lambda)
{
    StiffnessBlocks<T::kBodies> K;
    K.set_zero();
    c.geometric_stiffness(X, lambda, K);
    return full(K);
}

template <class T>
MatrixXd tension_of(const T& c, const Poses<T::kBodies>& X, const RowVector<T::kRows>& lambda)
{
    if constexpr (T::kTensionCouples) {
        StiffnessBlocks<T::kBodies> G;
        G.set_zero();
        c.tension(X, lambda, G);
        return full(G);
    } else {
        TensionDiagonal<T::kBodies> G;
        G.fill(Mat3::Zero());
        c.tension(X, lambda, G);
        MatrixXd matrix = MatrixXd::Zero(6 * T::kBodies, 6 * T::kBodies);
        for (int b = 0; b < T::kBodies; ++b) matrix.block<3, 3>(6 * b + 3, 6 * b + 3) = G[b];
        return matrix;
    }
}

// ∂φ/∂x by differences.
template <class T>
MatrixXd jacobian_difference(const T& c, const Poses<T::kBodies>& X,
                             const Memory<T::kMemory>& memory, Real h)
{
    MatrixXd J(T::kRows, 6 * T::kBodies);
    for (int k = 0; k < J.cols(); ++k) {
        const VectorXd e = VectorXd::Unit(J.cols(), k);
        J.col(k) = first_derivative([&](Real t) { return phi_of(c, moved(X, t * e), memory); }, h);
    }
    return J;
}

// ∂(Jᵀλ)/∂x by differences.
template <class T>
MatrixXd stiffness_difference(const T& c, const Poses<T::kBodies>& X,
                              const Memory<T::kMemory>& memory, const RowVector<T::kRows>& lambda,
                              Real h)
{
    constexpr int n = 6 * T::kBodies;
    MatrixXd K(n, n);
    for (int k = 0; k < n; ++k) {
        const VectorXd e = VectorXd::Unit(n, k);
        const auto force = [&](Real t) {
            return VectorXd(jacobian_of(c, moved(X, t * e), memory).transpose() * lambda);
        };
        K.col(k) = first_derivative(force, h);
    }
    return K;
}

// Hessian of λᵀφ in exponential coordinates, from second derivatives along all eₐ ± e_b.
template <class T>
MatrixXd hessian_difference(const T& c, const Poses<T::kBodies>& X,
                            const Memory<T::kMemory>& memory, const RowVector<T::kRows>& lambda,
                            Real h)
{
    constexpr int n = 6 * T::kBodies;
    const auto curvature = [&](const VectorXd& w) {
        return second_derivative(
            [&](Real t) { return lambda.dot(rows_of(c, moved(X, t * w), memory).phi); }, h);
    };
    MatrixXd H(n, n);
    for (int a = 0; a < n; ++a) {
        const VectorXd e_a = VectorXd::Unit(n, a);
        H(a, a) = curvature(e_a);
        for (int b = 0; b < a; ++b) {
            const VectorXd e_b = VectorXd::Unit(n, b);
            H(a, b) = H(b, a) = (curvature(e_a + e_b) - curvature(e_a - e_b)) / 4;
        }
    }
    return H;
}

// Largest difference over the largest entry of the reference (over `floor` where that is smaller).
inline Real relative_error(const MatrixXd& value, const MatrixXd& reference, Real floor = 0)
{
    const Real error = (value - reference).cwiseAbs().maxCoeff();
    const Real scale = std::max(reference.cwiseAbs().maxCoeff(), floor);
    return error == 0 ? 0 : error / scale;
}

// The same row by row: rows of one joint measure different things.
inline Real relative_row_error(const MatrixXd& value, const MatrixXd& reference)
{
    Real worst = 0;
    for (int r = 0; r < value.rows(); ++r) {
        const Real error = relative_error(value.row(r), reference.row(r));
        if (!(error <= worst)) worst = error;  // keeps NaN
    }
    return worst;
}

// The worst error of a set of samples, and where it was.
struct Worst {
    Real error = 0;
    std::string what = "all";

    void see(Real found, const std::string& where)
    {
        if (found <= error) return;  // NaN goes on
        error = found;
        what = where;
    }
    friend std::ostream& operator<<(std::ostream& out, const Worst& worst)
    {
        return out << "worst " << worst.error << " at: " << worst.what;
    }
};

}  // namespace taut::test

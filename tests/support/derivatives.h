// Derivatives of constraints by extrapolated central differences, to hold the written ones against.
//
// Poses are moved as the engine moves them: p ← p + δp, R ← exp([δθ]ₓ) R. math/differences.h says how accurate that is.
// Everything goes through Probe, a constraint of any type at some poses, so that the arithmetic is
// compiled once and not once per type.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <ostream>
#include <span>
#include <string>

#include <Eigen/Dense>

#include "constraints/constraint.h"
#include "math/differences.h"
#include "math/so3.h"

namespace taut::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

inline constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

// Moves bodies by the increments w = (δp_0, δθ_0, δp_1, δθ_1, …).
inline void move(std::span<BodyPose> X, const VectorXd& w)
{
    for (std::size_t b = 0; b < X.size(); ++b) {
        const auto at = Eigen::Index(6 * b);
        X[b].p += w.segment<3>(at);
        X[b].R = (exp_so3(w.segment<3>(at + 3)) * X[b].R).eval();
    }
}

// φ and J = (J_0, J_1, …) of any type.
struct Values {
    VectorXd phi;
    MatrixXd J;
};

template <class T>
Values values_of(const T& c, const Poses<T::kBodies>& X, const Memory<T::kMemory>& memory)
{
    // whatever evaluate() forgets to write shows
    Rows<T::kRows, T::kBodies> rows;
    rows.phi.setConstant(kNan);
    for (auto& J : rows.J) J.setConstant(kNan);
    c.evaluate(X, memory, rows);
    Values values{rows.phi, MatrixXd(T::kRows, 6 * T::kBodies)};
    for (int b = 0; b < T::kBodies; ++b)
        for (int r = 0; r < T::kRows; ++r)
            for (int k = 0; k < 6; ++k) values.J(r, 6 * b + k) = rows.J[b](r, k);
    return values;
}

template <int kBodies>
MatrixXd full(const StiffnessBlocks<kBodies>& K)
{
    MatrixXd matrix(6 * kBodies, 6 * kBodies);
    for (int r = 0; r < 6 * kBodies; ++r)
        for (int c = 0; c < 6 * kBodies; ++c) matrix(r, c) = K.block[r / 6][c / 6](r % 6, c % 6);
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
    StiffnessBlocks<T::kBodies> G;
    G.set_zero();
    if constexpr (T::kTensionCouples) {
        c.tension(X, lambda, G);
    } else {
        TensionDiagonal<T::kBodies> diagonal;
        diagonal.fill(Mat3::Zero());
        c.tension(X, lambda, diagonal);
        for (int b = 0; b < T::kBodies; ++b)
            G.block[b][b].template bottomRightCorner<3, 3>() = diagonal[b];
    }
    return full(G);
}

// A constraint at its poses, its type forgotten.
struct Probe {
    int bodies;
    std::vector<BodyPose> X;
    VectorXd lambda;
    Values here;
    MatrixXd stiffness, tension;
    std::function<Values(const std::vector<BodyPose>&)> at;  // other poses, the same memory

    Values moved(const VectorXd& w) const
    {
        std::vector<BodyPose> Y = X;
        move(Y, w);
        return at(Y);
    }
    int columns() const { return 6 * bodies; }
};

template <class T>
Probe probe(const T& c, const Poses<T::kBodies>& X, const Memory<T::kMemory>& memory,
            const RowVector<T::kRows>& lambda)
{
    const auto at = [=](const std::vector<BodyPose>& Y) {
        Poses<T::kBodies> poses;
        std::copy(Y.begin(), Y.end(), poses.begin());
        return values_of(c, poses, memory);
    };
    return {T::kBodies,
            {X.begin(), X.end()},
            lambda,
            values_of(c, X, memory),
            stiffness_of(c, X, lambda),
            tension_of(c, X, lambda),
            at};
}

// f′(0) of a vector-valued f.
inline VectorXd first_derivative(const std::function<VectorXd(Real)>& f, Real h)
{
    return math::first_derivative<VectorXd>(f, h);
}

// f″(0) of a scalar f. A fourth step, because second differences need long ones.
inline Real second_derivative(const std::function<Real(Real)>& f, Real h)
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

// ∂φ/∂x by differences.
inline MatrixXd jacobian_difference(const Probe& c, Real h)
{
    MatrixXd J(c.lambda.size(), c.columns());
    for (int k = 0; k < c.columns(); ++k) {
        const VectorXd e = VectorXd::Unit(c.columns(), k);
        J.col(k) = first_derivative([&](Real t) { return c.moved(t * e).phi; }, h);
    }
    return J;
}

// ∂(Jᵀλ)/∂x by differences.
inline MatrixXd stiffness_difference(const Probe& c, Real h)
{
    MatrixXd K(c.columns(), c.columns());
    for (int k = 0; k < c.columns(); ++k) {
        const VectorXd e = VectorXd::Unit(c.columns(), k);
        K.col(k) = first_derivative(
            [&](Real t) { return VectorXd(c.moved(t * e).J.transpose() * c.lambda); }, h);
    }
    return K;
}

// Hessian of λᵀφ in exponential coordinates, from second derivatives along all eₐ ± e_b.
inline MatrixXd hessian_difference(const Probe& c, Real h)
{
    const int n = c.columns();
    const auto curvature = [&](const VectorXd& w) {
        return second_derivative([&](Real t) { return c.lambda.dot(c.moved(t * w).phi); }, h);
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
    if (!value.allFinite() || !reference.allFinite()) return kNan;  // maxCoeff() may overlook NaN
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
        if (std::isnan(error)) return error;
        worst = std::max(worst, error);
    }
    return worst;
}

// The worst error of a set of samples, and where it was.
struct Worst {
    Real error = 0;
    std::string what = "all";

    void see(Real found, const std::string& where)
    {
        if (found <= error || std::isnan(error)) return;  // the first NaN stays
        error = found;
        what = where;
    }
    friend std::ostream& operator<<(std::ostream& out, const Worst& worst)
    {
        return out << "worst " << worst.error << " at: " << worst.what;
    }
};

}  // namespace taut::test

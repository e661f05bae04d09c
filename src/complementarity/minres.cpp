#include "complementarity/minres.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "complementarity/thresholds.h"
#include "core/assert.h"
#include "linalg/saddle_ops.h"
#include "solver/refinement.h"

namespace taut::complementarity {

void Minres::prepare(const linalg::SaddlePattern& pattern)
{
    pattern_ = &pattern;
    responses_.prepare(pattern);
    duals_.assign(6 * pattern.dual_unknowns, 0);
    const int size = pattern.primal_unknowns + pattern.dual_unknowns;
    for (auto* v : {&u_, &r1_, &r2_, &v_, &z_, &w_, &w1_, &w2_}) v->assign(size, 0);
}

void Minres::precondition(const linalg::SaddleSystem& system) noexcept
{
    responses_.compute(system);
    for (int d = 0; d < static_cast<int>(pattern_->duals.size()); ++d) {
        const auto& dual = pattern_->duals[d];
        // J D⁻¹Jᵀ of the rows of the active set
        SmallMatrix S = SmallMatrix::Zero(dual.size, dual.size);
        for (int t = 0; t < dual.touches; ++t) {
            const auto& touch = pattern_->touches[dual.first_touch + t];
            const int size = pattern_->primals[touch.primal].size;
            for (int r = 0; r < dual.size; ++r) {
                Real answer[6];
                responses_.apply(touch.primal, &system.J[touch.block + r * size], answer);
                for (int q = 0; q < dual.size; ++q)
                    for (int c = 0; c < size; ++c)
                        S(q, r) += system.J[touch.block + q * size + c] * answer[c];
            }
        }
        for (int r = 0; r < dual.size; ++r) S(r, r) += system.sigma[dual.offset + r];
        for (int r = 0; r < dual.size; ++r)
            S(r, r) = S(r, r) > 0 ? S(r, r) * (1 + MinresThresholds::kRedundancyFloor) : 1;
        const Eigen::LLT<SmallMatrix> llt(S);
        SmallMatrix inverse = SmallMatrix::Identity(dual.size, dual.size);
        if (llt.info() == Eigen::Success)
            llt.solveInPlace(inverse);
        else
            for (int r = 0; r < dual.size; ++r) inverse(r, r) = 1 / S(r, r);
        std::copy_n(inverse.data(), dual.size * dual.size, &duals_[6 * dual.offset]);
    }
}

void Minres::product(const linalg::SaddleSystem& system, const Vector& v,
                     Vector& out) const noexcept
{
    const auto n = static_cast<std::size_t>(pattern_->primal_unknowns);
    const std::span<const Real> in(v);
    const std::span<Real> sum(out);
    linalg::multiply_masses(system, in.first(n), sum.first(n));
    linalg::add_row_impulses(system, in.subspan(n), sum.first(n));
    linalg::multiply_rows(system, in.first(n), sum.subspan(n));
    for (std::size_t r = 0; r < system.sigma.size(); ++r) out[n + r] -= system.sigma[r] * v[n + r];
}

void Minres::apply_inverse(const Vector& v, Vector& out) const noexcept
{
    const int n = pattern_->primal_unknowns;
    for (std::size_t i = 0; i < pattern_->primals.size(); ++i)
        responses_.apply(static_cast<int>(i), &v[pattern_->primals[i].offset],
                         &out[pattern_->primals[i].offset]);
    for (const auto& dual : pattern_->duals)
        for (int r = 0; r < dual.size; ++r) {
            Real sum = 0;
            for (int c = 0; c < dual.size; ++c)
                sum += duals_[6 * dual.offset + r * dual.size + c] * v[n + dual.offset + c];
            out[n + dual.offset + r] = sum;
        }
}

Real Minres::dot(const Vector& a, const Vector& b) const noexcept
{
    Real sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// Of (f, g), preconditioned: what residuals are measured against. Leaves (f, g) in r1_.
Real Minres::norm_of_right_hand_side(const linalg::SaddleSystem& system) noexcept
{
    const int n = pattern_->primal_unknowns, m = pattern_->dual_unknowns;
    std::copy_n(system.f.begin(), n, r1_.begin());
    std::copy_n(system.g.begin(), m, r1_.begin() + n);
    apply_inverse(r1_, v_);
    return std::sqrt(std::max(dot(r1_, v_), Real(0)));
}

// u_ ← the guess, r1_ (which holds the right-hand side) and r2_ ← its residual. Returns the residual's norm.
Real Minres::load_guess(const linalg::SaddleSystem& system,
                        const linalg::SaddleSolution& solution) noexcept
{
    const int n = pattern_->primal_unknowns, m = pattern_->dual_unknowns;
    std::copy_n(solution.x.begin(), n, u_.begin());
    for (int r = 0; r < m; ++r) u_[n + r] = -solution.y[r];
    product(system, u_, r2_);
    for (std::size_t i = 0; i < r1_.size(); ++i) r1_[i] -= r2_[i];
    std::copy(r1_.begin(), r1_.end(), r2_.begin());
    apply_inverse(r2_, v_);
    std::fill(w_.begin(), w_.end(), Real(0));
    std::fill(w2_.begin(), w2_.end(), Real(0));
    return std::sqrt(std::max(dot(r2_, v_), Real(0)));
}

SolveReport Minres::solve(const linalg::SaddleSystem& system, linalg::SaddleSolution& solution,
                          Check) noexcept
{
    TAUT_ASSERT(system.f.size() + system.g.size() == u_.size());
    SolveReport report;
    if (!system.symmetric) return fail(report, kNotSymmetric);
    precondition(system);
    const Real size = norm_of_right_hand_side(system);
    const Real left = iterate(system, tolerance_ * size, solution);
    const Real residual = size > 0 ? left / size : left;
    report.residual = residual;
    if (!std::isfinite(residual)) return fail(report, kNotFinite);
    if (residual > RefinementThresholds::kSolved) report.outcome = SolveOutcome::Inaccurate;
    return report;
}

Real Minres::iterate(const linalg::SaddleSystem& system, Real target,
                     linalg::SaddleSolution& solution) noexcept
{
    const int n = pattern_->primal_unknowns, m = pattern_->dual_unknowns;
    Real beta = load_guess(system, solution);

    // Lanczos, and the QR factorisation of its tridiagonal matrix as it grows
    Real old_beta = 0, delta_bar = 0, epsilon = 0, phi = beta, c = -1, s = 0;
    const int most = std::min(
        MinresThresholds::kIterationsPerUnknown * (n + m) + MinresThresholds::kExtraIterations,
        MinresThresholds::kMostIterations);
    int k = 0;
    while (k < most && phi > target && beta > 0) {
        ++k;
        for (std::size_t i = 0; i < v_.size(); ++i) v_[i] /= beta;
        product(system, v_, z_);
        if (k > 1)
            for (std::size_t i = 0; i < z_.size(); ++i) z_[i] -= beta / old_beta * r1_[i];
        const Real alpha = dot(v_, z_);
        for (std::size_t i = 0; i < z_.size(); ++i) z_[i] -= alpha / beta * r2_[i];
        std::swap(r1_, r2_);
        std::swap(r2_, z_);
        std::copy(v_.begin(), v_.end(), z_.begin());  // the Lanczos vector of this step
        apply_inverse(r2_, v_);
        old_beta = beta;
        beta = std::sqrt(std::max(dot(r2_, v_), Real(0)));

        const Real old_epsilon = epsilon;
        const Real delta = c * delta_bar + s * alpha;
        const Real gamma_bar = s * delta_bar - c * alpha;
        epsilon = s * beta;
        delta_bar = -c * beta;
        const Real gamma = std::hypot(gamma_bar, beta);
        if (!(gamma > 0) || !std::isfinite(gamma)) break;
        c = gamma_bar / gamma;
        s = beta / gamma;
        const Real step = c * phi;
        phi *= s;

        std::swap(w1_, w2_);
        std::swap(w2_, w_);
        for (std::size_t i = 0; i < w_.size(); ++i) {
            w_[i] = (z_[i] - old_epsilon * w1_[i] - delta * w2_[i]) / gamma;
            u_[i] += step * w_[i];
        }
    }
    std::copy_n(u_.begin(), n, solution.x.begin());
    for (int r = 0; r < m; ++r) solution.y[r] = -u_[n + r];
    return phi;
}

}  // namespace taut::complementarity

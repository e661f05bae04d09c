// Operations on a saddle system other than solving it: product, dense and triplet form, residual of a solution.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "linalg/saddle_matrix.h"

namespace taut::linalg {

// f_out = H x − Jᵀ y,  g_out = J x + Σ y.
void multiply(const SaddleSystem& system, std::span<const Real> x, std::span<const Real> y,
              std::span<Real> f_out, std::span<Real> g_out) noexcept;

// out = f − H x of a symmetric system.
void primal_residual(const SaddleSystem& system, std::span<const Real> x,
                     std::span<Real> out) noexcept;

// The parts of a product with a symmetric system: out = H x,
void multiply_masses(const SaddleSystem& system, std::span<const Real> x,
                     std::span<Real> out) noexcept;
// out = J x,
void multiply_rows(const SaddleSystem& system, std::span<const Real> x,
                   std::span<Real> out) noexcept;
// and f += Jᵀ y.
void add_row_impulses(const SaddleSystem& system, std::span<const Real> y,
                      std::span<Real> f) noexcept;
// The same, term by term: for f that is large beside the change, or is to be computed in that order.
void add_row_impulses_by_terms(const SaddleSystem& system, std::span<const Real> y,
                               std::span<Real> f) noexcept;
// start + (J x) of one row of a dual.
Real add_row_product(const SaddleSystem& system, const SaddlePattern::Dual& dual, int row,
                     std::span<const Real> x, Real start) noexcept;

// The matrix ⎡H Jᵀ; J −Σ⎤ of the unknowns (x, −y): symmetric if H is. Blocks that the pattern has are
// written even where their numbers are zero, so that the triplets' pattern is constant too.
Eigen::MatrixXd to_dense(const SaddleSystem& system);
std::vector<Eigen::Triplet<Real>> to_triplets(const SaddleSystem& system);

// (f, g) as one vector, and x, y back from (x, −y).
Eigen::VectorXd join(std::span<const Real> f, std::span<const Real> g);
void split(const Eigen::VectorXd& unknowns, SaddleSolution& out);

// Residuals of a solution, and how large they are beside the terms that had to cancel:
//
//   momentum    r = f − H x + Jᵀ y,  s = |f| + |H x| + Σ_k |J_kᵀ y_k|   over blocks k,
//               max_i |r_i|/√H_ii  over  max_i s_i/√H_ii                per primal node;
//   constraint  r = g − J x − Σ y,   t = |g| + Σ_j |J_j x_j| + |Σ y|,
//               |r_i| / t_i                                             per row.
//
// The weights 1/√H_ii make forces and torques comparable, so that a direction without motion is not measured against its own
// round-off. For the same reason a constraint row whose ratio is above `good` is measured again with t + Σ_j |J_j|_D⁻¹ |f_j|_D⁻¹,
// D the diagonal of H: about the velocity that its bodies would have without constraints. At rest J x is all round-off.
class Residual {
public:
    void prepare(const SaddlePattern& pattern);
    // The largest of the ratios above; NaN if the solution is not finite. Rows with a ratio up to `good` are measured once.
    // Allocates nothing.
    Real measure(const SaddleSystem& system, std::span<const Real> x, std::span<const Real> y,
                 Real good = 0) noexcept;

    // √(xᵀ D x), D the diagonal of H of the last measurement.
    Real energy_norm(std::span<const Real> x) const noexcept;

    std::span<const Real> f() const noexcept { return f_; }
    std::span<const Real> g() const noexcept { return g_; }

private:
    Real worst_constraint(const SaddleSystem& system, Real good) const noexcept;

    std::vector<Real> f_, g_;              // residuals
    std::vector<Real> f_scale_, g_scale_;  // s and t
    std::vector<Real> mobility_;           // 1/|H_ii|
};

}  // namespace taut::linalg

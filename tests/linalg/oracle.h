// The reference solution: dense LU in long double, refined with residuals in quadruple precision.
//
// Rows and columns are scaled by 1/√H_ii and 1/√(Σ + J D⁻¹ Jᵀ)_ii, D the diagonal of H. Where the sample
// says that rows are redundant, full pivoting finds the rank: a pivot below 1e-12 is a redundant row
// (round-off of its double entries leaves 1e-16).
//
// Distances are relative and weighted by the same numbers, which makes metres and radians, newtons and
// newton metres one kind:
//   x      ‖x − x*‖_D over ‖x*‖_D               the error's kinetic energy
//   force  ‖Jᵀ(y − y*)‖_D⁻¹ over ‖Jᵀy*‖_D⁻¹     the energy that the wrong constraint impulse puts in
//   y      ‖(y − y*)√S‖ over ‖y*√S‖             where the rows are independent
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Dense>

#include "linalg/saddle_ops.h"

namespace taut::test {

struct Distance {
    Real x = 0, force = 0, y = 0;
};

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Wide;
#else
using Wide = long double;
#endif

class Oracle {
public:
    using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
    using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

    Oracle(const linalg::SaddleSystem& system, bool redundant)
        : n_(system.pattern->primal_unknowns),
          matrix_(linalg::to_dense(system).cast<long double>()),
          rhs_(linalg::join(system.f, system.g).cast<long double>()),
          solution_(Vector::Zero(rhs_.size())),
          rank_(rhs_.size())
    {
        find_scale();
        const Matrix scaled = scale_.asDiagonal() * matrix_ * scale_.asDiagonal();
        if (redundant) {
            Eigen::FullPivLU<Matrix> lu;
            lu.setThreshold(1e-12L);
            lu.compute(scaled);
            rank_ = lu.rank();
            refine(lu);
        } else {
            refine(Eigen::PartialPivLU<Matrix>(scaled));
        }
    }

    Eigen::Index rank() const { return rank_; }
    // The last correction that the reference itself needed, relative: how far it can be trusted.
    Real trust() const { return static_cast<Real>(trust_); }
    Real x(int i) const { return static_cast<Real>(solution_(i)); }
    Real y(int i) const { return static_cast<Real>(-solution_(n_ + i)); }

    Distance distance(const linalg::SaddleSolution& other) const
    {
        const Eigen::Index m = matrix_.rows() - n_;
        Vector error(solution_.size());
        for (Eigen::Index i = 0; i < n_; ++i) error(i) = other.x[i] - solution_(i);
        for (Eigen::Index i = 0; i < m; ++i) error(n_ + i) = -other.y[i] - solution_(n_ + i);
        const auto over = [](const Vector& a, const Vector& b) {
            return static_cast<Real>(a.norm() / std::max(b.norm(), 1e-300L));
        };
        const auto primal = scale_.head(n_);
        const auto dual = scale_.tail(m);
        const Matrix Jt = matrix_.topRightCorner(n_, m);
        Distance out;
        out.x =
            over(error.head(n_).cwiseQuotient(primal), solution_.head(n_).cwiseQuotient(primal));
        if (m == 0) return out;
        out.force = over(primal.cwiseProduct(Jt * error.tail(m)),
                         primal.cwiseProduct(Jt * solution_.tail(m)));
        out.y = over(error.tail(m).cwiseQuotient(dual), solution_.tail(m).cwiseQuotient(dual));
        return out;
    }

private:
    void find_scale()
    {
        scale_ = Vector::Ones(matrix_.rows());
        for (Eigen::Index i = 0; i < n_; ++i) scale_(i) = 1 / std::sqrt(std::abs(matrix_(i, i)));
        for (Eigen::Index i = n_; i < matrix_.rows(); ++i) {
            const auto row = matrix_.row(i).head(n_).transpose();
            const long double sum =
                row.cwiseProduct(scale_.head(n_)).squaredNorm() + std::abs(matrix_(i, i));
            if (sum > 0) scale_(i) = 1 / std::sqrt(sum);
        }
    }

    template <class Lu>
    void refine(const Lu& lu)
    {
        for (int k = 0; k < 6; ++k) {
            Vector rest(rhs_.size());
            for (Eigen::Index i = 0; i < rhs_.size(); ++i) {
                Wide sum = rhs_(i);
                for (Eigen::Index c = 0; c < rhs_.size(); ++c)
                    if (matrix_(i, c) != 0) sum -= Wide(matrix_(i, c)) * Wide(solution_(c));
                rest(i) = static_cast<long double>(sum);
            }
            const Vector correction = lu.solve(scale_.cwiseProduct(rest).eval());
            solution_ += scale_.cwiseProduct(correction);
            trust_ = correction.norm() / std::max(solution_.cwiseQuotient(scale_).norm(), 1e-300L);
        }
    }

    Eigen::Index n_;
    Matrix matrix_;
    Vector rhs_, scale_, solution_;
    Eigen::Index rank_;
    long double trust_ = 0;
};

}  // namespace taut::test

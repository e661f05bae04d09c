// The reference solution: dense LU in long double, refined with residuals in quadruple precision.
//
// Rows and columns are scaled by 1/√H_ii and 1/√(Σ + J D⁻¹ Jᵀ)_ii, D the diagonal of H. Where the sample
// says that rows are redundant, a pivot below 1e-12 is one of them (round-off of its double entries
// leaves 1e-16) and its unknown is set to zero.
//
// Distances are relative and weighted by the same numbers, which makes metres and radians, newtons and
// newton metres one kind:
//   x      ‖x − x*‖_D over ‖x*‖_D               the error's kinetic energy
//   force  ‖Jᵀ(y − y*)‖_D⁻¹ over ‖Jᵀy*‖_D⁻¹     the energy that the wrong constraint impulse puts in
//   y      ‖(y − y*)√S‖ over ‖y*√S‖             where the rows are independent
#pragma once

#include <vector>

#include "linalg/saddle_matrix.h"

namespace taut::test {

struct Distance {
    Real x = 0, force = 0, y = 0;
};

// Negative eigenvalues of the matrix in (x, −y).
int count_negative_eigenvalues(const linalg::SaddleSystem& system);

class Oracle {
public:
    Oracle(const linalg::SaddleSystem& system, bool redundant);

    int rank() const { return rank_; }
    // The last correction that the reference itself needed, relative: how far it can be trusted.
    Real trust() const { return static_cast<Real>(trust_); }
    Real x(int i) const { return static_cast<Real>(solution_[i]); }
    Real y(int i) const { return static_cast<Real>(-solution_[n_ + i]); }

    Distance distance(const linalg::SaddleSolution& other) const;

private:
    using Vector = std::vector<long double>;

    long double entry(int row, int column) const { return matrix_[row * size_ + column]; }
    void find_scale();
    void factorise(long double threshold);
    Vector solve(Vector rhs) const;
    void refine();

    int n_, size_;
    Vector matrix_, rhs_;                  // of (x, −y), by rows
    Vector scale_, lu_;                    // LU of the scaled matrix, full pivoting
    std::vector<int> row_of_, column_of_;  // permutations
    Vector solution_;
    int rank_ = 0;
    long double trust_ = 0;
};

}  // namespace taut::test

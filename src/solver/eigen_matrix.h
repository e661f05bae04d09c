// The saddle matrix as an Eigen sparse matrix whose pattern is made once.
#pragma once

#include <vector>

#include <Eigen/SparseCore>

#include "linalg/saddle_ops.h"

namespace taut::solver {

class EigenMatrix {
public:
    enum class Part { All, Lower };

    void prepare(const linalg::SaddlePattern& pattern, Part part);
    // Values of the system on that pattern.
    const Eigen::SparseMatrix<Real>& update(const linalg::SaddleSystem& system);
    const Eigen::SparseMatrix<Real>& pattern() const noexcept { return matrix_; }

private:
    Eigen::SparseMatrix<Real> matrix_;
    std::vector<int> slot_;  // of each triplet in the values; −1 where the part leaves it out
};

}  // namespace taut::solver

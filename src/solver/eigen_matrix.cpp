#include "solver/eigen_matrix.h"

#include <algorithm>

namespace taut::solver {

void EigenMatrix::prepare(const linalg::SaddlePattern& pattern, Part part)
{
    linalg::SaddleSystem empty;
    empty.prepare(pattern);
    empty.symmetric = false;
    auto triplets = linalg::to_triplets(empty);
    const auto all = triplets;
    if (part == Part::Lower)
        std::erase_if(triplets, [](const auto& t) { return t.row() < t.col(); });
    const int size = pattern.primal_unknowns + pattern.dual_unknowns;
    matrix_.resize(size, size);
    matrix_.setFromTriplets(triplets.begin(), triplets.end());
    matrix_.makeCompressed();

    slot_.clear();
    for (const auto& t : all) {
        const int* const first = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[t.col()];
        const int* const last = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[t.col() + 1];
        const int* const found = std::lower_bound(first, last, t.row());
        const bool is_there = found != last && *found == t.row();
        slot_.push_back(is_there ? static_cast<int>(found - matrix_.innerIndexPtr()) : -1);
    }
}

const Eigen::SparseMatrix<Real>& EigenMatrix::update(const linalg::SaddleSystem& system)
{
    const auto triplets = linalg::to_triplets(system);
    for (std::size_t k = 0; k < triplets.size(); ++k)
        if (slot_[k] >= 0) matrix_.valuePtr()[slot_[k]] = triplets[k].value();
    return matrix_;
}

}  // namespace taut::solver

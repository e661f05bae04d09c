#include "solver/eigen_ldlt_solver.h"

namespace taut::solver {

void EigenLdltSolver::analyse(const linalg::SaddlePattern& pattern)
{
    matrix_.prepare(pattern, EigenMatrix::Part::Lower);
    if (matrix_.pattern().rows() > 0) ldlt_.analyzePattern(matrix_.pattern());
}

std::string_view EigenLdltSolver::allocate_and_factorise(const linalg::SaddleSystem& system)
{
    ldlt_.factorize(matrix_.update(system));
    return ldlt_.info() == Eigen::Success ? std::string_view() : kSingular;
}

void EigenLdltSolver::allocate_and_substitute(std::span<const Real> f, std::span<const Real> g,
                                              linalg::SaddleSolution& out)
{
    linalg::split(ldlt_.solve(linalg::join(f, g)), out);
}

std::optional<int> EigenLdltSolver::negative_pivots() const
{
    return static_cast<int>((ldlt_.vectorD().array() < 0).count());
}

}  // namespace taut::solver

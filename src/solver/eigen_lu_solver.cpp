#include "solver/eigen_lu_solver.h"

namespace taut::solver {

void EigenLuSolver::analyse(const linalg::SaddlePattern& pattern)
{
    matrix_.prepare(pattern, EigenMatrix::Part::All);
    if (matrix_.pattern().rows() > 0) lu_.analyzePattern(matrix_.pattern());
}

std::string_view EigenLuSolver::allocate_and_factorise(const linalg::SaddleSystem& system)
{
    lu_.factorize(matrix_.update(system));
    return lu_.info() == Eigen::Success ? std::string_view() : kSingular;
}

void EigenLuSolver::allocate_and_substitute(std::span<const Real> f, std::span<const Real> g,
                                            linalg::SaddleSolution& out)
{
    linalg::split(lu_.solve(linalg::join(f, g)), out);
}

}  // namespace taut::solver

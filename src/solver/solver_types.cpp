#include "solver/solver_types.h"

#include <array>

#include "solver/block_ldlt_solver.h"
#include "solver/dense_lu_solver.h"
#include "solver/eigen_ldlt_solver.h"
#include "solver/eigen_lu_solver.h"
#include "solver/inverse_solvers.h"

namespace taut::solver {
namespace {

template <class Type>
std::unique_ptr<LinearSolver> make()
{
    return std::make_unique<Type>();
}

constexpr SolverType kTypes[] = {
    {{Solver::Auto, "auto",
      "ldlt; for stabilisation exact dense_lu, or eigen_lu beyond 1000 unknowns"},
     make<BlockLdltSolver>},
    {{Solver::Ldlt, "ldlt", "sparse block LDLᵀ, linear on trees; symmetric systems"},
     make<BlockLdltSolver>},
    {{Solver::DenseLu, "dense_lu", "dense LU, least norm where rows are redundant; small systems"},
     make<DenseLuSolver>},
    {{Solver::EigenLdlt, "eigen_ldlt", "Eigen's SimplicialLDLT, for comparison; symmetric systems"},
     make<EigenLdltSolver>},
    {{Solver::EigenLu, "eigen_lu", "Eigen's SparseLU, for comparison; no redundant rows"},
     make<EigenLuSolver>},
    {{Solver::FullRank, "full_rank",
      "dense inverse of the mass matrix, then its Schur complement; for comparison"},
     make<FullRankSolver>},
    {{Solver::LowRank, "low_rank",
      "the same inverse by low-rank updates from each joint's factors; for comparison"},
     make<LowRankSolver>},
};

constexpr auto kChoices = [] {
    std::array<Choice<Solver>, std::size(kTypes)> out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = kTypes[i].choice;
    return out;
}();

}  // namespace

std::span<const SolverType> solver_types() noexcept { return kTypes; }

std::unique_ptr<LinearSolver> make_solver(Solver kind)
{
    for (const auto& type : kTypes)
        if (type.choice.value == kind) return type.make();
    return nullptr;
}

}  // namespace taut::solver

namespace taut {

std::span<const Choice<Solver>> solvers() noexcept { return solver::kChoices; }

}  // namespace taut

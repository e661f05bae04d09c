#include <array>

#include "complementarity/active_set_solver.h"
#include "complementarity/sweep_solvers.h"

namespace taut::complementarity {
namespace {

template <class Type>
std::unique_ptr<ComplementaritySolver> make()
{
    return std::make_unique<Type>();
}

constexpr ComplementaritySolverType kTypes[] = {
    {{LawMethod::Newton, "newton",
      "non-smooth Newton on the sparse block LDLᵀ; any mass ratio, one factorisation at rest"},
     make<ActiveSetLdltSolver>},
    {{LawMethod::Pgs, "pgs",
      "projected Gauss–Seidel, contact by contact; coarse, mild mass ratios"},
     make<PgsSolver>},
    {{LawMethod::Nncg, "nncg", "nonlinear conjugate gradients over the same sweeps"},
     make<NncgSolver>},
    {{LawMethod::ActiveSetMinres, "active_set_minres",
      "active set with MINRES inside, friction lagged; no factorisation"},
     make<ActiveSetMinresSolver>},
};

constexpr auto kMethods = [] {
    std::array<Choice<LawMethod>, std::size(kTypes)> list{};
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = kTypes[i].choice;
    return list;
}();

constexpr Choice<FrictionShape> kShapes[] = {
    {FrictionShape::Cone, "cone", "Coulomb's: the same in every direction"},
    {FrictionShape::Pyramid, "pyramid",
     "each of two directions for itself: up to root two more along the diagonal"},
};

}  // namespace

std::span<const ComplementaritySolverType> complementarity_solver_types() noexcept
{
    return kTypes;
}

std::unique_ptr<ComplementaritySolver> make_complementarity_solver(LawMethod method)
{
    for (const auto& type : kTypes)
        if (type.choice.value == method) return type.make();
    return nullptr;
}

}  // namespace taut::complementarity

namespace taut {

std::span<const Choice<LawMethod>> law_methods() noexcept { return complementarity::kMethods; }
std::span<const Choice<FrictionShape>> friction_shapes() noexcept
{
    return complementarity::kShapes;
}

}  // namespace taut

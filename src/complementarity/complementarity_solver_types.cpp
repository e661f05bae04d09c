#include <array>

#include "complementarity/active_set_solver.h"
#include "complementarity/minres.h"
#include "complementarity/sweep_solvers.h"
#include "solver/solver_types.h"

namespace taut::complementarity {
namespace {

template <class Type>
std::unique_ptr<ComplementaritySolver> make(Solver)
{
    return std::make_unique<Type>();
}

std::unique_ptr<ComplementaritySolver> make_newton(Solver linear)
{
    return std::make_unique<ActiveSetSolver>(make_solver(linear), make_solver(linear));
}

std::unique_ptr<ComplementaritySolver> make_with_minres(Solver)
{
    return std::make_unique<ActiveSetSolver>(std::make_unique<Minres>());
}

constexpr ComplementaritySolverType kTypes[] = {
    {{LawMethod::Newton, "newton",
      "non-smooth Newton on the linear solver; any mass ratio, one factorisation at rest"},
     true,
     make_newton},
    {{LawMethod::Pgs, "pgs",
      "projected Gauss–Seidel, contact by contact; coarse, mild mass ratios"},
     false,
     make<PgsSolver>},
    {{LawMethod::Nncg, "nncg", "nonlinear conjugate gradients over the same sweeps"},
     false,
     make<NncgSolver>},
    {{LawMethod::ActiveSetMinres, "active_set_minres",
      "active set with MINRES inside, friction lagged; no factorisation"},
     false,
     make_with_minres},
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

std::unique_ptr<ComplementaritySolver> make_complementarity_solver(LawMethod method, Solver linear)
{
    for (const auto& type : kTypes)
        if (type.choice.value == method) return type.make(linear);
    return nullptr;
}

const char* refuse_linear_solver(LawMethod method, Solver linear) noexcept
{
    if (linear == Solver::Auto) return nullptr;
    for (const auto& type : kTypes)
        if (type.choice.value == method && type.takes_any_solver) return nullptr;
    return "laws 'pgs', 'nncg' and 'active_set_minres' use no solver of the list for limits, "
           "ropes, force limits and contacts; take solver 'auto', or laws 'newton'";
}

}  // namespace taut::complementarity

namespace taut {

std::span<const Choice<LawMethod>> law_methods() noexcept { return complementarity::kMethods; }
std::span<const Choice<FrictionShape>> friction_shapes() noexcept
{
    return complementarity::kShapes;
}

}  // namespace taut

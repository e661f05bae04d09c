// One interface for every method that solves the saddle system of a step with inequality rows:
//
//     H x − Jᵀy = f,   s := J x + Σy − g           y impulses [N s], s residual velocities of the rows [m/s]
//
//     equal         s = 0
//     non_negative  0 ≤ y ⊥ s ≥ 0
//     interval      lower ≤ y ≤ upper;  s = 0 inside, s ≥ 0 at lower, s ≤ 0 at upper
//     cone          (normal, tangent, tangent): 0 ≤ y_n ⊥ s_n ≥ 0,  |y_t| ≤ μ y_n,
//                   s_t = 0 inside, else y_t = −μ y_n s_t/|s_t|
//
// The cone is Coulomb's law with maximum dissipation, not the associated one: sliding causes no normal velocity.
// With a sliding coefficient below the static one a row may stick up to μ_s and slides at μ_d; both
// may then be solutions, and either is accepted.
// With friction there may be several solutions or none. Without friction, with H positive definite and consistent equality
// rows, x is unique, and so is y up to redundant rows.
#pragma once

#include <memory>
#include <span>

#include <taut/catalogue.h>

#include "constraints/laws/law_types.h"
#include "core/team.h"
#include "linalg/saddle_matrix.h"

namespace taut::complementarity {

// The inequality law of the rows from first_row on, as the caller states it. All rows of a cone belong to one dual node;
// rows in no block are equality rows.
struct InequalityBlock {
    int first_row = 0;
    Law law;
    Real sliding_friction = -1;  // cone: μ_d ≤ μ_s = law.friction; negative means the same [-]
    Real rounding = 0;           // of g: its rows are not known better than this [m/s or rad/s]
};

// How `newton` linearises a sliding contact; docs/decisions/0010-laws.md compares them.
enum class SlidingForm {
    Coupled,  // exact derivative; the unsymmetric normal–tangent part by GMRES over the same factor
    Lagged,  // exact across the slip; along it the friction of the previous iterate
    Secant,  // a viscous row of coefficient μ y_n/|s_t|, both of the previous iterate
};

struct ComplementaritySettings {
    Real tolerance = 1e-10;  // of the natural map, relative: natural_map.h
    int max_iterations =
        0;  // 0: the default of the method. Newton takes four times as many without a
            // warm start, or where masses differ by more than a factor of 1000
    // Factorisations that a solve may take, whatever the method would take; 0: as many as it needs.
    int most_factorisations = 0;
    // `usual`, and no more than that.
    int allowed(int usual) const noexcept
    {
        return most_factorisations > 0 && most_factorisations < usual ? most_factorisations : usual;
    }
    Real equality_rounding = 0;  // of g in rows without a block, as InequalityBlock::rounding
    // `newton` takes one proximal step (proximal_newton.h) in place of its active sets, for contacts that move and need not
    // be solved to the last digit; the report says what is left.
    bool convex = false;
    Real negligible = 0;  // a fall of its potential that is not worth another factorisation [J]
    FrictionShape shape = FrictionShape::Cone;
    SlidingForm sliding = SlidingForm::Coupled;
};

struct ComplementarityReport {
    // Static text: why the system is none that the method can solve. Then the warm start is returned, which is no solution,
    // and the residual is infinite. Empty otherwise.
    std::string_view refused;
    // Static text: the linear solver inside (LinearSolver::name()). Empty: there is none.
    std::string_view linear_solver;
    bool finite = true;     // the numbers of the returned solution are
    bool accepted = false;  // residual ≤ tolerance
    Real residual = 0;      // of the returned solution, see natural_map.h
    int iterations = 0;     // Newton iterates, or sweeps
    int factorisations = 0;
    // What the solve cost, in factorisations and at least 1. A system that MINRES solves counts as one, and so do
    // SweepThresholds::kSweepsPerFactorisation sweeps of pgs and nncg.
    int cost = 1;
    int sweeps = 0;    // of projected Gauss–Seidel, before or in the fallback of Newton
    int restarts = 0;  // number of fallbacks of Newton
    int closed = 0;    // one-sided and normal rows with y > 0
    int sliding = 0;   // cones at their friction bound
    int at_bound = 0;  // interval rows at a bound
};

class ComplementaritySolver {
public:
    virtual ~ComplementaritySolver() = default;
    // Symbolic work and all allocation, once per pattern. The pattern must outlive the solver's use.
    virtual void prepare(const linalg::SaddlePattern& pattern) = 0;
    // The same for solves with settings.convex alone, which need less of it.
    virtual void prepare_convex(const linalg::SaddlePattern& pattern) { prepare(pattern); }
    // `solution` holds the warm start, of which y matters most (zero: none), and then the result. A system that could
    // not be solved returns the best iterate. Where data are not finite, H is not symmetric or a body's block of it not
    // positive definite, or blocks do not fit the pattern or contradict themselves, the system is refused: the warm start
    // is returned, with non-finite numbers set to zero.
    virtual ComplementarityReport solve(const linalg::SaddleSystem& system,
                                        std::span<const InequalityBlock> blocks,
                                        linalg::SaddleSolution& solution,
                                        const ComplementaritySettings& settings) noexcept = 0;
    // Whether the linear solver inside needs system.rank, see LinearSolver.
    virtual bool wants_rank_terms() const noexcept { return false; }
    // Threads that the linear solver inside may use from here on. The results do not depend on them.
    virtual void set_threads(const Team&) noexcept {}
};

struct ComplementaritySolverType {
    Choice<LawMethod> choice;
    bool takes_any_solver;  // the linear systems inside can be solved by any solver of src/solver
    std::unique_ptr<ComplementaritySolver> (*make)(Solver linear);
};

// The one list: complementarity_solver_types.cpp. The first is the default.
std::span<const ComplementaritySolverType> complementarity_solver_types() noexcept;
// Never null for a value of the list. Linear systems are solved by `linear`, where the method takes any solver.
std::unique_ptr<ComplementaritySolver> make_complementarity_solver(LawMethod method,
                                                                   Solver linear = Solver::Auto);
// Why the method cannot work with that linear solver: a static text; nullptr: it can.
const char* refuse_linear_solver(LawMethod method, Solver linear) noexcept;

}  // namespace taut::complementarity

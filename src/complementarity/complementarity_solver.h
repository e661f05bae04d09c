// One interface for every way to solve the step's saddle system under laws:
//
//     H x − Jᵀy = f,   s := J x + Σy − g           y impulses [N s], s the rows' values [m/s]
//
//     equal         s = 0
//     non_negative  0 ≤ y ⊥ s ≥ 0
//     interval      lower ≤ y ≤ upper;  s = 0 inside, s ≥ 0 at lower, s ≤ 0 at upper
//     cone          (normal, tangent, tangent): 0 ≤ y_n ⊥ s_n ≥ 0,  |y_t| ≤ μ y_n,
//                   s_t = 0 inside, else y_t = −μ y_n s_t/|s_t|
//
// The cone is Coulomb's law with maximum dissipation, not the associated one: sliding lifts nothing.
// With a sliding coefficient below the static one a row may stick up to μ_s and slides at μ_d; both
// may then be solutions, and either is accepted.
// Friction may leave several solutions or none; without it, H positive definite and consistent hard
// rows, x is unique and y is so up to redundant rows.
#pragma once

#include <memory>
#include <span>

#include <taut/catalogue.h>

#include "constraints/laws/law_types.h"
#include "linalg/saddle_matrix.h"

namespace taut::complementarity {

// Rows first_row … under one law. All rows of a cone belong to one dual node; rows in no block are Equal.
struct InequalityBlock {
    int first_row = 0;
    Law law;
    Real sliding_friction = -1;  // cone: μ_d ≤ μ_s = law.friction; negative means the same [-]
};

// How `newton` writes a sliding contact; docs/decisions/0010-laws.md compares them.
enum class SlidingForm {
    Coupled,  // exact derivative; the unsymmetric normal–tangent part by GMRES over the same factor
    Lagged,  // exact across the slip; along it the friction of the iterate before
    Secant,  // a viscous row of coefficient μ y_n/|s_t|, both of the iterate before
};

struct ComplementaritySettings {
    Real tolerance = 1e-10;  // of the natural map, relative: natural_map.h
    int max_iterations = 0;  // 0: what the method thinks right; Newton takes four times as many
                             // without a guess, or where masses differ by more than a thousand
    FrictionShape shape = FrictionShape::Cone;
    SlidingForm sliding = SlidingForm::Coupled;
};

struct ComplementarityReport {
    bool finite = true;     // of the solution that was handed out
    bool accepted = false;  // residual ≤ tolerance
    Real residual = 0;      // natural_map.h, of the solution that was handed out
    int iterations = 0;     // Newton iterates, or sweeps
    int factorisations = 0;
    int sweeps = 0;    // of projected Gauss–Seidel, in the start or the fallback of Newton
    int restarts = 0;  // how often Newton fell back
    int closed = 0;    // one-sided and normal rows with y > 0
    int sliding = 0;   // cones at their mantle
    int at_bound = 0;  // interval rows at a bound
};

class ComplementaritySolver {
public:
    virtual ~ComplementaritySolver() = default;
    // Symbolic work and all allocation, once per pattern. The pattern must outlive the solver's use.
    virtual void prepare(const linalg::SaddlePattern& pattern) = 0;
    // `solution` holds a guess, of which y matters most (zero: none), and then the result. What could
    // not be solved is the best that was seen; where data are not finite, or blocks do not fit the pattern or
    // contradict themselves, the guess is returned, with non-finite numbers set to zero.
    virtual ComplementarityReport solve(const linalg::SaddleSystem& system,
                                        std::span<const InequalityBlock> blocks,
                                        linalg::SaddleSolution& solution,
                                        const ComplementaritySettings& settings) noexcept = 0;
};

struct ComplementaritySolverType {
    Choice<LawMethod> choice;
    std::unique_ptr<ComplementaritySolver> (*make)();
};

// The one list: complementarity_solver_types.cpp. The first is the default.
std::span<const ComplementaritySolverType> complementarity_solver_types() noexcept;
// Never null for a value of the list.
std::unique_ptr<ComplementaritySolver> make_complementarity_solver(LawMethod method);

}  // namespace taut::complementarity

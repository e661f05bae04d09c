// The fallback for active sets that cycle: a proximal point step on the impulses y₀, whose solution always exists, is unique and
// is found by a Newton method with line search, which cannot cycle:
//
//     min over x of  ½xᵀHx − fᵀx + Σ_i ψ_i(J_i x − g_i),   y_i = P_i(t),  t = (R y₀ − (J_i x − g_i) − μ|s̄_t| e_n)/w
//
// with R = ρ d, w = R + Σ, P the projection onto the admissible set in the metric w, and ψ the potential of that y. At its
// solution H x = f + Jᵀy and s = R (y₀ − y): momentum balance is exact, the error of the laws is proportional to the change of
// the impulses, and the next step starts at y. Redundant rows share evenly, since R acts as their compliance; it vanishes at
// convergence [Rockafellar1976]. The cone is the convex one; De Saxcé's correction μ|s̄_t| [DeSaxce1998], with the slip velocity of
// the previous step, makes it Coulomb's law at convergence. The alternative, friction bounded by the normal impulse of the
// previous step, does not converge where friction tips the bodies; a pyramid, whose projection has no short formula, uses it
// nevertheless.
// A Newton step is one factorisation: P' = Qᵀλ Q, rows T J with T = √λ Q/√w, Σ = 1. Early rows are condensed into the blocks of their
// bodies, H + JᵀTᵀT J (linalg/condensed_matrix.h). A larger ρ is easier to solve and gains less.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "complementarity/inequality_rows.h"
#include "complementarity/responses.h"
#include "complementarity/thresholds.h"
#include "linalg/condensed_matrix.h"
#include "solver/linear_solver.h"

namespace taut::complementarity {

// How one proximal step is taken.
struct ProximalStep {
    Real rho = 0;                                     // [-]
    int factorisations = 0;                           // at most
    Real enough = ProximalNewtonThresholds::kEnough;  // [-] of the first fall of the potential
    Real negligible = 0;                              // a fall that ends the step, too [J]
};

class ProximalNewton {
public:
    // `linear` solves the condensed systems; null: there is none.
    explicit ProximalNewton(std::unique_ptr<LinearSolver> linear) : linear_(std::move(linear)) {}
    // Whether there is a linear solver. Without one nothing else may be called.
    bool available() const noexcept { return linear_ != nullptr; }
    void set_threads(const Team& team) noexcept { linear_->set_threads(team); }
    void prepare(const linalg::SaddlePattern& pattern);
    // Starts at (x, y), y in its admissible set.
    void load(const linalg::SaddleSystem& system, std::span<const RowGroup> groups,
              const Responses& responses, const linalg::SaddleSolution& solution) noexcept;
    // One proximal step; `solution` follows. Returns the number of factorisations.
    int step(const ProximalStep& how, linalg::SaddleSolution& solution) noexcept;

private:
    using Vector = std::vector<Real>;
    // A cone with a round section: the usual group.
    struct Disk {
        int row;
        Real mu, lean;  // friction; μ w_t/w_n
    };
    void list_disks() noexcept;
    Real friction(std::size_t group) const noexcept;
    void bound_friction(std::size_t group) noexcept;
    void correct_slips() noexcept;
    Real descend() noexcept;
    void weigh_rows(Real rho) noexcept;
    // P of one group at t.
    void project_at(std::size_t group, const Real* t, Real* y) const noexcept;
    // T of one group at t, for its rows of J; a cone's three by three, else its diagonal.
    void factor_at(std::size_t group, const Real* t, Mat3& T) const noexcept;
    void write_matrix() noexcept;
    void condense(std::size_t group, const Mat3& T) noexcept;
    void write_rows(std::size_t group, const Mat3& T) noexcept;
    // trial_t_ and trial_y_ at x + α dx; returns the derivative of the potential there.
    Real try_length(Real alpha) noexcept;
    // α of the last try_length().
    Real line_search(Real at_zero) noexcept;

    const linalg::SaddleSystem* system_ = nullptr;
    std::span<const RowGroup> groups_;
    const Responses* responses_ = nullptr;
    linalg::CondensedMatrix condensed_;
    std::unique_ptr<LinearSolver> linear_;
    linalg::SaddleSolution answer_;
    std::vector<Disk> disks_;
    std::vector<int> others_;         // groups that are none
    std::vector<bool> slides_;        // per group, where static and sliding friction differ
    Vector bound_;                    // per group: μ ȳ_n of a pyramid
    Vector lag_;                      // per group: μ|s̄_t| of a cone
    Vector x_, y_;                    // the current iterate
    Vector b_, w_, inverse_w_;        // per row: R y₀ + g, and R + Σ
    Vector c_, t_, change_;           // J x, the argument of P, J dx
    Vector trial_t_, trial_y_;        // t and y of the line search
    Vector hx_, hdx_;                 // H x, H dx
    Real slope_ = 0, curvature_ = 0;  // dxᵀ(H x − f), dxᵀH dx
};

}  // namespace taut::complementarity

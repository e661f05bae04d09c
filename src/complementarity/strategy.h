// What a solve with active sets is made of: strategies, each of which takes the iterate on in its own way, and the search that they
// share. active_set_solver.h has the list and the loop.
#pragma once

#include <algorithm>
#include <string_view>

#include "complementarity/inner_solver.h"
#include "complementarity/problem.h"
#include "complementarity/sweeps.h"

namespace taut::complementarity {

// One solve: the problem, its solvers, the iterate, the best iterate so far, and what was spent.
struct Search {
    explicit Search(std::unique_ptr<LinearSolver> linear) : inner(std::move(linear)) {}
    void prepare(const linalg::SaddlePattern& pattern);

    // Whether the residual is worth another turn of the list.
    bool wants_more() noexcept;
    bool is_spent() const noexcept { return report.iterations >= max_iterations; }
    // Without a warm start, or where masses differ by more than a factor of 1000, residuals may grow before they fall.
    bool is_hard() const noexcept { return cold || !problem.has_similar_masses(); }
    // The residual at which no further iterate is made.
    Real goal() const noexcept { return ActiveSetThresholds::kGoal * settings.tolerance; }
    // Remembers an iterate with its residual if that is the smallest so far.
    void keep_if_better(const linalg::SaddleSolution& solution, Real residual) noexcept;
    // Sweeps of Gauss–Seidel, from admissible impulses and the motion that belongs to them.
    void sweep(int count, linalg::SaddleSolution& solution) noexcept;

    InequalityProblem problem;
    InnerSolver inner;
    Sweeps sweeps;
    ComplementaritySettings settings;
    ComplementarityReport report;  // `residual` is that of `best`
    linalg::SaddleSolution* iterate = nullptr;
    linalg::SaddleSolution best;
    int max_iterations = 0;
    bool begun = false;       // there is a first guess
    bool cold = false;        // no warm start was given
    bool unbalanced = false;  // the forces of the warm start do not balance, and were not corrected
    bool as_it_is = false;    // the iterate is the result, whatever its residual
};

class Strategy {
public:
    enum class Turn {
        Done,   // the iterate is the result
        Moved,  // there is a new iterate: the list begins again
        Stuck,  // the next strategy of the list
    };
    virtual ~Strategy() = default;
    virtual std::string_view name() const noexcept = 0;
    virtual void prepare(const linalg::SaddlePattern&) {}
    // Forgets the last solve.
    virtual void reset() noexcept {}
    virtual bool applies(const Search& search) const noexcept = 0;
    virtual Turn run(Search& search) noexcept = 0;
};

}  // namespace taut::complementarity

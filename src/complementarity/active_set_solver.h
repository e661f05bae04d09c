// The default method, `newton`: strategies in a list, and one loop that drives them.
//
//     convex_step     in place of all others, where the caller asks for it
//     first_guess     once: the warm start, or a few sweeps of Gauss–Seidel
//     active_set      one linear system per active set, until the set no longer changes
//     proximal_steps  where active sets make no progress, unless the solve is hard: no warm start, or masses that differ by more
//                     than a factor of 1000
//     central_path    where these fail
//     sweeps          in place of the last two where the linear solver keeps no factor
//
// The first that applies and moves the iterate starts the list again; one that is stuck leaves the turn to the next. A problem that
// stays unsolved returns the best iterate, with admissible impulses and the motion that belongs to them.
//
// In a pile at rest the active set of the last step is right: one factorisation. The linear systems are solved by any solver of
// src/solver. `active_set_minres` is the same loop with MINRES: no factor, and friction along slips lagged.
#pragma once

#include <array>

#include "complementarity/active_set.h"
#include "complementarity/fallbacks.h"

namespace taut::complementarity {

class ActiveSetSolver final : public ComplementaritySolver {
public:
    // `condensed` solves the systems of proximal steps; null: they are not taken.
    explicit ActiveSetSolver(std::unique_ptr<LinearSolver> linear,
                             std::unique_ptr<LinearSolver> condensed = nullptr);
    void prepare(const linalg::SaddlePattern& pattern) override;
    void prepare_convex(const linalg::SaddlePattern& pattern) override;
    ComplementarityReport solve(const linalg::SaddleSystem& system,
                                std::span<const InequalityBlock> blocks,
                                linalg::SaddleSolution& solution,
                                const ComplementaritySettings& settings) noexcept override;
    bool wants_rank_terms() const noexcept override;
    void set_threads(const Team& team) noexcept override;

private:
    void drive() noexcept;
    void finish() noexcept;
    void make_admissible() noexcept;

    Search search_;
    ProximalNewton proximal_;  // of two strategies
    ConvexStep convex_step_{proximal_};
    FirstGuess first_guess_;
    ActiveSetNewton active_set_;
    ProximalSequence proximal_sequence_{proximal_};
    CentralPath central_path_;
    SweepsFromTheBest sweeps_;
    std::array<Strategy*, 6> strategies_;
};

}  // namespace taut::complementarity

// `pgs` and `nncg`: sweeps until the natural map is small. Cheap iterates, no factorisation; the number
// of sweeps grows with mass ratios and with the height of a pile: not the default.
//
// nncg makes a nonlinear conjugate gradient of the sweep [Silcowitz2010]: the change r that one
// sweep makes is taken as the negative gradient, β = |r|²/|r_old|² as Fletcher and Reeves do, and restarts
// where β > 1. Norms are weighted by d_i, so that Σ d_i r_i² is an energy. It also restarts where the residual has not
// fallen for a number of sweeps: with friction the problem is no minimisation. The best iterate is kept.
#pragma once

#include "complementarity/complementarity_solver.h"
#include "complementarity/problem.h"
#include "complementarity/sweeps.h"

namespace taut::complementarity {

class SweepSolver : public ComplementaritySolver {
public:
    void prepare(const linalg::SaddlePattern& pattern) override;
    ComplementarityReport solve(const linalg::SaddleSystem& system,
                                std::span<const InequalityBlock> blocks,
                                linalg::SaddleSolution& solution,
                                const ComplementaritySettings& settings) noexcept override;

protected:
    explicit SweepSolver(bool conjugate) : conjugate_(conjugate) {}

private:
    void extrapolate(linalg::SaddleSolution& solution) noexcept;

    bool conjugate_;
    InequalityProblem problem_;
    Sweeps sweeps_;
    linalg::SaddleSolution best_;
    std::vector<Real> before_, direction_;
    Real last_square_ = 0;
};

class PgsSolver final : public SweepSolver {
public:
    PgsSolver() : SweepSolver(false) {}
};

class NncgSolver final : public SweepSolver {
public:
    NncgSolver() : SweepSolver(true) {}
};

}  // namespace taut::complementarity

// The default: sparse block LDLᵀ with refinement when the measured residual asks for it.
#pragma once

#include "linalg/block_ldlt.h"
#include "solver/linear_solver.h"
#include "solver/refinement.h"

namespace taut::solver {

class BlockLdltSolver final : public LinearSolver {
public:
    void prepare(const linalg::SaddlePattern& pattern) override;
    SolveReport solve(const linalg::SaddleSystem& system, linalg::SaddleSolution& out,
                      Check check) noexcept override;
    bool takes_unsymmetric() const noexcept override { return false; }
    void set_threads(const Team& team) noexcept override { ldlt_.set_threads(team); }
    bool keeps_factor() const noexcept override { return true; }
    void solve_again(std::span<const Real> f, std::span<const Real> g,
                     linalg::SaddleSolution& out) noexcept override;

private:
    linalg::BlockLdlt ldlt_;
    Refinement refinement_;
};

}  // namespace taut::solver

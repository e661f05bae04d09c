// The default: sparse block LDLᵀ with refinement when the measured residual asks for it.
#pragma once

#include "linalg/block_ldlt.h"
#include "solver/direct_solver.h"

namespace taut::solver {

class BlockLdltSolver final : public DirectSolver {
public:
    std::string_view name() const noexcept override { return "ldlt"; }
    void prepare(const linalg::SaddlePattern& pattern) override;
    SolveReport solve(const linalg::SaddleSystem& system, linalg::SaddleSolution& out,
                      Check check) noexcept override;
    bool takes_unsymmetric() const noexcept override { return false; }
    void set_threads(const Team& team) noexcept override { ldlt_.set_threads(team); }
    // The floor acts on rows on cycles.
    bool factorise(const linalg::SaddleSystem& system, Real floor,
                   linalg::SaddleSolution& out) noexcept override;
    void solve_again(std::span<const Real> f, std::span<const Real> g,
                     linalg::SaddleSolution& out) noexcept override;
    bool eliminates_early() const noexcept override { return ldlt_.has_early(); }

private:
    linalg::BlockLdlt ldlt_;
};

}  // namespace taut::solver

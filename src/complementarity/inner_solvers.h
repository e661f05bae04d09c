// The linear solver inside the active-set iteration: solves the saddle system of one active set. `newton` factorises,
// `active_set_minres` iterates.
#pragma once

#include "complementarity/minres.h"
#include "complementarity/responses.h"
#include "complementarity/thresholds.h"
#include "linalg/block_ldlt.h"
#include "solver/refinement.h"

namespace taut::complementarity {

class InnerSolver {
public:
    virtual ~InnerSolver() = default;
    virtual void prepare(const linalg::SaddlePattern& pattern) = 0;
    // Solves H x − Jᵀy = f, J x + Σy = g. Redundant rows do not determine y: its free part stays as it is in the guess
    // `solution`. `careful` asks for more accuracy where redundant rows meet extreme mass ratios. Returns the number of
    // factorisations.
    virtual int solve(const linalg::SaddleSystem& system, const Responses& responses, bool careful,
                      linalg::SaddleSolution& solution) noexcept = 0;
    // The same matrix with the right-hand sides that `system` has at this call. `solution` as above, unchanged where it is
    // accurate enough. No factorisation.
    virtual void refine(const linalg::SaddleSystem& system,
                        linalg::SaddleSolution& solution) noexcept = 0;
    // One back substitution of (f, g) with the same matrix, without refinement.
    virtual void back_substitute(std::span<const Real> f, std::span<const Real> g,
                                 linalg::SaddleSolution& solution) noexcept = 0;
    // Whether back_substitute() is available: cheap and accurate enough for a Krylov iteration over it.
    virtual bool has_factor() const noexcept = 0;
    // Limit of iterations where the caller sets none.
    virtual int default_iterations() const noexcept = 0;
};

class LdltInner final : public InnerSolver {
public:
    void prepare(const linalg::SaddlePattern& pattern) override;
    int solve(const linalg::SaddleSystem& system, const Responses& responses, bool careful,
              linalg::SaddleSolution& solution) noexcept override;
    void refine(const linalg::SaddleSystem& system,
                linalg::SaddleSolution& solution) noexcept override;
    void back_substitute(std::span<const Real> f, std::span<const Real> g,
                         linalg::SaddleSolution& solution) noexcept override;
    bool has_factor() const noexcept override { return true; }
    int default_iterations() const noexcept override
    {
        return InnerSolverThresholds::kLdltIterations;
    }

private:
    linalg::BlockLdlt ldlt_;
    Refinement refinement_;
    Real good_ = RefinementThresholds::kGood;
    linalg::Residual residual_;
    linalg::SaddleSolution correction_;
};

class MinresInner final : public InnerSolver {
public:
    void prepare(const linalg::SaddlePattern& pattern) override { minres_.prepare(pattern); }
    int solve(const linalg::SaddleSystem& system, const Responses& responses, bool careful,
              linalg::SaddleSolution& solution) noexcept override;
    void refine(const linalg::SaddleSystem& system,
                linalg::SaddleSolution& solution) noexcept override;
    void back_substitute(std::span<const Real>, std::span<const Real>,
                         linalg::SaddleSolution&) noexcept override
    {}
    bool has_factor() const noexcept override { return false; }
    int default_iterations() const noexcept override
    {
        return InnerSolverThresholds::kMinresIterations;
    }

private:
    Minres minres_;
};

}  // namespace taut::complementarity

// How the saddle system of one guess of modes is solved: the seam between the active-set iteration and
// linear algebra. `newton` factorises, `active_set_minres` iterates.
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
    // Solves H x − Jᵀy = f, J x + Σy = g. Redundant rows leave y open: what is open stays as it is in
    // the guess `solution`. `careful` asks for more where redundant rows meet extreme masses. Returns the
    // number of factorisations.
    virtual int solve(const linalg::SaddleSystem& system, const Responses& responses, bool careful,
                      linalg::SaddleSolution& solution) noexcept = 0;
    // The same matrix, other right-hand sides: those of `system` now. `solution` as above, and left alone where
    // it is good enough. No factorisation.
    virtual void refine(const linalg::SaddleSystem& system,
                        linalg::SaddleSolution& solution) noexcept = 0;
    // A quick answer to (f, g) with the same matrix, for what refinement will judge anyway.
    virtual void answer(std::span<const Real> f, std::span<const Real> g,
                        linalg::SaddleSolution& solution) noexcept = 0;
    // Whether answer() is cheap and exact enough to carry a Krylov iteration of its own.
    virtual bool answers_well() const noexcept = 0;
    // How many systems of one solve are worth their time.
    virtual int usual_iterations() const noexcept = 0;
};

class LdltInner final : public InnerSolver {
public:
    void prepare(const linalg::SaddlePattern& pattern) override;
    int solve(const linalg::SaddleSystem& system, const Responses& responses, bool careful,
              linalg::SaddleSolution& solution) noexcept override;
    void refine(const linalg::SaddleSystem& system,
                linalg::SaddleSolution& solution) noexcept override;
    void answer(std::span<const Real> f, std::span<const Real> g,
                linalg::SaddleSolution& solution) noexcept override;
    bool answers_well() const noexcept override { return true; }
    int usual_iterations() const noexcept override
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
    void answer(std::span<const Real>, std::span<const Real>,
                linalg::SaddleSolution&) noexcept override
    {}
    bool answers_well() const noexcept override { return false; }
    int usual_iterations() const noexcept override
    {
        return InnerSolverThresholds::kMinresIterations;
    }

private:
    Minres minres_;
};

}  // namespace taut::complementarity

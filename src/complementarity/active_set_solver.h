// The default, `newton`: guess what every row does, solve one linear system for that guess, let the
// natural map correct the guess, until it stands. A semismooth Newton method on the natural map, or a
// primal-dual active set [Hueber2008], on the engine's sparse block LDLᵀ with its pattern fixed.
//
//     guess   ←  the impulses handed in, or a few sweeps of Gauss–Seidel
//     repeat     solve for the guess (one factorisation), friction along slips by GMRES over it
//                accepted?  the guess that the natural map makes of (y, s)
//     stuck      (no better, or worse by far): sweeps and steps of proximal_newton.h, then on; without a
//                guess, where masses differ by more than a thousand, or where these end nowhere, along
//                the central path of interior_point.h. Without friction first: one row at a time, the least index first,
//                which cannot cycle [Murty1974].
//     given up   the best that was seen, impulses admissible and the motion that they make
//
// In a pile at rest the guess of the last step is right: one factorisation. `active_set_minres` is the same iteration
// with MINRES in place of the factorisation, friction along slips lagged, and sweeps of Gauss–Seidel
// where it is stuck.
#pragma once

#include <cstdint>

#include "complementarity/active_system.h"
#include "complementarity/friction_coupling.h"
#include "complementarity/inner_solvers.h"
#include "complementarity/interior_point.h"
#include "complementarity/natural_map.h"
#include "complementarity/proximal_newton.h"
#include "complementarity/sweeps.h"
#include "complementarity/thresholds.h"

namespace taut::complementarity {

class ActiveSetSolver : public ComplementaritySolver {
public:
    void prepare(const linalg::SaddlePattern& pattern) override;
    ComplementarityReport solve(const linalg::SaddleSystem& system,
                                std::span<const InequalityBlock> blocks,
                                linalg::SaddleSolution& solution,
                                const ComplementaritySettings& settings) noexcept override;

protected:
    explicit ActiveSetSolver(std::unique_ptr<InnerSolver> inner) : inner_(std::move(inner)) {}

private:
    using Limits = ActiveSetThresholds;

    // Without impulses to start from, or where a body is more than a thousand times heavier than another, iterates
    // get worse before they get better.
    bool patient() const noexcept
    {
        return cold_ || responses_.mass_ratio() > linalg::FactorThresholds::kSimilarMassRatio;
    }
    bool settle(const linalg::SaddleSystem& system, const ComplementaritySettings& settings,
                linalg::SaddleSolution& solution, ComplementarityReport& report) noexcept;
    bool follow_path(const linalg::SaddleSystem& system, linalg::SaddleSolution& solution,
                     ComplementarityReport& report) noexcept;
    bool approach(const linalg::SaddleSystem& system, linalg::SaddleSolution& solution,
                  ComplementarityReport& report) noexcept;
    void make_consistent(const linalg::SaddleSystem& system, linalg::SaddleSolution& solution,
                         ComplementarityReport& report) noexcept;
    bool sweep_on(const linalg::SaddleSystem& system, linalg::SaddleSolution& solution,
                  ComplementarityReport& report) noexcept;
    void first_guess(const linalg::SaddleSystem& system, const ComplementaritySettings& settings,
                     linalg::SaddleSolution& solution, ComplementarityReport& report) noexcept;
    void sweep(const linalg::SaddleSystem& system, int count, linalg::SaddleSolution& solution,
               ComplementarityReport& report) noexcept;
    void iterate(bool careful, linalg::SaddleSolution& solution,
                 ComplementarityReport& report) noexcept;
    // Whether any group's mode changed; with `one_at_a_time` only the first that should.
    bool correct_guess(const linalg::SaddleSolution& solution, SlidingForm form,
                       bool one_at_a_time) noexcept;
    // Whether this set of rows was tried before and is no better now.
    bool returns(Real residual) noexcept;
    void keep(const linalg::SaddleSolution& solution) noexcept;

    std::unique_ptr<InnerSolver> inner_;
    InequalityRows rows_;
    Responses responses_;
    NaturalMap map_;
    Sweeps sweeps_;
    ActiveSystem active_;
    FrictionCoupling coupling_;
    std::vector<ActiveMode> modes_;
    linalg::SaddleSolution best_;
    linalg::SaddleSolution anchor_;  // what redundant rows leave open is taken from here
    ProximalNewton proximal_;
    bool approached_ = false;
    Real rho_ = 0;
    InteriorPoint path_method_;
    linalg::SaddleSolution path_;
    int most_ = 0;       // iterates
    bool cold_ = false;  // no impulses were handed in
    SlidingForm form_ = SlidingForm::Coupled;
    bool path_begun_ = false;
    Real path_goal_ = 0;
    int path_steps_ = 0;
    std::uint64_t seen_[Limits::kMemory] = {};
    Real seen_residual_[Limits::kMemory] = {};
    int seen_count_ = 0;
};

class ActiveSetLdltSolver final : public ActiveSetSolver {
public:
    ActiveSetLdltSolver() : ActiveSetSolver(std::make_unique<LdltInner>()) {}
};

class ActiveSetMinresSolver final : public ActiveSetSolver {
public:
    ActiveSetMinresSolver() : ActiveSetSolver(std::make_unique<MinresInner>()) {}
};

}  // namespace taut::complementarity

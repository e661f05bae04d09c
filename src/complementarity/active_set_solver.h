// The default method, `newton`: take a guess of the active set, solve one linear system for it, update the set by the natural map,
// and repeat until the set no longer changes. A semismooth Newton method on the natural map, also known as the primal-dual
// active set method [Hueber2008], on the engine's sparse block LDLᵀ with its pattern fixed.
//
//     active set  ←  from the warm start, or from a few sweeps of Gauss–Seidel
//     repeat         solve for the active set (one factorisation), friction along slips by GMRES over it
//                    accepted?  otherwise the active set that the natural map gives for (y, s)
//     no progress    (no better, or far worse): sweeps and steps of proximal_newton.h, then repeat. In a hard solve (no warm
//                    start, or masses that differ by more than a factor of 1000) or where these fail: along the central path of
//                    interior_point.h. Without friction first: one row at a time, the least index first, which cannot
//                    cycle [Murty1974].
//     unsolved       the best iterate, with admissible impulses and the motion that belongs to them
//
// In a pile at rest the active set of the last step is right: one factorisation. `active_set_minres` is the same iteration
// with MINRES in place of the factorisation, friction along slips lagged, and sweeps of Gauss–Seidel as its only fallback.
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
    void prepare_convex(const linalg::SaddlePattern& pattern) override;
    ComplementarityReport solve(const linalg::SaddleSystem& system,
                                std::span<const InequalityBlock> blocks,
                                linalg::SaddleSolution& solution,
                                const ComplementaritySettings& settings) noexcept override;

protected:
    explicit ActiveSetSolver(std::unique_ptr<InnerSolver> inner) : inner_(std::move(inner)) {}

private:
    using Limits = ActiveSetThresholds;

    // Without a warm start, or where masses differ by more than a factor of 1000, residuals may grow before they
    // fall.
    bool is_hard_solve() const noexcept
    {
        return cold_ || responses_.mass_ratio() > linalg::FactorThresholds::kSimilarMassRatio;
    }
    bool iterate_active_set(const linalg::SaddleSystem& system,
                            const ComplementaritySettings& settings,
                            linalg::SaddleSolution& solution,
                            ComplementarityReport& report) noexcept;
    bool try_central_path(const linalg::SaddleSystem& system, linalg::SaddleSolution& solution,
                          ComplementarityReport& report) noexcept;
    bool try_proximal_step(const linalg::SaddleSystem& system, linalg::SaddleSolution& solution,
                           ComplementarityReport& report) noexcept;
    void take_convex_step(const linalg::SaddleSystem& system,
                          const ComplementaritySettings& settings, linalg::SaddleSolution& solution,
                          ComplementarityReport& report) noexcept;
    void make_admissible(const linalg::SaddleSystem& system, linalg::SaddleSolution& solution,
                         ComplementarityReport& report) noexcept;
    bool restart_from_sweeps(const linalg::SaddleSystem& system, linalg::SaddleSolution& solution,
                             ComplementarityReport& report) noexcept;
    // Whether the settings ask for one convex step, and the system has what it is for.
    bool takes_convex_step(const ComplementaritySettings& settings) const noexcept;
    void load_first_modes(const linalg::SaddleSystem& system,
                          const ComplementaritySettings& settings, linalg::SaddleSolution& solution,
                          ComplementarityReport& report) noexcept;
    void sweep(const linalg::SaddleSystem& system, int count, linalg::SaddleSolution& solution,
               ComplementarityReport& report) noexcept;
    void iterate(bool careful, linalg::SaddleSolution& solution,
                 ComplementarityReport& report) noexcept;
    // Whether the mode of any group changed; with `one_at_a_time` only the first one that differs is changed.
    bool update_modes(const linalg::SaddleSolution& solution, SlidingForm form,
                      bool one_at_a_time) noexcept;
    // Whether this active set was tried before and its residual is not smaller now.
    bool is_cycling(Real residual) noexcept;
    void keep_best(const linalg::SaddleSolution& solution) noexcept;

    std::unique_ptr<InnerSolver> inner_;
    InequalityRows rows_;
    Responses responses_;
    NaturalMap map_;
    Sweeps sweeps_;
    ActiveSystem active_;
    FrictionCoupling coupling_;
    std::vector<ActiveMode> modes_;
    linalg::SaddleSolution best_;
    linalg::SaddleSolution anchor_;  // y in the null space of redundant rows is taken from here
    ProximalNewton proximal_;
    bool proximal_started_ = false;
    Real rho_ = 0;
    InteriorPoint interior_point_;
    linalg::SaddleSolution path_;
    int max_iterations_ = 0;
    bool cold_ = false;    // no warm start was given
    bool convex_ = false;  // one proximal step instead of active sets
    SlidingForm form_ = SlidingForm::Coupled;
    bool path_started_ = false;
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

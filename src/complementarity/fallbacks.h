// The strategies beside active sets: one convex step in their place, and what follows where they make no progress.
#pragma once

#include "complementarity/interior_point.h"
#include "complementarity/proximal_newton.h"
#include "complementarity/strategy.h"

namespace taut::complementarity {

// One proximal step in place of everything else, where the caller asks for it.
class ConvexStep final : public Strategy {
public:
    explicit ConvexStep(ProximalNewton& proximal) : proximal_(proximal) {}
    std::string_view name() const noexcept override { return "convex_step"; }
    bool applies(const Search& search) const noexcept override;
    Turn run(Search& search) noexcept override;

private:
    ProximalNewton& proximal_;
};

// Proximal steps with falling ρ, one a turn. They need impulses that are about right, and reach loads up to 1/ρ times heavier than
// the bodies that carry them: not for hard solves.
class ProximalSequence final : public Strategy {
public:
    explicit ProximalSequence(ProximalNewton& proximal) : proximal_(proximal) {}
    std::string_view name() const noexcept override { return "proximal_steps"; }
    void prepare(const linalg::SaddlePattern& pattern) override { point_.prepare(pattern); }
    void reset() noexcept override { begun_ = false; }
    bool applies(const Search& search) const noexcept override;
    Turn run(Search& search) noexcept override;

private:
    ProximalNewton& proximal_;
    linalg::SaddleSolution point_;
    bool begun_ = false;
    Real rho_ = 0;
};

// Along the central path, a stage a turn, each with a goal ten times smaller.
class CentralPath final : public Strategy {
public:
    std::string_view name() const noexcept override { return "central_path"; }
    void prepare(const linalg::SaddlePattern& pattern) override;
    void reset() noexcept override { begun_ = false; }
    bool applies(const Search& search) const noexcept override;
    Turn run(Search& search) noexcept override;

private:
    InteriorPoint interior_point_;
    linalg::SaddleSolution point_;
    bool begun_ = false;
    Real stage_goal_ = 0;
    int steps_ = 0;
};

// Without a factor: the best iterate, after sweeps of Gauss–Seidel, twice as many each time.
class SweepsFromTheBest final : public Strategy {
public:
    std::string_view name() const noexcept override { return "sweeps"; }
    bool applies(const Search& search) const noexcept override;
    Turn run(Search& search) noexcept override;
};

}  // namespace taut::complementarity

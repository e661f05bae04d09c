// The strategies that begin a solve: the first guess, and Newton's method on the active set.
#pragma once

#include <cstdint>

#include "complementarity/active_system.h"
#include "complementarity/friction_coupling.h"
#include "complementarity/strategy.h"

namespace taut::complementarity {

// Applies once, at the beginning: the warm start, or some sweeps of Gauss–Seidel where there is none.
class FirstGuess final : public Strategy {
public:
    std::string_view name() const noexcept override { return "first_guess"; }
    bool applies(const Search& search) const noexcept override { return !search.begun; }
    Turn run(Search& search) noexcept override;
};

// Solve for the active set of the iterate, update it by the natural map, and repeat until the set no longer changes: a
// semismooth Newton method on the natural map, also known as the primal-dual active set method [Hueber2008]. Where the set is right
// and the residual is not, the linear system is solved more carefully. Without friction, where sets cycle, one row at a time is
// changed, the least index first, which cannot cycle [Murty1974].
// Stuck where the residual does not fall: no better, or far worse.
class ActiveSetNewton final : public Strategy {
public:
    std::string_view name() const noexcept override { return "active_set"; }
    void prepare(const linalg::SaddlePattern& pattern) override;
    void reset() noexcept override { begun_ = false; }
    bool applies(const Search&) const noexcept override { return true; }
    Turn run(Search& search) noexcept override;

private:
    using Limits = ActiveSetThresholds;

    void begin(Search& search) noexcept;
    void solve_active_set(Search& search, bool careful) noexcept;
    // Whether the mode of any group changed; with `one_at_a_time` only the first one that differs is changed.
    bool update_modes(const Search& search, bool one_at_a_time) noexcept;
    // Whether this active set was tried before and its residual is not smaller now.
    bool is_cycling(const Search& search, Real residual) noexcept;

    ActiveSystem active_;
    FrictionCoupling coupling_;
    std::vector<ActiveMode> modes_;
    linalg::SaddleSolution anchor_;  // y in the null space of redundant rows is taken from here
    bool begun_ = false;
    std::uint64_t seen_[Limits::kMemory] = {};
    Real seen_residual_[Limits::kMemory] = {};
    int seen_count_ = 0;
};

}  // namespace taut::complementarity

// Anderson mixing: speeds up an iteration z ← z + f(z) that converges linearly, from its last few corrections.
//
//     γ = argmin ‖f_k − Σ γ_i (f_k − f_{k−i})‖,    z ← w_k − Σ γ_i (w_k − w_{k−i}),    w = z + f
//
// [Anderson1965; Walker2011]. z is the mean velocities and the forces of rows; the norm is that of the velocities, weighted by
// mass. Where some |γ| is above 3 the past misleads, and the correction is applied as it is.
#pragma once

#include <span>
#include <vector>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::stepper {

class AndersonMixing {
public:
    static constexpr int kDepth = 4;

    // Allocates. `weights`: per velocity; forces are not weighted.
    void prepare(std::vector<Real> weights, std::size_t forces);
    void reset() noexcept { count_ = 0; }
    // z = (velocities, forces) and its correction; z becomes the next iterate.
    void mix(std::span<Real> velocities, std::span<Real> forces,
             std::span<const Real> velocity_correction,
             std::span<const Real> force_correction) noexcept;

private:
    struct Entry {
        std::vector<Real> w;  // z + f, velocities first
        std::vector<Real> f;  // of the velocities
    };
    // How many of the last corrections take part, with their weights; 0: none, the past is of no use.
    int solve_for_weights(Real (&gamma)[kDepth]) noexcept;
    Entry& entry(int back) noexcept { return past_[(count_ - 1 - back) % (kDepth + 1)]; }

    std::vector<Real> weights_;
    std::size_t velocities_ = 0;
    Entry past_[kDepth + 1];  // a ring
    std::vector<Real> difference_[kDepth], weighted_;
    int count_ = 0;
};

}  // namespace taut::stepper

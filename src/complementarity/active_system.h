// The saddle system of one guess of modes, on the pattern of the whole: activity changes numbers only.
//
// A row without a law of its own now (open, at a bound, along a slip) becomes J = 0, Σ = 1, g = 0 and
// its impulse moves to the right-hand side; a slide's two tangents are turned to lie along and across
// the slip. Hard rows stay as they are. The impulses along slips are μ y_n, which no
// symmetric matrix can say; they are numbers z here, and friction_coupling.h finds them.
#pragma once

#include <span>
#include <vector>

#include "complementarity/active_modes.h"

namespace taut::complementarity {

class ActiveSystem {
public:
    // One impulse y = z along a slip, tied to its normal by z = ratio · y_n.
    struct Slip {
        int group;
        int tangent;  // 1 or 2
        Real ratio;
    };

    void prepare(const linalg::SaddlePattern& pattern);
    // The numbers that no activity changes.
    void load(const linalg::SaddleSystem& system, std::span<const RowGroup> groups) noexcept;
    // J, Σ, g and the part of f that does not depend on z.
    void build(std::span<const ActiveMode> modes) noexcept;
    // Writes f and g for impulses z along the slips.
    void set_slips(std::span<const Real> z) noexcept;
    // What z alone adds to f and g.
    void spread(std::span<const Real> z, std::span<Real> f, std::span<Real> g) const noexcept;
    // y of these rows from the y of the true ones: tangents turned, nothing where there is no row.
    void fold(std::span<Real> y) const noexcept;
    // y of the true rows from the y of these: fixed ones filled in, tangents turned back.
    void unfold(std::span<const Real> z, std::span<Real> y) const noexcept;

    const linalg::SaddleSystem& system() const noexcept { return active_; }
    std::span<const Slip> slips() const noexcept { return slips_; }
    int normal_row(const Slip& slip) const noexcept { return groups_[slip.group].row; }

private:
    void write_group(int group, const ActiveMode& mode) noexcept;
    // f += weight · (row of the dual's true J, turned)ᵀ
    void push(const RowGroup& group, const ActiveMode& mode, int row, Real weight,
              std::span<Real> f) const noexcept;

    const linalg::SaddleSystem* true_ = nullptr;
    std::span<const RowGroup> groups_;
    std::span<const ActiveMode> modes_;
    linalg::SaddleSystem active_;
    std::vector<Real> f_, g_;  // without z
    std::vector<Slip> slips_;
};

}  // namespace taut::complementarity

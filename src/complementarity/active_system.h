// The saddle system of one active set, on the pattern of the whole system: the active set changes numbers, not the pattern.
//
// An inactive row (open, at a bound, along a slip) becomes J = 0, Σ = 1, g = 0, and its impulse moves to the
// right-hand side. The two tangents of a sliding contact are rotated to lie along and across the slip. Active rows stay as
// they are. The impulses along slips are μ y_n, which a symmetric matrix cannot express; they are given numbers z here, and
// friction_coupling.h solves for them.
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
    // Copies the numbers that do not depend on the active set.
    void load(const linalg::SaddleSystem& system, std::span<const RowGroup> groups) noexcept;
    // J, Σ, g and the part of f that does not depend on z.
    void build(std::span<const ActiveMode> modes) noexcept;
    // Writes f and g for impulses z along the slips.
    void set_slips(std::span<const Real> z) noexcept;
    // Adds the contribution of z to f and g.
    void add_slip_impulses(std::span<const Real> z, std::span<Real> f,
                           std::span<Real> g) const noexcept;
    // From y of the given system to y of the active one: tangents rotated, zero for inactive rows.
    void to_active_rows(std::span<Real> y) const noexcept;
    // From y of the active system to y of the given one: fixed impulses filled in, tangents rotated back.
    void to_true_rows(std::span<const Real> z, std::span<Real> y) const noexcept;

    const linalg::SaddleSystem& system() const noexcept { return active_; }
    std::span<const Slip> slips() const noexcept { return slips_; }
    int normal_row(const Slip& slip) const noexcept { return groups_[slip.group].row; }

private:
    void write_group(int group, const ActiveMode& mode) noexcept;
    // f += weight · (row of the given J, rotated)ᵀ
    void add_impulse(const RowGroup& group, const ActiveMode& mode, int row, Real weight,
                     std::span<Real> f) const noexcept;

    const linalg::SaddleSystem* system_ = nullptr;
    std::span<const RowGroup> groups_;
    std::span<const ActiveMode> modes_;
    linalg::SaddleSystem active_;
    std::vector<Real> f_, g_;  // without z
    std::vector<Slip> slips_;
};

}  // namespace taut::complementarity

// Projected Gauss–Seidel, group by group: each contact, limit or joint in turn takes the impulse that its
// own law requires with all others held fixed. Shared by `pgs`, by `nncg` and by the fallback of `newton`.
//
// It works on s = (J D⁻¹Jᵀ + Σ) y + … without forming it: the state is x = D⁻¹(f + (D − H)x₀ + Jᵀy), and an
// impulse changes the x of two bodies. Where H couples bodies, D ≥ H is the majorant of responses.h and
// x₀ the x of the previous sweep: a monotone outer iteration whose fixed point is H x = f + Jᵀy.
#pragma once

#include <span>
#include <vector>

#include "complementarity/inequality_rows.h"
#include "complementarity/responses.h"

namespace taut::complementarity {

class Sweeps {
public:
    void prepare(const linalg::SaddlePattern& pattern);
    // Local matrices of every group. `responses` were computed for `system`. No allocation from here on.
    void load(const linalg::SaddleSystem& system, std::span<const RowGroup> groups,
              const Responses& responses) noexcept;
    // Computes the x that belongs to y; `x` is read where H couples bodies.
    void restart(std::span<Real> x, std::span<const Real> y) noexcept;
    // Forward, then backward through the groups; both x and y are kept up to date.
    void sweep(std::span<Real> x, std::span<Real> y) noexcept;

private:
    void relax(const RowGroup& group, const Real* local, std::span<Real> x,
               std::span<Real> y) noexcept;
    void refresh(std::span<Real> x) noexcept;

    const linalg::SaddleSystem* system_ = nullptr;
    std::span<const RowGroup> groups_;
    const Responses* responses_ = nullptr;
    std::vector<Real> local_;  // per group: equal: inverse; else the block itself
    std::vector<Real> excess_, next_excess_;
};

// The impulse of one cone with s = A y + b, all others held fixed; y is read as a guess.
void solve_cone(const RowGroup& group, const Mat3& A, const Vec3& b, Vec3& y) noexcept;

}  // namespace taut::complementarity

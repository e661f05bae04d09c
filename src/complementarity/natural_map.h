// The acceptance test that all solvers share: how far (x, y) is from satisfying momentum balance and the laws of its rows.
//
// Rows: the natural map in units of velocity, d_i the effective inverse mass of the row (responses.h):
//     equal         e = s
//     non_negative  e = min(d y, s)
//     interval      e = d y − clamp(d y − s, d lower, d upper)
//     cone          e_n = min(d_n y_n, s_n);  e_t = d_t y_t − P(d_t y_t − s_t),  P onto the disk (or square) of
//                   radius d_t μ y_n⁺, d_t the larger of the two tangents; with two coefficients
//                   the smaller of |e_t| at μ_d and max(|s_t|, d_t(|y_t| − μ_s y_n⁺)), sticking
// zero exactly where the law holds. It is divided by t_i = |g| + Σ_j|J_j x_j| + |Σy| + Σ_j |J_j|_D⁻¹|f_j|_D⁻¹: the
// velocities that have to cancel, and those that the bodies would have without constraints. That is a velocity again, and no
// term in it mixes masses. No scale is below a thousandth of the largest one.
// Bodies: |f − Hx + Jᵀy|_D⁻¹ divided by |f|_D⁻¹ + |x|_D, both the square root of an energy of that body alone.
// Round-off of the terms that cancel is subtracted first: 16 ε Σ_k|J_kᵀy_k|_D⁻¹ for a body, whose momentum under a load of 1e9
// times its own weight is not known better, 16 ε d μ y_n for the impulse of a sliding contact, and that of g where the caller
// states one: a gap known to 1e-16 m asks for a velocity known to 1e-11 m/s in a step of 1e-5 s.
#pragma once

#include <span>
#include <vector>

#include "complementarity/inequality_rows.h"
#include "complementarity/responses.h"

namespace taut::complementarity {

class NaturalMap {
public:
    void prepare(const linalg::SaddlePattern& pattern);
    // The largest of the ratios; infinite where the solution is not finite. Allocates nothing.
    Real measure(const linalg::SaddleSystem& system, std::span<const RowGroup> groups,
                 const Responses& responses, std::span<const Real> x,
                 std::span<const Real> y) noexcept;
    // The ratio of the bodies alone, of the last measurement.
    Real body_residual() const noexcept { return body_residual_; }
    // s = J x + Σy − g of the last measurement.
    std::span<const Real> s() const noexcept { return s_; }
    // The largest t_i of the last measurement: a typical velocity of the problem [m/s].
    Real typical_speed() const noexcept { return typical_; }

private:
    void measure_rows(const linalg::SaddleSystem& system, const Responses& responses,
                      std::span<const Real> x, std::span<const Real> y) noexcept;
    Real worst_row(std::span<const RowGroup> groups, const Responses& responses,
                   std::span<const Real> y) noexcept;
    Real worst_body(const linalg::SaddleSystem& system, const Responses& responses,
                    std::span<const Real> x) const noexcept;

    std::vector<Real> s_, speed_;  // the rows' values; Σ_j |J_j x_j| + |Σy| + |g|
    std::vector<Real> free_;       // |f_j|_D⁻¹ per primal
    std::vector<Real> momentum_;   // f − H x + Jᵀy
    Real typical_ = 0, body_residual_ = 0;
    std::vector<Real> round_;  // per primal: Σ_k |J_kᵀy_k|_D⁻¹
};

// |e| of one group as above; d its responses.
Real natural_map_error(const RowGroup& group, const Real* y, const Real* s, const Real* d) noexcept;

// Projects y onto the admissible set of the group, normal first, then tangents.
void project(const RowGroup& group, Real* y) noexcept;

// Counts for the report.
void count_active(std::span<const RowGroup> groups, std::span<const Real> y,
                  ComplementarityReport& report) noexcept;

}  // namespace taut::complementarity

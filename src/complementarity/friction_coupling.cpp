#include "complementarity/friction_coupling.h"

#include <algorithm>
#include <cmath>

#include "complementarity/thresholds.h"
#include "core/assert.h"

namespace taut::complementarity {

void FrictionCoupling::prepare(const linalg::SaddlePattern& pattern)
{
    // at most two slips in three rows
    const std::size_t most = pattern.dual_unknowns;
    for (auto* v : {&z_, &gap_, &weight_, &scratch_}) v->assign(most, 0);
    gmres_.prepare(most);
    f_.assign(pattern.primal_unknowns, 0);
    g_.assign(pattern.dual_unknowns, 0);
    answer_.prepare(pattern);
}

void FrictionCoupling::load(const ActiveSystem& active, std::span<const Real> y) noexcept
{
    TAUT_ASSERT(active.slips().size() <= z_.size());
    count_ = active.slips().size();
    for (std::size_t i = 0; i < count_; ++i) {
        const auto& slip = active.slips()[i];
        z_[i] = slip.ratio * std::max(y[active.normal_row(slip)], Real(0));
    }
}

Real FrictionCoupling::coupling_residual(const ActiveSystem& active, const Responses& responses,
                                         std::span<const Real> y) noexcept
{
    Real gap = 0, size = 0;
    for (std::size_t i = 0; i < count_; ++i) {
        const auto& slip = active.slips()[i];
        const int row = active.normal_row(slip);
        weight_[i] = std::sqrt(responses.row(row));
        gap_[i] = weight_[i] * (slip.ratio * y[row] - z_[i]);
        gap += gap_[i] * gap_[i];
        size += weight_[i] * weight_[i] * z_[i] * z_[i];
    }
    return gap > 0 ? std::sqrt(gap / (gap + size)) : 0;
}

Real FrictionCoupling::solve_coupling(ActiveSystem& active, InnerSolver& inner,
                                      const Responses& responses,
                                      linalg::SaddleSolution& solution) noexcept
{
    TAUT_ASSERT(active.slips().size() == count_);
    Real gap = coupling_residual(active, responses, solution.y);
    if (!inner.has_factor()) return gap;
    for (int k = 0; k < FrictionCouplingThresholds::kCorrections &&
                    gap > FrictionCouplingThresholds::kAgreed && std::isfinite(gap);
         ++k) {
        correct(active, inner, solution);
        active.set_slips(z());
        inner.refine(active.system(), solution);
        const Real better = coupling_residual(active, responses, solution.y);
        if (!(better < FrictionCouplingThresholds::kProgress * gap)) return better;
        gap = better;
    }
    return gap;
}

// answer_ ← the response of the active system to impulses `z` along the slips.
void FrictionCoupling::respond(const ActiveSystem& active, InnerSolver& inner,
                               std::span<const Real> z) noexcept
{
    std::fill(f_.begin(), f_.end(), Real(0));
    std::fill(g_.begin(), g_.end(), Real(0));
    active.add_slip_impulses(z, f_, g_);
    inner.back_substitute(f_, g_, answer_);
}

// out = W (ratio · y_n) of the impulses W⁻¹v along the slips.
void FrictionCoupling::apply(const ActiveSystem& active, InnerSolver& inner, const Real* v,
                             Real* out) noexcept
{
    for (std::size_t i = 0; i < count_; ++i) scratch_[i] = v[i] / weight_[i];
    respond(active, inner, {scratch_.data(), count_});
    for (std::size_t i = 0; i < count_; ++i) {
        const auto& slip = active.slips()[i];
        out[i] = weight_[i] * slip.ratio * answer_.y[active.normal_row(slip)];
    }
}

void FrictionCoupling::correct(const ActiveSystem& active, InnerSolver& inner,
                               linalg::SaddleSolution& solution) noexcept
{
    gmres_.solve(gap_.data(), count_, FrictionCouplingThresholds::kTolerance,
                 [&](const Real* v, Real* out) { apply(active, inner, v, out); });
    for (std::size_t i = 0; i < count_; ++i) {
        scratch_[i] = gap_[i] / weight_[i];
        z_[i] += scratch_[i];
    }
    // by the response to the change alone: with a new solve the impulses of redundant normals would change again
    // (inner_solver.cpp) and z would never converge
    respond(active, inner, {scratch_.data(), count_});
    for (std::size_t i = 0; i < solution.x.size(); ++i) solution.x[i] += answer_.x[i];
    for (std::size_t i = 0; i < solution.y.size(); ++i) solution.y[i] += answer_.y[i];
}

}  // namespace taut::complementarity

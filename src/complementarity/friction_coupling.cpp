#include "complementarity/friction_coupling.h"

#include <algorithm>
#include <cmath>

namespace taut {

void FrictionCoupling::attach(const linalg::SaddlePattern& pattern)
{
    // at most two slips in three rows
    const std::size_t most = pattern.dual_unknowns;
    for (auto* v : {&z_, &gap_, &weight_, &scratch_}) v->assign(most, 0);
    gmres_.attach(most);
    f_.assign(pattern.primal_unknowns, 0);
    g_.assign(pattern.dual_unknowns, 0);
    answer_.attach(pattern);
}

void FrictionCoupling::start(const ActiveSystem& active, std::span<const Real> y) noexcept
{
    count_ = active.slips().size();
    for (std::size_t i = 0; i < count_; ++i) {
        const auto& slip = active.slips()[i];
        z_[i] = slip.ratio * std::max(y[active.normal_row(slip)], Real(0));
    }
}

Real FrictionCoupling::disagreement(const ActiveSystem& active, const Responses& responses,
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

Real FrictionCoupling::agree(ActiveSystem& active, InnerSolver& inner, const Responses& responses,
                             linalg::SaddleSolution& solution) noexcept
{
    constexpr Real kAgreed = 1e-14;
    constexpr int kMost = 3;  // the first correction is exact but for the redundancy floor
    Real gap = disagreement(active, responses, solution.y);
    if (!inner.answers_well()) return gap;
    for (int k = 0; k < kMost && gap > kAgreed && std::isfinite(gap); ++k) {
        correct(active, inner);
        active.set_slips(z());
        inner.solve_again(active.system(), solution);
        const Real better = disagreement(active, responses, solution.y);
        if (!(better < 0.5 * gap)) return better;
        gap = better;
    }
    return gap;
}

// out = W (ratio · y_n) of the impulses W⁻¹v along the slips.
void FrictionCoupling::apply(const ActiveSystem& active, InnerSolver& inner, const Real* v,
                             Real* out) noexcept
{
    for (std::size_t i = 0; i < count_; ++i) scratch_[i] = v[i] / weight_[i];
    std::fill(f_.begin(), f_.end(), Real(0));
    std::fill(g_.begin(), g_.end(), Real(0));
    active.spread({scratch_.data(), count_}, f_, g_);
    inner.answer(f_, g_, answer_);
    for (std::size_t i = 0; i < count_; ++i) {
        const auto& slip = active.slips()[i];
        out[i] = weight_[i] * slip.ratio * answer_.y[active.normal_row(slip)];
    }
}

void FrictionCoupling::correct(const ActiveSystem& active, InnerSolver& inner) noexcept
{
    constexpr Real kSmall = 1e-12;
    gmres_.solve(gap_.data(), count_, kSmall,
                 [&](const Real* v, Real* out) { apply(active, inner, v, out); });
    for (std::size_t i = 0; i < count_; ++i) z_[i] += gap_[i] / weight_[i];
}

}  // namespace taut

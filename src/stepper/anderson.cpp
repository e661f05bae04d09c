#include "stepper/anderson.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Cholesky>

#include "stepper/guard_settings.h"

namespace taut::stepper {
namespace {

using Numbers = Eigen::Map<Eigen::ArrayXd>;
using ConstNumbers = Eigen::Map<const Eigen::ArrayXd>;

Numbers part_of(std::vector<Real>& all, std::size_t first, std::size_t count) noexcept
{
    return {all.data() + first, static_cast<Eigen::Index>(count)};
}
ConstNumbers part_of(std::span<const Real> all) noexcept
{
    return {all.data(), static_cast<Eigen::Index>(all.size())};
}

}  // namespace

void AndersonMixing::prepare(std::vector<Real> weights, std::size_t forces)
{
    velocities_ = weights.size();
    weights_ = std::move(weights);
    for (Entry& entry : past_) {
        entry.w.assign(velocities_ + forces, 0);
        entry.f.assign(velocities_, 0);
    }
    for (std::vector<Real>& each : difference_) each.assign(velocities_, 0);
    weighted_.assign(velocities_, 0);
    count_ = 0;
}

int AndersonMixing::solve_for_weights(Real (&gamma)[kDepth]) noexcept
{
    constexpr MixingSettings kMixing = kGuard.mixing;
    const int depth = std::min(count_ - 1, kDepth);
    if (depth == 0) return 0;
    using Small = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, 0, kDepth, kDepth>;
    using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1, 0, kDepth, 1>;
    Small A(depth, depth);
    Column b(depth);
    const std::size_t n = velocities_;
    const auto now = part_of(entry(0).f, 0, n), weights = part_of(weights_, 0, n);
    auto weighted = part_of(weighted_, 0, n);
    for (int i = 0; i < depth; ++i) {
        auto difference = part_of(difference_[i], 0, n);
        difference = now - part_of(entry(i + 1).f, 0, n);
        weighted = weights * difference;
        for (int j = 0; j <= i; ++j)
            A(i, j) = A(j, i) = (weighted * part_of(difference_[j], 0, n)).sum();
        b[i] = (weighted * now).sum();
    }
    // columns that depend on each other must not have large weights of opposite sign
    A.diagonal().array() *= 1 + kMixing.regularisation;
    const Eigen::LDLT<Small> factor(A);
    if (factor.info() != Eigen::Success) return 0;
    const Column x = factor.solve(b);
    for (int i = 0; i < depth; ++i) {
        if (!(std::abs(x[i]) <= kMixing.most_weight)) return 0;
        gamma[i] = x[i];
    }
    return depth;
}

void AndersonMixing::mix(std::span<Real> velocities, std::span<Real> forces,
                         std::span<const Real> velocity_correction,
                         std::span<const Real> force_correction) noexcept
{
    ++count_;
    Entry& now = entry(0);
    part_of(now.f, 0, velocities_) = part_of(velocity_correction);
    part_of(now.w, 0, velocities_) = part_of(velocities) + part_of(velocity_correction);
    part_of(now.w, velocities_, forces.size()) = part_of(forces) + part_of(force_correction);
    Real gamma[kDepth];
    const int depth = solve_for_weights(gamma);
    const auto put = [&](std::size_t first, std::span<Real> out) {
        Numbers z(out.data(), static_cast<Eigen::Index>(out.size()));
        const auto last = part_of(now.w, first, out.size());
        const auto past = [&](int i) { return part_of(entry(i).w, first, out.size()); };
        // two of them in one pass over the numbers
        if (depth == 0) z = last;
        if (depth == 1) z = (1 - gamma[0]) * last + gamma[0] * past(1);
        if (depth < 2) return;
        z = (1 - gamma[0] - gamma[1]) * last + gamma[0] * past(1) + gamma[1] * past(2);
        if (depth == 3) z += gamma[2] * (past(3) - last);
        if (depth == 4) z += gamma[2] * (past(3) - last) + gamma[3] * (past(4) - last);
    };
    put(0, velocities);
    put(velocities_, forces);
}

}  // namespace taut::stepper

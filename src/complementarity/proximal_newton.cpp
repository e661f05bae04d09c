#include "complementarity/proximal_newton.h"

#include <algorithm>
#include <cmath>

#include "complementarity/thresholds.h"
#include "core/assert.h"
#include "linalg/saddle_ops.h"

namespace taut::complementarity {
namespace {

bool is_disk(const RowGroup& group) { return group.kind == RowGroup::Kind::Cone && !group.pyramid; }

// Onto the surface of the cone along its normal in the metric w; zero at the apex.
inline void project_disk(Real mu, Real lean, const Real* t, Real* y) noexcept
{
    const Real length = norm(t[1], t[2]);
    y[0] = t[0];
    y[1] = t[1];
    y[2] = t[2];
    if (length <= mu * t[0]) return;
    y[0] = std::max((t[0] + lean * length) / (1 + lean * mu), Real(0));
    const Real shrink = length > 0 ? mu * y[0] / length : 0;
    y[1] *= shrink;
    y[2] *= shrink;
}

}  // namespace

void ProximalNewton::prepare(const linalg::SaddlePattern& pattern)
{
    using Scope = linalg::CondensedMatrix::Scope;
    condensed_.prepare(pattern, linear_->wants_rank_terms() ? Scope::Nothing : Scope::EarlyDuals);
    linear_->prepare(condensed_.pattern());
    answer_.prepare(condensed_.pattern());
    slides_.reserve(pattern.dual_unknowns);
    bound_.reserve(pattern.dual_unknowns);
    for (auto* v : {&x_, &hx_, &hdx_}) v->assign(pattern.primal_unknowns, 0);
    for (auto* v : {&y_, &b_, &w_, &inverse_w_, &c_, &t_, &change_, &trial_t_, &trial_y_})
        v->assign(pattern.dual_unknowns, 0);
    lag_.reserve(pattern.dual_unknowns);
    disks_.reserve(pattern.dual_unknowns);
    others_.reserve(pattern.dual_unknowns);
}

void ProximalNewton::load(const linalg::SaddleSystem& system, std::span<const RowGroup> groups,
                          const Responses& responses,
                          const linalg::SaddleSolution& solution) noexcept
{
    TAUT_ASSERT(solution.x.size() == x_.size() && solution.y.size() == y_.size());
    system_ = &system;
    groups_ = groups;
    responses_ = &responses;
    slides_.assign(groups.size(), false);
    bound_.assign(groups.size(), 0);
    lag_.assign(groups.size(), 0);
    std::copy(solution.x.begin(), solution.x.end(), x_.begin());
    std::copy(solution.y.begin(), solution.y.end(), y_.begin());
    linalg::SaddleSystem& newton = condensed_.system();
    std::fill(newton.sigma.begin(), newton.sigma.end(), Real(1));
    std::fill(newton.g.begin(), newton.g.end(), Real(0));
    linalg::multiply_masses(*system_, x_, hx_);
    linalg::multiply_rows(*system_, x_, c_);
}

// --- the problem of one step ---

// w and b at the current impulses and slips. Both tangents of a cone have the same weight.
void ProximalNewton::weigh_rows(Real rho) noexcept
{
    const auto d = responses_->rows();
    const auto& sigma = system_->sigma;
    for (const RowGroup& group : groups_) {
        const int k = group.row;
        const Real weight = group.kind == RowGroup::Kind::Equal
                                ? ProximalNewtonThresholds::kEqualityWeight * rho
                                : rho;
        for (int r = k; r < k + group.rows; ++r) w_[r] = weight * d[r] + sigma[r];
        if (group.kind == RowGroup::Kind::Cone)
            w_[k + 1] = w_[k + 2] =
                rho * std::max(d[k + 1], d[k + 2]) + std::max(sigma[k + 1], sigma[k + 2]);
    }
    for (std::size_t r = 0; r < w_.size(); ++r) {
        b_[r] = (w_[r] - sigma[r]) * y_[r] + system_->g[r];
        inverse_w_[r] = 1 / w_[r];
    }
    for (std::size_t i = 0; i < groups_.size(); ++i)
        if (groups_[i].kind == RowGroup::Kind::Cone) bound_friction(i);
}

void ProximalNewton::bound_friction(std::size_t i) noexcept
{
    const RowGroup& group = groups_[i];
    const int k = group.row;
    if (group.sliding < group.friction) {
        const Real length = group.pyramid ? std::max(std::abs(y_[k + 1]), std::abs(y_[k + 2]))
                                          : norm(y_[k + 1], y_[k + 2]);
        const Real most = (slides_[i] ? group.sliding : group.friction) * y_[k];
        slides_[i] = y_[k] > 0 && length >= NaturalMapThresholds::kAtFrictionBound * most;
    }
    bound_[i] = friction(i) * y_[k];
}

Real ProximalNewton::friction(std::size_t i) const noexcept
{
    return slides_[i] ? groups_[i].sliding : groups_[i].friction;
}

void ProximalNewton::list_disks() noexcept
{
    disks_.clear();
    others_.clear();
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const int k = groups_[i].row;
        const Real mu = friction(i);
        if (is_disk(groups_[i]))
            disks_.push_back({k, mu, mu * w_[k + 1] * inverse_w_[k]});
        else
            others_.push_back(static_cast<int>(i));
    }
}

// De Saxcé's correction at the slip of x.
void ProximalNewton::correct_slips() noexcept
{
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        if (!is_disk(groups_[i])) continue;
        const int k = groups_[i].row;
        lag_[i] = friction(i) * norm(c_[k + 1] - system_->g[k + 1], c_[k + 2] - system_->g[k + 2]);
    }
}

// --- one group ---

void ProximalNewton::project_at(std::size_t i, const Real* t, Real* y) const noexcept
{
    const RowGroup& group = groups_[i];
    switch (group.kind) {
        case RowGroup::Kind::Equal: std::copy_n(t, group.rows, y); return;
        case RowGroup::Kind::NonNegative: y[0] = std::max(t[0], Real(0)); return;
        case RowGroup::Kind::Interval: y[0] = std::clamp(t[0], group.lower, group.upper); return;
        case RowGroup::Kind::Cone: break;
    }
    if (group.pyramid) {
        y[0] = std::max(t[0], Real(0));
        for (int r = 1; r < 3; ++r) y[r] = std::clamp(t[r], -bound_[i], bound_[i]);
        return;
    }
    const int k = group.row;
    const Real mu = friction(i);
    project_disk(mu, mu * w_[k + 1] * inverse_w_[k], t, y);
}

void ProximalNewton::factor_at(std::size_t i, const Real* t, Mat3& T) const noexcept
{
    const RowGroup& group = groups_[i];
    const int k = group.row;
    T.setZero();
    const auto root = [&](int r) { return std::sqrt(inverse_w_[k + r]); };
    if (!is_disk(group)) {
        if (group.kind == RowGroup::Kind::Interval) {
            if (t[0] > group.lower && t[0] < group.upper) T(0, 0) = root(0);
            return;
        }
        if (t[0] > 0) T(0, 0) = root(0);
        for (int r = 1; r < group.rows; ++r)
            if (std::abs(t[r]) < bound_[i]) T(r, r) = root(r);
        return;
    }
    const Real mu = friction(i);
    const Real length = norm(t[1], t[2]);
    if (length <= mu * t[0]) {
        for (int r = 0; r < 3; ++r) T(r, r) = root(r);
        return;
    }
    Real y[3];
    project_at(i, t, y);
    if (!(y[0] > 0)) return;
    // along the surface of the cone, (1, μ t̂) in impulses, and around it
    const Real steep = mu * std::sqrt(w_[k + 1] / w_[k]);
    const Real c = t[1] / length, s = t[2] / length;
    const Real scale = 1 / std::sqrt(1 + steep * steep);
    T(0, 0) = scale * root(0);
    T(0, 1) = scale * steep * c * root(1);
    T(0, 2) = scale * steep * s * root(2);
    const Real around = std::sqrt(mu * y[0] / length);
    T(1, 1) = -around * s * root(1);
    T(1, 2) = around * c * root(2);
}

// --- all of them ---

// H + JᵀTᵀT J and the rows T J that stay.
void ProximalNewton::write_matrix() noexcept
{
    condensed_.load(*system_);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        Mat3 T;
        if (groups_[i].kind != RowGroup::Kind::Equal) factor_at(i, &t_[groups_[i].row], T);
        if (condensed_.place_of(groups_[i].dual) < 0)
            condense(i, T);
        else
            write_rows(i, T);
    }
}

void ProximalNewton::condense(std::size_t i, const Mat3& T) noexcept
{
    const RowGroup& group = groups_[i];
    if (group.kind == RowGroup::Kind::Cone) {
        if (T.isZero(0)) return;
        const Mat3 A = T.transpose() * T;
        condensed_.add_three(*system_, group.dual, group.local, A.data());
        return;
    }
    for (int r = 0; r < group.rows; ++r) {
        const bool equal = group.kind == RowGroup::Kind::Equal;
        const Real a = equal ? inverse_w_[group.row + r] : T(r, r) * T(r, r);
        if (a > 0) condensed_.add_one(*system_, group.dual, group.local + r, a);
    }
}

void ProximalNewton::write_rows(std::size_t i, const Mat3& T) noexcept
{
    const auto &p = *system_->pattern, &reduced = condensed_.pattern();
    const RowGroup& group = groups_[i];
    const auto &dual = p.duals[group.dual], &kept = reduced.duals[condensed_.place_of(group.dual)];
    for (int n = 0; n < dual.touches; ++n) {
        const auto& touch = p.touches[dual.first_touch + n];
        const int size = p.primals[touch.primal].size;
        const Real* const from = &system_->J[touch.block + group.local * size];
        Real* const to = &condensed_.system()
                              .J[reduced.touches[kept.first_touch + n].block + group.local * size];
        for (int r = 0; r < group.rows; ++r)
            for (int c = 0; c < size; ++c) {
                Real sum = 0;
                if (group.kind == RowGroup::Kind::Equal)
                    sum = from[r * size + c] * std::sqrt(inverse_w_[group.row + r]);
                else
                    for (int q = 0; q < group.rows; ++q) sum += T(r, q) * from[q * size + c];
                to[r * size + c] = sum;
            }
    }
}

Real ProximalNewton::try_length(Real alpha) noexcept
{
    for (std::size_t r = 0; r < t_.size(); ++r)
        trial_t_[r] = t_[r] - alpha * change_[r] * inverse_w_[r];
    Real sum = slope_ + alpha * curvature_;
    for (const Disk& disk : disks_) {
        Real* const y = &trial_y_[disk.row];
        project_disk(disk.mu, disk.lean, &trial_t_[disk.row], y);
        const Real* const change = &change_[disk.row];
        sum -= y[0] * change[0] + y[1] * change[1] + y[2] * change[2];
    }
    for (const int i : others_) {
        const int k = groups_[i].row;
        project_at(i, &trial_t_[k], &trial_y_[k]);
        for (int r = k; r < k + groups_[i].rows; ++r) sum -= trial_y_[r] * change_[r];
    }
    return sum;
}

// The potential is convex: its slope rises through zero, once.
Real ProximalNewton::line_search(Real at_zero) noexcept
{
    Real low = 0, high = 1, slope_low = at_zero, slope_high = try_length(1);
    if (slope_high <= -ProximalNewtonThresholds::kFlat * at_zero) return 1;
    Real alpha = 1;
    for (int k = 0; k < ProximalNewtonThresholds::kLineSearchIterations; ++k) {
        // the secant, kept away from both ends
        const Real part = slope_low / (slope_low - slope_high);
        alpha = low + (high - low) * std::clamp(part, ProximalNewtonThresholds::kSecantLow,
                                                ProximalNewtonThresholds::kSecantHigh);
        const Real now = try_length(alpha);
        if (std::abs(now) <= -ProximalNewtonThresholds::kFlat * at_zero) break;
        if (now < 0) {
            low = alpha;
            slope_low = now;
        } else {
            high = alpha;
            slope_high = now;
        }
    }
    return alpha;
}

int ProximalNewton::step(const ProximalStep& how, linalg::SaddleSolution& solution) noexcept
{
    TAUT_ASSERT(system_ != nullptr);
    TAUT_ASSERT(how.rho > 0);
    weigh_rows(how.rho);
    list_disks();
    correct_slips();
    for (std::size_t r = 0; r < t_.size(); ++r) t_[r] = (b_[r] - c_[r]) * inverse_w_[r];
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const int k = groups_[i].row;
        if (is_disk(groups_[i])) t_[k] -= lag_[i] * inverse_w_[k];
        project_at(i, &t_[k], &y_[k]);
    }
    linalg::SaddleSystem& newton = condensed_.system();
    Real first = 0;
    int count = 0;
    while (count < how.factorisations) {
        // (H + JᵀTᵀT J) dx = f − H x + Jᵀy
        write_matrix();
        for (std::size_t k = 0; k < x_.size(); ++k) newton.f[k] = system_->f[k] - hx_[k];
        linalg::add_row_impulses(*system_, y_, newton.f);
        if (!linear_->factorise(newton, 0, answer_)) break;
        ++count;
        const Real fall = descend();
        if (count == 1) first = fall;
        if (!(fall > std::max(how.enough * first, how.negligible))) break;
    }
    std::copy(x_.begin(), x_.end(), solution.x.begin());
    std::copy(y_.begin(), y_.end(), solution.y.begin());
    return count;
}

// Moves along answer_.x to the minimum of the potential. Returns the initial slope, negated; zero where it does not fall.
Real ProximalNewton::descend() noexcept
{
    linalg::multiply_masses(*system_, answer_.x, hdx_);
    linalg::multiply_rows(*system_, answer_.x, change_);
    slope_ = curvature_ = 0;
    Real size = 0;
    for (std::size_t k = 0; k < x_.size(); ++k) {
        const Real dx = answer_.x[k];
        slope_ += dx * (hx_[k] - system_->f[k]);
        curvature_ += dx * hdx_[k];
        size += std::abs(dx * hx_[k]) + std::abs(dx * system_->f[k]);
    }
    Real at_zero = slope_;
    for (std::size_t r = 0; r < y_.size(); ++r) at_zero -= y_[r] * change_[r];
    if (!std::isfinite(at_zero) || !(at_zero < -ProximalNewtonThresholds::kRoundOff * size))
        return 0;
    const Real alpha = line_search(at_zero);
    for (std::size_t k = 0; k < x_.size(); ++k) {
        x_[k] += alpha * answer_.x[k];
        hx_[k] += alpha * hdx_[k];
    }
    for (std::size_t k = 0; k < c_.size(); ++k) c_[k] += alpha * change_[k];
    t_.swap(trial_t_);
    y_.swap(trial_y_);
    return -at_zero;
}

}  // namespace taut::complementarity

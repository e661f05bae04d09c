#include "complementarity/active_system.h"

#include <algorithm>

#include "core/assert.h"

namespace taut::complementarity {

using Row = ActiveMode::Row;

void ActiveSystem::prepare(const linalg::SaddlePattern& pattern)
{
    active_.prepare(pattern);
    f_.assign(pattern.primal_unknowns, 0);
    g_.assign(pattern.dual_unknowns, 0);
    slips_.reserve(pattern.dual_unknowns);
}

void ActiveSystem::load(const linalg::SaddleSystem& system,
                        std::span<const RowGroup> groups) noexcept
{
    TAUT_ASSERT(system.H.size() == active_.H.size() && system.J.size() == active_.J.size());
    system_ = &system;
    groups_ = groups;
    std::copy(system.H.begin(), system.H.end(), active_.H.begin());
    std::copy(system.J.begin(), system.J.end(), active_.J.begin());
    std::copy(system.sigma.begin(), system.sigma.end(), active_.sigma.begin());
    active_.rank = system.rank;
}

void ActiveSystem::build(std::span<const ActiveMode> modes) noexcept
{
    TAUT_ASSERT(system_ != nullptr);
    TAUT_ASSERT(modes.size() == groups_.size());
    modes_ = modes;
    slips_.clear();
    std::copy(system_->f.begin(), system_->f.end(), f_.begin());
    std::copy(system_->g.begin(), system_->g.end(), g_.begin());
    for (std::size_t i = 0; i < groups_.size(); ++i)
        if (groups_[i].kind != RowGroup::Kind::Equal) write_group(static_cast<int>(i), modes[i]);
}

void ActiveSystem::write_group(int index, const ActiveMode& mode) noexcept
{
    const RowGroup& group = groups_[index];
    const auto& p = *system_->pattern;
    const auto& dual = p.duals[group.dual];

    // J, tangents rotated; zero for inactive rows
    for (int t = 0; t < dual.touches; ++t) {
        const auto& touch = p.touches[dual.first_touch + t];
        const int size = p.primals[touch.primal].size;
        const Real* const from = &system_->J[touch.block + group.local * size];
        Real* const to = &active_.J[touch.block + group.local * size];
        std::copy_n(from, group.rows * size, to);
        if (mode.sine != 0 || mode.cosine != 1)
            for (int c = 0; c < size; ++c) {
                const Real a = from[size + c], b = from[2 * size + c];
                to[size + c] = mode.cosine * a + mode.sine * b;
                to[2 * size + c] = mode.cosine * b - mode.sine * a;
            }
        for (int r = 0; r < group.rows; ++r)
            if (mode.row[r].what != Row::Hard) std::fill_n(to + r * size, size, Real(0));
    }

    // Σ and g likewise; of a rotated Σ with unequal tangents the diagonal is kept here, the rest in add_slip_impulses()
    const Real c = mode.cosine, s = mode.sine;
    for (int r = 0; r < group.rows; ++r) {
        const int k = group.row + r;
        Real sigma = system_->sigma[k], g = system_->g[k];
        if (r == 1) {
            sigma = c * c * system_->sigma[k] + s * s * system_->sigma[k + 1];
            g = c * system_->g[k] + s * system_->g[k + 1];
        } else if (r == 2) {
            sigma = s * s * system_->sigma[k - 1] + c * c * system_->sigma[k];
            g = c * system_->g[k] - s * system_->g[k - 1];
        }
        const auto& row = mode.row[r];
        if (row.what == Row::Hard) {
            active_.sigma[k] = sigma + row.extra;
            g_[k] = g;
            continue;
        }
        active_.sigma[k] = 1;
        g_[k] = 0;
        if (row.what == Row::Fixed) {
            if (row.value != 0) add_impulse(group, mode, r, row.value, f_);
        } else {
            slips_.push_back({index, r, row.value});
        }
    }
}

void ActiveSystem::add_impulse(const RowGroup& group, const ActiveMode& mode, int row, Real weight,
                               std::span<Real> f) const noexcept
{
    const auto& p = *system_->pattern;
    const auto& dual = p.duals[group.dual];
    for (int t = 0; t < dual.touches; ++t) {
        const auto& touch = p.touches[dual.first_touch + t];
        const auto& primal = p.primals[touch.primal];
        const Real* const J = &system_->J[touch.block + group.local * primal.size];
        for (int c = 0; c < primal.size; ++c) {
            Real lever = J[row * primal.size + c];
            if (row == 1) lever = mode.cosine * lever + mode.sine * J[2 * primal.size + c];
            if (row == 2) lever = mode.cosine * lever - mode.sine * J[primal.size + c];
            f[primal.offset + c] += weight * lever;
        }
    }
}

void ActiveSystem::add_slip_impulses(std::span<const Real> z, std::span<Real> f,
                                     std::span<Real> g) const noexcept
{
    TAUT_ASSERT(z.size() == slips_.size());
    TAUT_ASSERT(f.size() == f_.size() && g.size() == g_.size());
    for (std::size_t i = 0; i < slips_.size(); ++i) {
        const RowGroup& group = groups_[slips_[i].group];
        const ActiveMode& mode = modes_[slips_[i].group];
        add_impulse(group, mode, slips_[i].tangent, z[i], f);
        if (slips_[i].tangent == 1 && mode.row[2].what == Row::Hard)
            g[group.row + 2] -= mode.cosine * mode.sine *
                                (system_->sigma[group.row + 2] - system_->sigma[group.row + 1]) *
                                z[i];
    }
}

void ActiveSystem::set_slips(std::span<const Real> z) noexcept
{
    std::copy(f_.begin(), f_.end(), active_.f.begin());
    std::copy(g_.begin(), g_.end(), active_.g.begin());
    add_slip_impulses(z, active_.f, active_.g);
}

void ActiveSystem::to_active_rows(std::span<Real> y) const noexcept
{
    TAUT_ASSERT(y.size() == g_.size());
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        if (groups_[i].kind == RowGroup::Kind::Equal) continue;
        const ActiveMode& mode = modes_[i];
        Real* const v = &y[groups_[i].row];
        if (mode.cosine != 1 || mode.sine != 0) {
            const Real a = v[1], b = v[2];
            v[1] = mode.cosine * a + mode.sine * b;
            v[2] = mode.cosine * b - mode.sine * a;
        }
        for (int r = 0; r < groups_[i].rows; ++r)
            if (mode.row[r].what != Row::Hard) v[r] = 0;
    }
}

void ActiveSystem::to_true_rows(std::span<const Real> z, std::span<Real> y) const noexcept
{
    TAUT_ASSERT(z.size() == slips_.size() && y.size() == g_.size());
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        if (groups_[i].kind == RowGroup::Kind::Equal) continue;
        for (int r = 0; r < groups_[i].rows; ++r)
            if (modes_[i].row[r].what == Row::Fixed) y[groups_[i].row + r] = modes_[i].row[r].value;
    }
    for (std::size_t i = 0; i < slips_.size(); ++i)
        y[groups_[slips_[i].group].row + slips_[i].tangent] = z[i];
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        if (groups_[i].kind != RowGroup::Kind::Cone) continue;
        const Real c = modes_[i].cosine, s = modes_[i].sine;
        if (c == 1 && s == 0) continue;
        Real* const v = &y[groups_[i].row];
        const Real along = v[1], across = v[2];
        v[1] = c * along - s * across;
        v[2] = s * along + c * across;
    }
}

}  // namespace taut::complementarity

#include "complementarity/active_modes.h"

#include <algorithm>
#include <cmath>

#include "complementarity/thresholds.h"

namespace taut::complementarity {

using Row = ActiveMode::Row;

namespace {

ActiveMode fixed(Real value)
{
    ActiveMode mode;
    for (auto& row : mode.row) row = {Row::Fixed, 0, 0};
    mode.row[0].value = value;
    return mode;
}

constexpr Real kAtBound = NaturalMapThresholds::kAtFrictionBound;

// A pyramid's tangent row.
ActiveMode::RowMode tangent_row(const RowGroup& group, Real p, Real normal, bool was_sliding)
{
    const Real limit = (was_sliding ? group.sliding : group.friction) * normal;
    if (std::abs(p) <= limit && group.friction > 0) return {};
    return {Row::Ratio, std::copysign(group.sliding, p), 0};
}

ActiveMode closed_mode(const RowGroup& group, const Real* y, const Real* s, const Real* d,
                       Real normal, bool was_sliding, SlidingForm form)
{
    ActiveMode mode;
    const Real dt = std::max(d[1], d[2]);
    if (group.pyramid) {
        for (int r = 1; r < 3; ++r)
            mode.row[r] = tangent_row(group, y[r] - s[r] / dt, normal, was_sliding);
        return mode;
    }
    if (!(group.sliding > 0)) {
        if (group.friction > 0 && !was_sliding && norm(y[1], y[2]) <= group.friction * normal)
            return mode;
        for (int r = 1; r < 3; ++r) mode.row[r] = {Row::Fixed, 0, 0};
        return mode;
    }

    // y_t is projected onto its disk first: outside, Σ_⊥ would contain an inadmissible impulse
    const Real limit = (was_sliding ? group.sliding : group.friction) * normal;
    const Real length = norm(y[1], y[2]);
    const Real shrink = length > limit ? limit / length : 1;
    const Real p1 = shrink * y[1] - s[1] / dt, p2 = shrink * y[2] - s[2] / dt;
    const Real p = norm(p1, p2);
    // a sticking contact whose impulse leaves the disk slides, even at zero velocity
    const bool slides = was_sliding ? p >= limit * ActiveModeThresholds::kKeepsSliding
                                    : length > limit || p > limit;
    if (!slides) return mode;
    const Real radius = group.sliding * normal;

    if (form == SlidingForm::Secant) {
        const Real extra =
            std::min(norm(s[1], s[2]) / std::max(radius, std::numeric_limits<Real>::min()),
                     ActiveModeThresholds::kStiffest * dt);
        mode.row[1].extra = mode.row[2].extra =
            std::max(extra, ActiveModeThresholds::kSoftest * dt);
        return mode;
    }
    mode.cosine = p > 0 ? p1 / p : 1;
    mode.sine = p > 0 ? p2 / p : 0;
    mode.row[1] = {Row::Ratio, group.sliding, 0};
    const Real excess =
        radius > 0 ? std::max(p / radius - 1, Real(0)) : ActiveModeThresholds::kStiffest;
    mode.row[2].extra = dt * std::min(excess, ActiveModeThresholds::kStiffest);
    return mode;
}

}  // namespace

int ActiveMode::code() const noexcept
{
    int code = 0;
    for (const auto& r : row) {
        const int sign = r.value > 0 ? 1 : r.value < 0 ? 2 : 0;
        code = 8 * code + (r.what == Row::Hard ? (r.extra > 0 ? 1 : 0) : 2 + sign);
    }
    return code;
}

ActiveMode next_mode(const RowGroup& group, const Real* y, const Real* s, const Real* d,
                     const ActiveMode& old, SlidingForm form) noexcept
{
    const Real p = y[0] - s[0] / d[0];
    switch (group.kind) {
        case RowGroup::Kind::Equal: return {};
        case RowGroup::Kind::NonNegative: return p > 0 ? ActiveMode{} : fixed(0);
        case RowGroup::Kind::Interval:
            if (p <= group.lower) return fixed(group.lower);
            if (p >= group.upper) return fixed(group.upper);
            return {};
        case RowGroup::Kind::Cone: break;
    }
    if (!(p > 0)) return fixed(0);
    const bool was_sliding =
        old.row[0].what == Row::Hard &&
        (old.row[1].what != Row::Hard || old.row[1].extra > 0 || old.row[2].what != Row::Hard);
    return closed_mode(group, y, s, d, p, was_sliding, form);
}

ActiveMode mode_of_guess(const RowGroup& group, const Real* y, const Real* s, const Real* d,
                         SlidingForm form) noexcept
{
    switch (group.kind) {
        case RowGroup::Kind::Equal: return {};
        case RowGroup::Kind::NonNegative:
            return y[0] > 0 || (y[0] == 0 && s[0] < 0) ? ActiveMode{} : fixed(0);
        case RowGroup::Kind::Interval:
            if (y[0] <= group.lower && !(s[0] < 0)) return fixed(group.lower);
            if (y[0] >= group.upper && !(s[0] > 0)) return fixed(group.upper);
            return {};
        case RowGroup::Kind::Cone: break;
    }
    if (!(y[0] > 0))
        return s[0] < 0 ? closed_mode(group, y, s, d, -s[0] / d[0], false, form) : fixed(0);
    // an impulse within round-off of the friction bound counts as sliding
    const Real length = group.pyramid ? std::max(std::abs(y[1]), std::abs(y[2])) : norm(y[1], y[2]);
    if (length < kAtBound * group.sliding * y[0] && group.friction > 0) return {};
    return closed_mode(group, y, s, d, y[0] * kAtBound, true, form);
}

std::uint64_t fingerprint(std::span<const RowGroup> groups,
                          std::span<const ActiveMode> modes) noexcept
{
    std::uint64_t hash = 14695981039346656037u;  // FNV-1a
    for (std::size_t i = 0; i < modes.size(); ++i) {
        if (groups[i].kind == RowGroup::Kind::Equal) continue;
        hash = (hash ^ static_cast<std::uint64_t>(modes[i].code())) * 1099511628211u;
    }
    return hash;
}

}  // namespace taut::complementarity

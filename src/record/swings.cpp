#include "record/swings.h"

#include <algorithm>
#include <limits>

namespace taut::record {

namespace {

// fraction of its height to which the curve must fall before a peak counts
constexpr Real kFall = 0.5;
constexpr Real kRise = 2;  // multiple of the valley that the curve must exceed before the next peak
// window in fractions of the longest interval; only its highest peak is used
constexpr Real kStretch = 0.75;

}  // namespace

void Swings::observe(Real time, Real kinetic)
{
    // the first value has no predecessor and is not smoothed
    if (recent_.empty()) follow({time, kinetic});
    if (recent_.size() == 2) {
        follow({recent_[1].time, (recent_[0].kinetic + 2 * recent_[1].kinetic + kinetic) / 4});
        recent_.erase(recent_.begin());
    }
    recent_.push_back({time, kinetic});
}

void Swings::follow(Peak smooth)
{
    if (!started_) {
        top_ = smooth;
        started_ = true;
    }
    if (climbing_) {
        if (smooth.kinetic > top_.kinetic) top_ = smooth;
        if (smooth.kinetic < kFall * top_.kinetic) {
            peaks_.push_back(top_);
            climbing_ = false;
            valley_ = smooth.kinetic;
        }
        return;
    }
    valley_ = std::min(valley_, smooth.kinetic);
    if (smooth.kinetic > kRise * valley_) {
        climbing_ = true;
        top_ = smooth;
    }
}

Real Swings::stretch() const noexcept
{
    Real longest = 0;
    for (std::size_t i = 1; i < peaks_.size(); ++i)
        longest = std::max(longest, peaks_[i].time - peaks_[i - 1].time);
    return kStretch * longest;
}

std::optional<Swings::Peak> Swings::first() const noexcept
{
    if (peaks_.empty()) return std::nullopt;
    const Real end = peaks_.front().time + stretch();
    Peak highest = peaks_.front();
    for (auto p = peaks_.begin(); p != peaks_.end() && p->time < end; ++p)
        if (p->kinetic > highest.kinetic) highest = *p;
    return highest;
}

std::optional<Swings::Peak> Swings::last() const noexcept
{
    if (peaks_.empty()) return std::nullopt;
    const Real begin = peaks_.back().time - stretch();
    Peak highest = peaks_.back();
    for (auto p = peaks_.rbegin(); p != peaks_.rend() && p->time > begin; ++p)
        if (p->kinetic > highest.kinetic) highest = *p;
    return highest;
}

Real Swings::kept() const noexcept
{
    if (peaks_.size() < 2) return std::numeric_limits<Real>::quiet_NaN();
    return last()->kinetic / first()->kinetic;
}

}  // namespace taut::record

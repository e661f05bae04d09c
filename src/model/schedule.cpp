#include <taut/schedule.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/thresholds.h"

namespace taut {
namespace {

constexpr Real kTwoPi = 2 * std::numbers::pi_v<Real>;

}  // namespace

Schedule Schedule::through(std::vector<Key> keys, Kind kind)
{
    Schedule s;
    if (keys.empty()) return s;
    s.kind_ = kind;
    s.keys_ = std::move(keys);
    return s;
}

Schedule Schedule::sine(Real mean, Real amplitude, Real frequency, Real phase)
{
    Schedule s;
    s.kind_ = Kind::Sine;
    s.mean_ = mean;
    s.amplitude_ = amplitude;
    s.frequency_ = frequency;
    s.phase_ = phase;
    return s;
}

Real Schedule::value(Real t) const noexcept
{
    if (kind_ == Kind::Constant) return mean_;
    if (kind_ == Kind::Sine) return mean_ + amplitude_ * std::sin(kTwoPi * frequency_ * t + phase_);

    const auto after = std::upper_bound(keys_.begin(), keys_.end(), t,
                                        [](Real time, const Key& key) { return time < key.time; });
    if (after == keys_.begin()) return keys_.front().value;
    if (after == keys_.end()) return keys_.back().value;
    const Key& a = *(after - 1);
    const Key& b = *after;
    if (kind_ == Kind::Steps) return a.value;
    const Real s = (t - a.time) / (b.time - a.time);
    const Real blend = kind_ == Kind::Smooth ? s * s * (3 - 2 * s) : s;
    return a.value + blend * (b.value - a.value);
}

Real Schedule::rate(Real t) const noexcept
{
    if (kind_ == Kind::Constant || kind_ == Kind::Steps) return 0;
    if (kind_ == Kind::Sine)
        return amplitude_ * kTwoPi * frequency_ * std::cos(kTwoPi * frequency_ * t + phase_);

    const auto after = std::upper_bound(keys_.begin(), keys_.end(), t,
                                        [](Real time, const Key& key) { return time < key.time; });
    if (after == keys_.begin() || after == keys_.end()) return 0;
    const Key& a = *(after - 1);
    const Key& b = *after;
    const Real span = b.time - a.time;
    const Real s = (t - a.time) / span;
    const Real slope = kind_ == Kind::Smooth ? 6 * s * (1 - s) : 1;
    return slope * (b.value - a.value) / span;
}

Real Schedule::acceleration(Real t) const noexcept
{
    if (kind_ == Kind::Sine) {
        const Real w = kTwoPi * frequency_;
        return -amplitude_ * w * w * std::sin(w * t + phase_);
    }
    if (kind_ != Kind::Smooth) return 0;
    const auto after = std::upper_bound(keys_.begin(), keys_.end(), t,
                                        [](Real time, const Key& key) { return time < key.time; });
    if (after == keys_.begin() || after == keys_.end()) return 0;
    const Key& a = *(after - 1);
    const Key& b = *after;
    const Real span = b.time - a.time;
    return (6 - 12 * (t - a.time) / span) * (b.value - a.value) / (span * span);
}

bool Schedule::valid() const noexcept
{
    const auto fits = [](Real x) { return std::abs(x) < model::kDescription.largest_scheduled; };
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        if (!fits(keys_[k].time) || !fits(keys_[k].value)) return false;
        if (k > 0 && !(keys_[k - 1].time < keys_[k].time)) return false;
    }
    return fits(mean_) && fits(amplitude_) && fits(phase_) &&
           std::abs(frequency_) <= model::kDescription.largest_frequency;
}

}  // namespace taut

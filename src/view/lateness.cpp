#include "view/lateness.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace taut::view {

void Lateness::add(Real now, Real late)
{
    late = std::max(late, Real(0));
    lately_.push_back({now, late});
    while (lately_.size() > kMostLately || lately_.front().at < now - kWindow) lately_.pop_front();

    const Real bin = late > kLeast ? std::ceil(kPerDecade * std::log10(late / kLeast)) : 0;
    ++histogram_[static_cast<std::size_t>(std::min(bin, Real(kBins - 1)))];
    ++steps_;
    worst_ = std::max(worst_, late);
}

LatenessFigures Lateness::lately(Real now) const
{
    std::vector<Real> sorted;
    for (const Sample& sample : lately_)
        if (sample.at >= now - kWindow) sorted.push_back(sample.late);
    if (sorted.empty()) return {};
    std::sort(sorted.begin(), sorted.end());
    const auto at = [&](Real share) {
        const auto last = static_cast<Real>(sorted.size() - 1);
        return sorted[static_cast<std::size_t>(std::ceil(share * last))];
    };
    return {at(0.5), at(0.99), sorted.back(), sorted.size()};
}

// The upper edge of the bin that contains the quantile: at most 5 % above it.
Real Lateness::quantile(Real share) const noexcept
{
    const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<Real>(steps_)));
    std::uint64_t count = 0;
    for (int bin = 0; bin < kBins; ++bin) {
        count += histogram_[bin];
        if (count >= wanted) return std::min(worst_, kLeast * std::pow(10, Real(bin) / kPerDecade));
    }
    return worst_;
}

LatenessFigures Lateness::overall() const noexcept
{
    if (steps_ == 0) return {};
    return {quantile(0.5), quantile(0.99), worst_, steps_};
}

}  // namespace taut::view

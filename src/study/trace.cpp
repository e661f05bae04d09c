#include "study/trace.h"

#include <algorithm>
#include <cmath>

namespace taut::study {

Trace::Trace(std::uint64_t planned_steps, std::size_t bins)
    : per_bin_(std::max<std::uint64_t>(1, (planned_steps + 1 + bins - 1) / bins))
{
    bins_.reserve(bins + 1);
}

void Trace::add(Real time, Real value)
{
    const std::size_t index = static_cast<std::size_t>(count_++ / per_bin_);
    if (std::isnan(value)) return;
    const Sample sample{time, value};
    if (index >= bins_.size()) bins_.resize(index + 1);
    Bin& bin = bins_[index];
    if (!bin.used || value < bin.lowest.value) bin.lowest = sample;
    if (!bin.used || value > bin.highest.value) bin.highest = sample;
    bin.used = true;
    if (!started_) first_ = sample;
    started_ = true;
    last_ = sample;
}

std::vector<Trace::Sample> Trace::samples() const
{
    std::vector<Sample> samples;
    const auto add_later = [&](const Sample& sample) {
        if (samples.empty() || sample.time > samples.back().time) samples.push_back(sample);
    };
    if (!started_) return samples;

    // the first and the last sample are always kept
    add_later(first_);
    for (const Bin& bin : bins_) {
        if (!bin.used) continue;
        const bool low_first = bin.lowest.time <= bin.highest.time;
        add_later(low_first ? bin.lowest : bin.highest);
        add_later(low_first ? bin.highest : bin.lowest);
    }
    add_later(last_);
    return samples;
}

}  // namespace taut::study

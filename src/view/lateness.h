// Statistics of the lateness of steps relative to their schedule: over the last seconds and over the whole session.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::view {

struct LatenessFigures {
    Real p50 = 0, p99 = 0, worst = 0;  // [s]
    std::uint64_t steps = 0;
};

class Lateness {
public:
    // Records a step that was due at `now` − `late` and began at `now` [s].
    void add(Real now, Real late);

    LatenessFigures lately(Real now) const;
    LatenessFigures overall() const noexcept;

private:
    static constexpr Real kWindow = 5;                // [s]
    static constexpr std::size_t kMostLately = 8192;  // samples; the oldest are dropped
    // A histogram with logarithmically spaced bins, from 1 µs to 100 s.
    static constexpr Real kLeast = 1e-6;
    static constexpr int kPerDecade = 50, kBins = 8 * kPerDecade + 1;

    Real quantile(Real share) const noexcept;

    struct Sample {
        Real at, late;
    };
    std::deque<Sample> lately_;
    std::array<std::uint64_t, kBins> histogram_{};
    std::uint64_t steps_ = 0;
    Real worst_ = 0;
};

}  // namespace taut::view

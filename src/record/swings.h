// Energy kept by an oscillation: the kinetic energy of its last swing relative to that of its first.
//
//     K │  ▲ first            A peak counts once the curve has fallen to half of it, and the next one once
//       │ ╱ ╲    ▲     ▲ last it has risen to twice the valley between them: ripples are ignored.
//       │╱   ╲  ╱ ╲   ╱ ╲     The curve is smoothed over three steps with ¼ ½ ¼.
//       └─────╲╱───╲▴╱───╲── t
//
// Small peaks in a valley (▴: vibration of links while the load reverses) do count, so a swing is defined as the
// highest peak of a window of three quarters of the longest interval between consecutive peaks, which is longer than
// the distance from a peak to its valley and shorter than that to the next peak.
#pragma once

#include <optional>
#include <vector>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::record {

class Swings {
public:
    struct Peak {
        Real time = 0;
        Real kinetic = 0;
    };

    // Once before the first step and once after each.
    void observe(Real time, Real kinetic);

    const std::vector<Peak>& peaks() const noexcept { return peaks_; }
    std::optional<Peak> first() const noexcept;
    std::optional<Peak> last() const noexcept;

    // last over first; NaN if there are fewer than two peaks
    Real kept() const noexcept;

private:
    Real stretch() const noexcept;
    void follow(Peak smooth);

    std::vector<Peak> peaks_;
    std::vector<Peak> recent_;  // up to two values whose successor is not known yet
    bool climbing_ = true;
    bool started_ = false;
    Peak top_;         // highest since the last valley
    Real valley_ = 0;  // lowest since the last peak
};

}  // namespace taut::record

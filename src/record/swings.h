// How much of a motion is left: the kinetic energy of its last swing against that of its first.
//
//     K │  ▲ first            A peak counts once the curve has fallen to half of it, and the next one once
//       │ ╱ ╲    ▲     ▲ last it has climbed to twice the valley between them: ripples on a slope do not.
//       │╱   ╲  ╱ ╲   ╱ ╲     The curve is smoothed over three steps by ¼ ½ ¼ before.
//       └─────╲╱───╲▴╱───╲── t
//
// Small peaks down in a valley (▴: links that shiver while the load turns round) do count, so a swing is
// the highest peak of a whole stretch: three quarters of the longest time between two neighbouring peaks,
// which is more than from a peak to its valley and less than to the next peak.
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

    // last over first; not a number unless the motion peaked twice
    Real kept() const noexcept;

private:
    Real stretch() const noexcept;
    void follow(Peak smooth);

    std::vector<Peak> peaks_;
    std::vector<Peak> recent_;  // up to two values that wait for their successor
    bool climbing_ = true;
    bool started_ = false;
    Peak top_;         // highest since the last valley
    Real valley_ = 0;  // lowest since the last peak
};

}  // namespace taut::record

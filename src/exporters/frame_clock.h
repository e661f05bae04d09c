// Selects the steps of a run that become frames: at most N per second, including the first and the last.
#pragma once

#include <cmath>

#include "record/columns.h"

namespace taut::exporters {

class FrameClock {
public:
    // Starts at the first call; `end` is the time of the last planned step [s].
    FrameClock(Real frames_per_second, Real end) : rate_(frames_per_second), end_(end) {}

    bool wants(const Moment& moment) noexcept
    {
        const Real now = moment.world.time();
        if (!started_) {
            started_ = true;
            start_ = now;
            return true;
        }
        // the tolerance includes steps of 1/60 s at 60 frames per second despite rounding
        constexpr Real kSlack = 1e-6;
        const Real due = std::floor((now - start_) * rate_ + kSlack);
        const bool wanted =
            due > count_ || now >= end_ - kSlack / rate_ || moment.run.status() != RunStatus::Ok;
        count_ = due;
        return wanted;
    }

private:
    Real rate_;
    Real end_;
    Real start_ = 0;
    Real count_ = 0;  // frame periods since the start
    bool started_ = false;
};

}  // namespace taut::exporters

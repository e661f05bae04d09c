// Where every body was at the recorded frames: what an animation is made of.
#pragma once

#include <array>
#include <vector>

#include <taut/world.h>

#include "core/namespaces.h"

namespace taut::exporters {

struct BodyTrack {
    std::vector<std::array<float, 3>> positions;  // of the body's origin [m]
    std::vector<std::array<float, 4>> rotations;  // x, y, z, w; neighbours never of opposite sign

    bool moves() const noexcept;
};

class Recording {
public:
    // Adds a frame. One that single precision cannot hold, in place or in time, is left out.
    void add(const World& world);

    const std::vector<float>& times() const noexcept { return times_; }        // from 0 on [s]
    const std::vector<BodyTrack>& bodies() const noexcept { return bodies_; }  // by index

private:
    Real start_ = 0;
    std::vector<float> times_;
    std::vector<BodyTrack> bodies_;
};

}  // namespace taut::exporters

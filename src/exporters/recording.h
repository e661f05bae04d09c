// Poses of all bodies at the recorded frames.
#pragma once

#include <array>
#include <vector>

#include <taut/world.h>

#include "core/namespaces.h"

namespace taut::exporters {

struct BodyTrack {
    std::vector<std::array<float, 3>> positions;  // of the body's origin [m]
    std::vector<std::array<float, 4>> rotations;  // x, y, z, w; signs chosen for interpolation

    bool moves() const noexcept;
};

class Recording {
public:
    // Adds a frame. Frames whose poses or times cannot be represented in single precision are skipped.
    void add(const World& world);

    const std::vector<float>& times() const noexcept
    {
        return times_;
    }  // relative to the first frame [s]
    const std::vector<BodyTrack>& bodies() const noexcept { return bodies_; }  // by body index

private:
    Real start_ = 0;
    std::vector<float> times_;
    std::vector<BodyTrack> bodies_;
};

}  // namespace taut::exporters

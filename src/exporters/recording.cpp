#include "exporters/recording.h"

#include <algorithm>
#include <cmath>

namespace taut::exporters {

namespace {

template <std::size_t N>
bool constant(const std::vector<std::array<float, N>>& samples) noexcept
{
    return std::all_of(samples.begin(), samples.end(),
                       [&](const auto& sample) { return sample == samples.front(); });
}

template <std::size_t N>
bool finite(const std::array<float, N>& sample) noexcept
{
    return std::all_of(sample.begin(), sample.end(), [](float x) { return std::isfinite(x); });
}

std::array<float, 3> position_sample(const Vec3& p)
{
    return {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())};
}

// q and −q are the same rotation, but interpolation between them would take the long way; signs are made consistent.
std::array<float, 4> rotation_sample(const Quat& q, const BodyTrack& track)
{
    const Quat unit = q.normalized();
    std::array<float, 4> sample{static_cast<float>(unit.x()), static_cast<float>(unit.y()),
                                static_cast<float>(unit.z()), static_cast<float>(unit.w())};
    if (track.rotations.empty()) return sample;
    float dot = 0;
    for (std::size_t k = 0; k < 4; ++k) dot += sample[k] * track.rotations.back()[k];
    if (dot < 0)
        for (float& x : sample) x = -x;
    return sample;
}

}  // namespace

bool BodyTrack::moves() const noexcept { return !constant(positions) || !constant(rotations); }

void Recording::add(const World& world)
{
    if (times_.empty()) {
        start_ = world.time();
        bodies_.resize(static_cast<std::size_t>(world.body_count()));
    }
    const auto time = static_cast<float>(world.time() - start_);
    if (!times_.empty() && !(time > times_.back())) return;
    for (int i = 0; i < world.body_count(); ++i)
        if (!finite(position_sample(world.pose(world.body_at(i)).p))) return;

    times_.push_back(time);
    for (int i = 0; i < world.body_count(); ++i) {
        BodyTrack& track = bodies_[static_cast<std::size_t>(i)];
        const Pose pose = world.pose(world.body_at(i));
        track.positions.push_back(position_sample(pose.p));
        track.rotations.push_back(rotation_sample(pose.q, track));
    }
}

}  // namespace taut::exporters

#include "view/snapshot_history.h"

#include <algorithm>

namespace taut::view {

namespace {

// Tolerance for accumulated times: ten steps of 0.01 s do not end exactly at 0.1 s.
constexpr Real kSlack = 1e-9;

}  // namespace

void SnapshotHistory::record(const Scene& scene)
{
    const World& world = scene.world;
    while (!entries_.empty() && entries_.back().time > world.time() + kSlack) {
        bytes_ -= entries_.back().image->size();
        entries_.pop_back();
    }
    if (entries_.empty() || world.time() >= entries_.back().time + kInterval - kSlack) add(scene);
}

void SnapshotHistory::mark(const Scene& scene)
{
    if (entries_.empty() || scene.world.time() > entries_.back().time + kSlack) add(scene);
}

void SnapshotHistory::add(const Scene& scene)
{
    const World& world = scene.world;
    entries_.push_back(
        {world.time(), std::make_shared<const std::vector<std::byte>>(scene.snapshot())});
    bytes_ += entries_.back().image->size();
    while (entries_.size() > 1 &&
           (bytes_ > kMostBytes || entries_.front().time < world.time() - kLength - kSlack)) {
        bytes_ -= entries_.front().image->size();
        entries_.pop_front();
    }
}

void SnapshotHistory::clear() noexcept
{
    entries_.clear();
    bytes_ = 0;
}

const SnapshotHistory::Entry& SnapshotHistory::at(Real time) const noexcept
{
    const auto after = std::upper_bound(entries_.begin(), entries_.end(), time + kSlack,
                                        [](Real t, const Entry& e) { return t < e.time; });
    return after == entries_.begin() ? entries_.front() : *std::prev(after);
}

}  // namespace taut::view

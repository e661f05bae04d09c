// Snapshots of the last minute, ten per second, for rewinding. Copies share the snapshots.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include <taut/scene.h>

#include "core/namespaces.h"

namespace taut::view {

class SnapshotHistory {
public:
    static constexpr Real kInterval = 0.1;                 // [s]
    static constexpr Real kLength = 60;                    // [s]
    static constexpr std::size_t kMostBytes = 256u << 20;  // sum over all snapshots

    // Adds a snapshot if the last one is old enough, and drops snapshots after the current time.
    void record(const Scene& scene);
    // Adds a snapshot unconditionally and keeps all others.
    void mark(const Scene& scene);
    void clear() noexcept;

    bool empty() const noexcept { return entries_.empty(); }
    Real earliest() const noexcept { return entries_.front().time; }
    Real latest() const noexcept { return entries_.back().time; }
    std::size_t bytes() const noexcept { return bytes_; }

    struct Entry {
        Real time;
        std::shared_ptr<const std::vector<std::byte>> image;  // Scene::snapshot()
    };
    // The snapshot at or before `time`, or the first one. The history must not be empty.
    const Entry& at(Real time) const noexcept;

private:
    void add(const Scene& scene);

    std::deque<Entry> entries_;  // ordered by time
    std::size_t bytes_ = 0;
};

}  // namespace taut::view

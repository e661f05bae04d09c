// Snapshots of the last minute, ten a second: what rewind goes back to. Copies share the snapshots.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include <taut/world.h>

#include "core/namespaces.h"

namespace taut::view {

class Tape {
public:
    static constexpr Real kInterval = 0.1;                 // [s]
    static constexpr Real kLength = 60;                    // [s]
    static constexpr std::size_t kMostBytes = 256u << 20;  // of all snapshots together

    // Keeps the world as it is now if the last snapshot is old enough; what lies after now is forgotten.
    void record(const World& world);
    // The same, however young the last one is, and nothing is forgotten.
    void mark(const World& world);
    void clear() noexcept;

    bool empty() const noexcept { return entries_.empty(); }
    Real earliest() const noexcept { return entries_.front().time; }
    Real latest() const noexcept { return entries_.back().time; }
    std::size_t bytes() const noexcept { return bytes_; }

    // The snapshot at or before `time`, or else the first one. Not to be asked of an empty tape.
    const std::vector<std::byte>& at(Real time) const noexcept;

private:
    struct Entry {
        Real time;
        std::shared_ptr<const std::vector<std::byte>> image;
    };

    void add(const World& world);

    std::deque<Entry> entries_;  // times ascend
    std::size_t bytes_ = 0;
};

}  // namespace taut::view

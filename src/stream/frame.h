// Encodes and decodes the state of a scene at one time: the frame of docs/viewer-protocol.md.
//
//     auto encoder = FrameEncoder::make(world, {"energy.total"});
//     auto bytes = encoder->encode(moment, {.revision = 3});     // valid until the next call
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/columns.h"

namespace taut::stream {

// Data of a frame besides the state.
struct FrameNote {
    std::uint32_t revision = 1;  // of the matching description
    bool paused = false;
    bool diverged = false;
    std::optional<Vec3> target{};  // of the mouse spring, world [m]
};

class FrameEncoder {
public:
    // Fails if a reading does not exist or if there are more than kMostPlots.
    static Result<FrameEncoder> make(const ReadingSource& source,
                                     const std::vector<std::string>& plots);

    // The returned bytes are valid until the next call; the buffer is reused.
    std::span<const std::byte> encode(const Moment& moment, const FrameNote& note);

private:
    explicit FrameEncoder(std::vector<Column> plots) : plots_(std::move(plots)) {}

    std::vector<Column> plots_;
    std::vector<std::byte> bytes_;
};

// A decoded frame, for tests and for readers of recordings.
struct Frame {
    struct Contact {
        Vec3 point, normal, force;
    };

    std::uint32_t revision = 0;
    Real time = 0;
    std::uint64_t step = 0;
    bool paused = false, diverged = false, unsettled = false;
    std::uint32_t solves = 0;
    std::vector<Pose> bodies;  // the world is the first
    std::vector<Wrench> joints;
    std::vector<Contact> contacts;
    std::vector<Real> plots;
    std::optional<Vec3> target;
};

// Fails if the length does not match the counts of the header.
Result<Frame> decode_frame(std::span<const std::byte> bytes);

}  // namespace taut::stream

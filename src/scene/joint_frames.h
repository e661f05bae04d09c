// Computes the frames of joints and springs from `at`, `axis`, `toward` and their numbered forms.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "scene/draft.h"
#include "scene/node.h"

namespace taut::scene {

struct FrameRequest {
    const Node& node;
    const std::string& label;
    std::size_t bodies = 2;
    bool needs_axis = false;
    bool crossed_axes = false;  // axis_2 gives u of both frames, as in a universal joint
    // default points of sides without `at`, in the coordinates of the joint
    std::array<std::optional<Vec3>, 3> default_points = {};
};

// Value of the key `coordinates`; default: world.
Coordinates read_coordinates(const Node& node);

// All four frames; a joint of two bodies uses the first two. Reports missing keys and zero vectors; the frames are
// invalid in this case.
std::array<JointFrame, 4> read_frames(const FrameRequest& request, Problems& problems);

// The bodies of `between`, by name; returns false after an error.
bool read_between(const Node& node, const std::string& label, const SceneDraft& draft,
                  std::array<BodyId, 3>& bodies, Problems& problems);

// Bodies whose origin is the default point of a joint.
enum class DefaultPoints { Particles, AllBodies };
std::array<std::optional<Vec3>, 3> default_points(const std::array<BodyId, 3>& bodies,
                                                  DefaultPoints which, Coordinates coordinates,
                                                  const SceneDraft& draft);

// Origin of a frame in world coordinates at time 0.
Vec3 world_point(const Vec3& point, Coordinates coordinates, BodyId body, const SceneDraft& draft);

}  // namespace taut::scene

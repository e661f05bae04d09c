// The frames of joints and springs from `at`, `axis`, `toward` and their numbered forms.
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
    bool crossed_axes = false;  // axis_2 is u of both frames, as in a universal joint
    // where a side without `at` is, in the coordinates of the joint
    std::array<std::optional<Vec3>, 3> own_points = {};
};

// Coordinates of the map, world by default.
Coordinates read_coordinates(const Node& node);

// All four frames, of which a joint of two bodies has two. Reports what is missing or has no
// direction; the frames are then not to be used.
std::array<JointFrame, 4> read_frames(const FrameRequest& request, Problems& problems);

// The bodies of `between`, by name; false after an error.
bool read_between(const Node& node, const std::string& label, const SceneDraft& draft,
                  std::array<BodyId, 3>& bodies, Problems& problems);

// Which bodies stand for their own origin where no point is given.
enum class OwnPoints { OfParticles, OfAllBodies };
std::array<std::optional<Vec3>, 3> own_points(const std::array<BodyId, 3>& bodies, OwnPoints which,
                                              Coordinates coordinates, const SceneDraft& draft);

// A point of a frame, in the world at time 0.
Vec3 world_point(const Vec3& point, Coordinates coordinates, BodyId body, const SceneDraft& draft);

}  // namespace taut::scene

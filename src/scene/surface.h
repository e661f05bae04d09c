// Contact properties of a surface, and the list of their keys.
#pragma once

#include <array>
#include <optional>
#include <span>

#include <taut/colliders.h>

#include "scene/node.h"

namespace taut::scene {

struct Surface {
    Real friction = 0.5;
    std::optional<Real> static_friction{};  // default: equal to friction
    Real rolling_friction = 0;
    Real spinning_friction = 0;
    Real restitution = 0;
    Vec3 velocity = Vec3::Zero();  // of the surface, axes of the shape [m/s]
};

// Of shapes and the ground only: it is in the axes of the shape.
inline constexpr const char* kSurfaceVelocity = "surface_velocity";

struct SurfaceKey {
    const char* name;
    // One of both: a default may be another property.
    Real Surface::*member;
    std::optional<Real> Surface::*optional_member;
    const char* summary;
    const char* unit;
    Real most;
};

inline constexpr std::size_t kSurfaceKeys = 5;
std::span<const SurfaceKey, kSurfaceKeys> surface_keys() noexcept;

// The values given in a map; empty where a key is missing.
using SurfaceOverrides = std::array<std::optional<Real>, kSurfaceKeys>;
SurfaceOverrides read_surface_overrides(const Node& map);
// Given values replace those of `surface`. A given friction without static friction sets both.
void apply_surface(const SurfaceOverrides& words, Surface& surface) noexcept;
void apply_surface(const Surface& surface, ColliderDef& collider) noexcept;

}  // namespace taut::scene

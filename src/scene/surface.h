// What a surface is like where it touches, and the one list of the keys that say so.
#pragma once

#include <array>
#include <optional>
#include <span>

#include <taut/colliders.h>

#include "scene/node.h"

namespace taut::scene {

struct Surface {
    Real friction = 0.5;
    Real static_friction = -1;  // negative: as friction
    Real rolling_friction = 0;
    Real spinning_friction = 0;
    Real restitution = 0;
};

struct SurfaceKey {
    const char* name;
    Real Surface::*member;
    const char* summary;
    const char* unit;
    Real most;
};

inline constexpr std::size_t kSurfaceKeys = 5;
std::span<const SurfaceKey, kSurfaceKeys> surface_keys() noexcept;

// What a map says of them; empty where it does not.
using SurfaceWords = std::array<std::optional<Real>, kSurfaceKeys>;
SurfaceWords read_surface_words(const Node& map);
// What was said goes before what holds otherwise. Friction without static friction is both.
void put_on(const SurfaceWords& words, Surface& surface) noexcept;
void put_on(const Surface& surface, ColliderDef& collider) noexcept;

}  // namespace taut::scene

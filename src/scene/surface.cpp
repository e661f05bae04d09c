#include "scene/surface.h"

#include "scene/values.h"

namespace taut::scene {

std::span<const SurfaceKey, kSurfaceKeys> surface_keys() noexcept
{
    static constexpr std::array<SurfaceKey, kSurfaceKeys> list{{
        {"friction", &Surface::friction, nullptr,
         "kinetic friction, default 0.5; a pair uses the geometric mean", "", 1e6},
        {"static_friction", nullptr, &Surface::static_friction,
         "static friction, default: that of friction; a pair uses the geometric mean", "", 1e6},
        {"rolling_friction", &Surface::rolling_friction, nullptr,
         "rolling resistance: torque over normal force, default 0; a pair uses the geometric mean",
         "m", 1e6},
        {"spinning_friction", &Surface::spinning_friction, nullptr,
         "torsional friction: torque over normal force, default 0; a pair uses the geometric mean",
         "m", 1e6},
        {"restitution", &Surface::restitution, nullptr,
         "speed after an impact over speed before it, default 0; a pair uses the larger value", "",
         1},
    }};
    return list;
}

SurfaceOverrides read_surface_overrides(const Node& map)
{
    SurfaceOverrides words;
    for (std::size_t k = 0; k < kSurfaceKeys; ++k) words[k] = number(map, surface_keys()[k].name);
    return words;
}

void apply_surface(const SurfaceOverrides& words, Surface& surface) noexcept
{
    if (words[0]) surface.static_friction.reset();
    for (std::size_t k = 0; k < kSurfaceKeys; ++k) {
        if (!words[k]) continue;
        const SurfaceKey& key = surface_keys()[k];
        if (key.member)
            surface.*key.member = *words[k];
        else
            surface.*key.optional_member = *words[k];
    }
}

void apply_surface(const Surface& surface, ColliderDef& collider) noexcept
{
    collider.friction = surface.friction;
    collider.static_friction = surface.static_friction;
    collider.rolling_friction = surface.rolling_friction;
    collider.spinning_friction = surface.spinning_friction;
    collider.restitution = surface.restitution;
    collider.surface_velocity = surface.velocity;
}

}  // namespace taut::scene

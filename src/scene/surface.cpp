#include "scene/surface.h"

#include "scene/values.h"

namespace taut::scene {

std::span<const SurfaceKey, kSurfaceKeys> surface_keys() noexcept
{
    static constexpr std::array<SurfaceKey, kSurfaceKeys> list{{
        {"friction", &Surface::friction,
         "while it slides, default 0.5; of two surfaces the root of the product counts", "", 1e6},
        {"static_friction", &Surface::static_friction,
         "before it slides, default friction; of two surfaces the root of the product counts", "",
         1e6},
        {"rolling_friction", &Surface::rolling_friction,
         "torque against rolling over normal force, default 0; the root of the product counts", "m",
         1e6},
        {"spinning_friction", &Surface::spinning_friction,
         "torque about the normal over normal force, default 0; the root of the product counts",
         "m", 1e6},
        {"restitution", &Surface::restitution,
         "speed after a bounce over that before, default 0; of two surfaces the larger counts", "",
         1},
    }};
    return list;
}

SurfaceWords read_surface_words(const Node& map)
{
    SurfaceWords words;
    for (std::size_t k = 0; k < kSurfaceKeys; ++k) words[k] = number(map, surface_keys()[k].name);
    return words;
}

void put_on(const SurfaceWords& words, Surface& surface) noexcept
{
    if (words[0]) surface.static_friction = -1;
    for (std::size_t k = 0; k < kSurfaceKeys; ++k)
        if (words[k]) surface.*surface_keys()[k].member = *words[k];
}

void put_on(const Surface& surface, ColliderDef& collider) noexcept
{
    collider.friction = surface.friction;
    collider.static_friction = surface.static_friction;
    collider.rolling_friction = surface.rolling_friction;
    collider.spinning_friction = surface.spinning_friction;
    collider.restitution = surface.restitution;
}

}  // namespace taut::scene

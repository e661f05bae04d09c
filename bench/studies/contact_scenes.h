// Scenes of bodies that touch, for the studies, the bench and the tests that sample them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <taut/world.h>

namespace taut::study {

// Solids of density 1000 kg/m³ unless a mass is given [kg]; shapes in body axes, centred.
BodyId add_solid(World& world, const ColliderDef& shape, const Pose& pose, Real mass = 0);
void add_floor(World& world, Real friction = 0.5);

// Boxes of 0.2 × 0.1 × 0.1 m laid like bricks, at rest.
void add_wall(World& world, int columns, int rows);
// Spheres, boxes, capsules and cylinders of about 0.1 m, in layers above each other, turned at random.
void add_pile(World& world, int count, std::uint64_t seed, const Vec3& corner = Vec3::Zero());

// A body of eleven capsules on ball joints and hinges, lying flat about `at`, turned about the vertical.
void add_ragdoll(World& world, const Vec3& at, Real turn);
// Four thin walls about the vertical through the origin, with their inner faces `half` away from it.
inline constexpr Real kWallThickness = 0.04;  // [m]
void add_walls(World& world, Real half, Real height);

// A random scene: up to 15 solids of any shape with masses over six decades, some thrown, some connected by joints
// or ropes, over a floor with random friction and restitution. The same for the same seed on any machine.
struct ContactScene {
    World world;
    Real dt = 0;  // 1e-3 … 1/30 s
    std::string story;
    std::vector<Real> reach;  // per body: from its centre to its farthest corner [m]
};
ContactScene random_contact_scene(std::uint64_t seed);

}  // namespace taut::study

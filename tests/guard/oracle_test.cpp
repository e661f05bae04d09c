// The default step against reduced coordinates: another formulation, another integrator, no shared code.
#include <gtest/gtest.h>

#include <cmath>

#include "support/mechanisms.h"
#include "support/sanitized.h"

namespace taut::test {
namespace {

// Open trees of every joint that reduced coordinates know, falling from rest.
World random_tree(unsigned seed)
{
    unsigned state = seed * 2654435761u + 12345u;
    const auto unit = [&] {
        state = state * 1664525u + 1013904223u;
        return static_cast<Real>(state >> 8) / 16777216;
    };
    World world;
    std::vector<BodyId> bodies;
    std::vector<Vec3> ends;
    for (int k = 0; k < 5; ++k) {
        const bool root = k == 0;
        const std::size_t parent = root ? 0 : static_cast<std::size_t>(unit() * k);
        const Vec3 from = root ? Vec3(Vec3::Zero()) : ends[parent];
        const Vec3 along = Vec3(unit() - 0.5, unit() - 0.5, unit() - 0.5).normalized();
        BodyDef def;
        def.name = "body" + std::to_string(k);
        def.mass = 0.5 + unit();
        def.inertia = rod_inertia(def.mass, 0.5, 0.1);
        def.pose = {from + 0.25 * along, Quat::FromTwoVectors(Vec3::UnitX(), along)};
        const BodyId body = must(world.add_body(def));
        const BodyId above = root ? kWorld : bodies[parent];
        const Vec3 axis = along.unitOrthogonal();
        JointDef joint;
        switch (static_cast<int>(unit() * 4)) {
            case 0: joint = hinge(above, body, from, axis); break;
            case 1: joint = universal(above, body, from, axis, along.cross(axis)); break;
            case 2: joint = ball(above, body, from); break;
            default: joint = root ? hinge(above, body, from, axis) : weld(above, body, from); break;
        }
        joint.name = "joint" + std::to_string(k);
        must(world.add_joint(joint));
        bodies.push_back(body);
        ends.push_back(from + 0.5 * along);
    }
    return world;
}

TEST(Oracle, OpenTreesMoveAsInReducedCoordinates)
{
    for (unsigned seed = 1; seed <= (kSanitized ? 1 : 4); ++seed) {
        World maximal = random_tree(seed), reduced = random_tree(seed);
        for (int i = 0; i < (kSanitized ? 3000 : 30000); ++i)
            ASSERT_EQ(maximal.step({.dt = kSanitized ? 1e-4 : 1e-5}).status, StepStatus::Ok)
                << "seed " << seed;
        for (int i = 0; i < 300; ++i)
            ASSERT_EQ(reduced.step({.dt = 1e-3, .research = {.scheme = Scheme::Reduced}}).status,
                      StepStatus::Ok)
                << "seed " << seed;
        for (int b = 0; b < maximal.body_count(); ++b) {
            const Real apart =
                (maximal.centre_of_mass(BodyId{b}) - reduced.centre_of_mass(BodyId{b})).norm();
            EXPECT_LE(apart, kSanitized ? 1e-4 : 1e-6) << "seed " << seed << ", body " << b;
        }
    }
}

}  // namespace
}  // namespace taut::test

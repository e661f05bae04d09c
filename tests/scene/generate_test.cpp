// Generated chains and grids: names, positions, joints, determinism.
#include <cmath>
#include <set>

#include "reading.h"

namespace taut::test {
namespace {

std::string chain(const std::string& keys)
{
    return "generate:\n  - chain: {name: c, links: 3, link_length: 0.5, radius: 0.05, " + keys +
           "}\n";
}

TEST(GenerateChain, LinksHangEndToEndUnderTheAnchor)
{
    const Scene scene =
        must_read(chain("link_mass: 2, from: [1, 2, 3], load: {mass: 50, radius: 0.3}"));
    const World& world = scene.world;
    ASSERT_EQ(world.body_count(), 4);
    ASSERT_EQ(world.joint_count(), 4);
    for (int i = 0; i < 3; ++i) {
        const BodyId link = body(scene, "c.link" + std::to_string(i + 1));
        EXPECT_LT((world.pose(link).p - Vec3(1, 2, 3 - 0.25 - 0.5 * i)).norm(), 1e-12);
        EXPECT_EQ(world.mass(link), 2);
        // z of a link is along the chain
        EXPECT_LT((world.pose(link).q * Vec3::UnitZ() + Vec3::UnitZ()).norm(), 1e-12);
    }
    EXPECT_LT((world.pose(body(scene, "c.load")).p - Vec3(1, 2, 3 - 1.5 - 0.3)).norm(), 1e-12);
    EXPECT_EQ(world.mass(body(scene, "c.load")), 50);

    EXPECT_EQ(world.bodies(joint(scene, "c.joint1"))[0], kWorld);
    EXPECT_EQ(world.bodies(joint(scene, "c.joint3"))[0], body(scene, "c.link2"));
    EXPECT_EQ(world.bodies(joint(scene, "c.joint3"))[1], body(scene, "c.link3"));
    EXPECT_EQ(world.bodies(joint(scene, "c.hook"))[1], body(scene, "c.load"));
    EXPECT_LT(world.joint_gap(), 1e-12);
    EXPECT_EQ(scene.shapes.size(), 4u);
    EXPECT_NEAR(scene.shapes[0].second.shape.as<Shape::Capsule>()->length, 0.4, 1e-12);
}

TEST(GenerateChain, EveryJointTypeIsClosedAtTimeZero)
{
    for (const char* type : {"ball", "hinge", "universal", "weld", "prismatic"})
        for (const char* where :
             {"release: horizontal", "release: hanging", "direction: [1, 1, -2]"}) {
            const Scene scene =
                must_read(chain("link_mass: 1, load: {mass: 1, size: [0.2, 0.2, 0.4]}, joint: " +
                                std::string(type) + ", " + where));
            EXPECT_EQ(scene.world.type(joint(scene, "c.joint2")), type);
            EXPECT_LT(scene.world.joint_gap(), 1e-12) << type << " " << where;
            EXPECT_LT(scene.world.angular_gap(), 1e-12) << type << " " << where;
        }
}

TEST(GenerateChain, AlternatingHingesLetTheChainBendBothWays)
{
    // a force along the first axis: parallel hinges stay in their plane, alternating ones leave it
    const auto sideways = [](const std::string& alternate) {
        Scene scene =
            must_read(chain("link_mass: 1, joint: hinge, alternate: " + alternate) +
                      "step: {dt: 1/100}\nloads:\n  wind: {body: c.link3, force: [3, 3, 0]}\n");
        for (int i = 0; i < 30; ++i) scene.world.step(scene.settings);
        return std::pair(std::abs(scene.world.pose(body(scene, "c.link3")).p.x()),
                         std::abs(scene.world.pose(body(scene, "c.link3")).p.y()));
    };
    EXPECT_LT(std::min(sideways("false").first, sideways("false").second), 1e-6);
    EXPECT_GT(std::min(sideways("true").first, sideways("true").second), 1e-3);
}

TEST(GenerateChain, TurnIsARigidRotationAboutTheVertical)
{
    const Scene scene =
        must_read(chain("link_mass: 1, release: horizontal, turn: 2, from: [1, 0, 5], "
                        "load: {mass: 1, radius: 0.1}"));
    for (const char* name : {"c.link1", "c.link3", "c.load"}) {
        const BodyId id = body(scene, name);
        const Vec3 arm = scene.world.pose(id).p - Vec3(1, 0, 5);
        EXPECT_LT((scene.world.velocity(id).linear - Vec3(0, 0, 2).cross(arm)).norm(), 1e-12);
        EXPECT_EQ(scene.world.velocity(id).angular, Vec3(0, 0, 2));
    }
}

TEST(GenerateChain, SpinsAreBoundedAndReproducible)
{
    const auto spins = [](const std::string& seed) {
        const Scene scene = must_read(chain("link_mass: 1, spin: 0.5" + seed));
        std::vector<Vec3> result;
        for (int i = 1; i <= 3; ++i)
            result.push_back(
                scene.world.velocity(body(scene, "c.link" + std::to_string(i))).angular);
        return result;
    };
    EXPECT_EQ(spins(", seed: 7"), spins(", seed: 7"));
    EXPECT_EQ(spins(", seed: 1"), spins(""));
    EXPECT_NE(spins(", seed: 7"), spins(", seed: 8"));
    for (const Vec3& spin : spins(", seed: 7")) {
        EXPECT_LE(spin.cwiseAbs().maxCoeff(), 0.5);
        EXPECT_GT(spin.norm(), 0);
    }
    // the first number of mt19937 with seed 1 is 1791095845, on every platform
    EXPECT_DOUBLE_EQ(spins("")[0].x(), 0.5 * (2 * (1791095845.0 / 4294967295.0) - 1));
}

TEST(GenerateChain, AnchorAndEndMayBeBodiesOrNothing)
{
    const Scene held = must_read(
        "bodies:\n  boom: {mass: 9, shapes: [{sphere: 1}]}\n"
        "  hook: {mass: 9, shapes: [{sphere: 0.1}], position: [0, 0, -1.5]}\n" +
        chain("density: 7850, anchor: boom, end: hook"));
    EXPECT_EQ(held.world.bodies(joint(held, "c.joint1"))[0], body(held, "boom"));
    EXPECT_EQ(held.world.bodies(joint(held, "c.hook"))[1], body(held, "hook"));

    const Scene loose = must_read(chain("link_mass: 1, anchor: none"));
    EXPECT_EQ(loose.world.joint_count(), 2);
    EXPECT_FALSE(loose.world.find_joint("c.joint1"));
}

TEST(GenerateGrid, ParticlesAndConstraintsArePlacedCorrectly)
{
    const Scene scene = must_read(
        "generate:\n  - grid: {name: n, nx: 4, ny: 3, spacing: 0.5, mass: 24, from: [0, 0, 2], "
        "diagonals: true}\n");
    const World& world = scene.world;
    EXPECT_EQ(world.body_count(), 12);
    EXPECT_EQ(world.kind(body(scene, "n.p1_1")), BodyKind::Fixed);
    EXPECT_EQ(world.kind(body(scene, "n.p4_3")), BodyKind::Fixed);
    EXPECT_EQ(world.kind(body(scene, "n.p2_1")), BodyKind::Particle);
    EXPECT_EQ(world.mass(body(scene, "n.p2_1")), 2);
    EXPECT_LT((world.pose(body(scene, "n.p3_2")).p - Vec3(1, 0.5, 2)).norm(), 1e-12);
    // 3·3 along x, 4·2 along y, 2·3·2 diagonals
    EXPECT_EQ(world.joint_count(), 9 + 8 + 12);
    EXPECT_EQ(world.bodies(joint(scene, "n.x2_1"))[1], body(scene, "n.p3_1"));
    EXPECT_EQ(world.bodies(joint(scene, "n.y2_1"))[1], body(scene, "n.p2_2"));
    EXPECT_LT(world.joint_gap(), 1e-12);
}

TEST(GenerateGrid, FixedParticlesAreSelectable)
{
    const auto fixed = [](const std::string& where) {
        const Scene scene = must_read(
            "generate:\n  - grid: {nx: 4, ny: 3, spacing: 1, particle_mass: 1, fixed: " + where +
            "}\n");
        int count = 0;
        for (int i = 0; i < scene.world.body_count(); ++i)
            count += scene.world.kind(BodyId{i}) == BodyKind::Fixed;
        return count;
    };
    EXPECT_EQ(fixed("none"), 0);
    EXPECT_EQ(fixed("corners"), 4);
    EXPECT_EQ(fixed("edge"), 4);
    EXPECT_EQ(fixed("rim"), 10);
}

TEST(Generate, TheSameFileGivesTheSameState)
{
    const std::string text =
        chain("link_mass: 1, spin: 1, seed: 3, release: horizontal, load: {mass: 9, radius: 0.2}");
    Scene a = must_read(text), b = must_read(text);
    EXPECT_EQ(a.world.hash(), b.world.hash());
    for (int i = 0; i < 20; ++i) {
        a.world.step(a.settings);
        b.world.step(b.settings);
    }
    EXPECT_EQ(a.world.hash(), b.world.hash());
}

}  // namespace
}  // namespace taut::test

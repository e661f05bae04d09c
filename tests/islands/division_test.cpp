// Which bodies are solved together, and what they pass on when that changes.
#include <gtest/gtest.h>

#include "islands/division.h"
#include "model/builder.h"
#include "support/mechanisms.h"

namespace taut::test {
namespace {

struct Scene {
    Model model;
    State state = make_state();
    StepRows rows;

    BodyId add(BodyKind kind, Real mass = 1)
    {
        BodyDef def;
        def.kind = kind;
        def.mass = mass;
        def.pose.p = {static_cast<Real>(model.bodies.size()), 0, 0};
        return BodyId{must(add_body(model, state, def)) - 1};
    }
    void join(BodyId a, BodyId b) { must(add_joint(model, state, ball(a, b, Vec3::Zero()))); }
    std::vector<int> divide(int expected)
    {
        rows.load_joints(model);
        std::vector<int> island_of;
        EXPECT_EQ(islands::find_islands({model, rows}, state, island_of), expected);
        return island_of;
    }
};

// ground ── a ── b,   c ══ kinematic ══ d,   e alone
TEST(Division, BodiesThatNoForceMovesConnectNothing)
{
    Scene scene;
    const BodyId a = scene.add(BodyKind::Rigid), b = scene.add(BodyKind::Rigid);
    const BodyId c = scene.add(BodyKind::Rigid), hand = scene.add(BodyKind::Kinematic);
    const BodyId d = scene.add(BodyKind::Rigid);
    scene.add(BodyKind::Particle);
    scene.join(kWorld, a);
    scene.join(a, b);
    scene.join(c, hand);
    scene.join(hand, d);
    EXPECT_EQ(scene.divide(4), (std::vector<int>{-1, 0, 0, 1, -1, 2, 3}));

    scene.state.broken[1] = 1;  // a and b part
    EXPECT_EQ(scene.divide(5), (std::vector<int>{-1, 0, 1, 2, -1, 3, 4}));
}

TEST(Division, ContactsConnectToo)
{
    Scene scene;
    scene.add(BodyKind::Rigid);
    scene.add(BodyKind::Rigid);
    scene.divide(2);
    const int contact = scene.rows.append_contact();
    const auto bodies = scene.rows.table.bodies(scene.rows.table.groups[contact]);
    bodies[0] = BodyIndex(1);
    bodies[1] = BodyIndex(2);
    EXPECT_EQ(scene.divide(1), (std::vector<int>{-1, 0, 0}));
}

// Masses 1 and 3: a fragment takes its share of the kinetic scale by mass and opens a ledger of its own.
TEST(Division, PartsOfTheWholeShareItsKineticScaleByMass)
{
    Scene scene;
    scene.add(BodyKind::Rigid, 1);
    scene.add(BodyKind::Rigid, 3);
    scene.state.last_step.h = 0.01;
    scene.state.last_step.time = 2;
    scene.state.last_step.kinetic_scale = 8;
    scene.state.last_step.ledger = 5;
    scene.state.last_step.ledger_invalid = 0;
    scene.state.last_step.work.loads = 7;
    islands::carry_over(scene.model, scene.state, {-1, 0, 1}, 2);
    const auto& parts = scene.state.division.islands;
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_DOUBLE_EQ(parts[0].kinetic_scale, 2);
    EXPECT_DOUBLE_EQ(parts[1].kinetic_scale, 6);
    for (const IslandMemory& part : parts) {
        EXPECT_EQ(part.h, 0.01);
        EXPECT_EQ(part.time, 2);
        EXPECT_EQ(part.ledger_invalid, 1);
    }
    EXPECT_EQ(scene.state.last_step.work.loads, 7) << "the sum stays with the world";
    EXPECT_EQ(scene.state.last_step.h, 0) << "the rest of its own memory is idle";

    // and one again
    islands::merge_all(scene.model, scene.state);
    EXPECT_TRUE(scene.state.division.islands.empty());
    EXPECT_EQ(scene.state.last_step.h, 0.01);
    EXPECT_EQ(scene.state.last_step.time, 2);
    EXPECT_DOUBLE_EQ(scene.state.last_step.kinetic_scale, 8);
    EXPECT_EQ(scene.state.last_step.ledger_invalid, 1);
    EXPECT_EQ(scene.state.last_step.work.loads, 7);
}

TEST(Division, AnIslandThatStaysKeepsItsMemoryAndMergersAddLedgers)
{
    Scene scene;
    for (int k = 0; k < 3; ++k) scene.add(BodyKind::Rigid);
    islands::carry_over(scene.model, scene.state, {-1, 0, 1, 2}, 3);
    auto& before = scene.state.division.islands;
    for (int k = 0; k < 3; ++k) {
        before[k].h = k == 2 ? 0.02 : 0.01;
        before[k].ledger = 1 + k;
        before[k].ledger_invalid = 0;
        before[k].still = 0.25;
    }
    islands::carry_over(scene.model, scene.state, {-1, 0, 1, 1}, 2);
    const auto& now = scene.state.division.islands;
    EXPECT_EQ(now[0].still, 0.25);
    EXPECT_EQ(now[0].ledger, 1);
    EXPECT_EQ(now[1].ledger, 5);
    EXPECT_EQ(now[1].ledger_invalid, 0);
    EXPECT_EQ(now[1].still, 0);
    EXPECT_EQ(now[1].h, 0) << "steps of different length are no common past";
}

}  // namespace
}  // namespace taut::test

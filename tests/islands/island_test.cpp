// What goes from the world into an island and back.
#include "islands/island.h"

#include <gtest/gtest.h>

#include "model/builder.h"
#include "support/mechanisms.h"

namespace taut::test {
namespace {

using islands::Island;
using islands::IslandParts;

// ground ── a     post (kinematic) ── b ── c        The island is that of b and c.
struct Scene {
    Model model;
    State state = make_state();
    StepRows rows;
    std::vector<BodyIndex> local;
    BodyIndex a{1}, post{2}, b{3}, c{4};

    Scene()
    {
        for (const BodyKind kind :
             {BodyKind::Rigid, BodyKind::Kinematic, BodyKind::Rigid, BodyKind::Rigid}) {
            BodyDef def;
            def.kind = kind;
            def.pose.p = {static_cast<Real>(model.bodies.size()), 0, 0};
            must(add_body(model, state, def));
        }
        must(add_joint(model, state, ball(kWorld, id_of(a), Vec3::Zero())));
        must(add_joint(model, state, hinge(id_of(post), id_of(b), Vec3::Zero(), Vec3::UnitZ())));
        must(add_joint(model, state, hinge(id_of(b), id_of(c), Vec3::Zero(), Vec3::UnitZ())));
        rows.load_joints(model);
        local.resize(model.bodies.size());
        number(state);
    }

    // Every number of the state is another one.
    static void number(State& state)
    {
        Real next = 1;
        const auto fill = [&](auto& array) {
            for (auto& x : array) x = next++;
        };
        for_each_row_array(fill, state);
        fill(state.memory);
        for (auto* vectors : {&state.p, &state.v, &state.w, &state.history.p, &state.history.v})
            for (Vec3& x : *vectors) x = Vec3::Constant(next++);
    }
    StepModel step_model() const { return {model, rows}; }
    static IslandParts parts()
    {
        IslandParts parts;
        parts.bodies = {kGround, BodyIndex(2), BodyIndex(3), BodyIndex(4)};
        parts.joints = {1, 2};
        return parts;
    }
};

constexpr int kBallRows = 3, kHingeRows = 5;

TEST(Island, GathersItsPartsInTheOrderOfTheWorld)
{
    Scene scene;
    Island island;
    island.assemble(scene.step_model(), Scene::parts(), scene.local);
    island.gather(scene.step_model(), scene.state, {});

    ASSERT_EQ(island.state.p.size(), 4u);
    EXPECT_EQ(island.local_body(scene.b), BodyIndex(2));
    EXPECT_EQ(island.local_body(scene.a), kNoBody);
    EXPECT_EQ(island.first_body(), scene.b);
    for (const BodyIndex k : BodyRange(4)) {
        EXPECT_EQ(island.state.p[k], scene.state.p[island.world_body(k)]);
        EXPECT_EQ(island.state.history.v[k], scene.state.history.v[island.world_body(k)]);
    }
    ASSERT_EQ(island.state.lambda.size(), 2u * kHingeRows);
    for (int r = 0; r < 2 * kHingeRows; ++r) {
        EXPECT_EQ(island.state.lambda[r], scene.state.lambda[kBallRows + r]);
        EXPECT_EQ(island.state.stretch[r], scene.state.stretch[kBallRows + r]);
    }
    EXPECT_EQ(island.state.memory, scene.state.memory) << "only the hinges remember an angle";
}

TEST(Island, ScattersWhatItOwnsAndLeavesTheRestAlone)
{
    Scene scene;
    Island island;
    island.assemble(scene.step_model(), Scene::parts(), scene.local);
    island.gather(scene.step_model(), scene.state, {});
    const State before = scene.state;
    for (Real& x : island.state.lambda) x += 1000;
    for (Real& x : island.state.memory) x += 1000;
    for (Vec3& x : island.state.v) x.array() += 1000;
    island.state.broken[1] = 1;
    island.scatter(scene.step_model(), scene.state);

    for (const BodyIndex own : {scene.b, scene.c})
        EXPECT_EQ(scene.state.v[own], Vec3(before.v[own].array() + 1000));
    for (const BodyIndex other : {kGround, scene.a, scene.post})
        EXPECT_EQ(scene.state.v[other], before.v[other])
            << "kinematic bodies may be in several islands: the world moves them";
    for (int r = 0; r < kBallRows; ++r) EXPECT_EQ(scene.state.lambda[r], before.lambda[r]);
    for (int r = kBallRows; r < kBallRows + 2 * kHingeRows; ++r)
        EXPECT_EQ(scene.state.lambda[r], before.lambda[r] + 1000);
    EXPECT_EQ(scene.state.memory[0], before.memory[0] + 1000);
    EXPECT_EQ(scene.state.broken, (std::vector<Real>{0, 0, 1}));
}

TEST(Island, AddsToTheWorldTheWorkSinceItWasGathered)
{
    Scene scene;
    Island island;
    island.assemble(scene.step_model(), Scene::parts(), scene.local);
    IslandMemory memory;
    memory.work.loads = 5;
    memory.dissipation.friction = 1;
    scene.state.last_step.work.loads = 100;
    island.gather(scene.step_model(), scene.state, memory);
    island.state.last_step.work.loads = 7;
    island.state.last_step.dissipation.friction = 4;
    island.state.last_step.h = 0.01;
    island.scatter_shared(scene.state, memory);
    EXPECT_EQ(scene.state.last_step.work.loads, 102);
    EXPECT_EQ(scene.state.last_step.dissipation.friction, 3);
    EXPECT_EQ(memory.work.loads, 7);
    EXPECT_EQ(memory.h, 0.01);
    EXPECT_EQ(scene.state.last_step.h, 0) << "each island has a history of its own";
}

TEST(Island, FollowsTheNumbersOfTheWorldAndKnowsWhatItLost)
{
    Scene scene;
    Island island;
    island.assemble(scene.step_model(), Scene::parts(), scene.local);
    // a and its joint are removed
    Renumbering now{{0, -1, 1, 2, 3}, {-1, 0, 1}, {}, {}};
    EXPECT_TRUE(island.renumber(now));
    EXPECT_EQ(island.first_body(), BodyIndex(2));
    EXPECT_EQ(island.local_joint(0), 0);
    // and then c
    now = {{0, 1, 2, -1}, {0, -1}, {}, {}};
    EXPECT_FALSE(island.renumber(now));
}

}  // namespace
}  // namespace taut::test

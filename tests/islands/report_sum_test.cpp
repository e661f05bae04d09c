// One report for islands side by side.
#include "islands/report_sum.h"

#include <gtest/gtest.h>

#include "model/builder.h"
#include "support/mechanisms.h"

namespace taut::test {
namespace {

using islands::ReportSum;

struct Scene {
    Model model;
    State state = make_state();
    StepRows rows;

    explicit Scene(int islands)
    {
        for (int k = 0; k < islands; ++k) must(add_body(model, state, BodyDef{}));
        rows.load_joints(model);
        state.division.island_of.assign(islands + 1, -1);
        for (int k = 0; k < islands; ++k) state.division.island_of[k + 1] = k;
        state.division.islands.resize(islands);
    }
    StepReport sum(std::initializer_list<StepReport> reports) const
    {
        ReportSum sum;
        for (const StepReport& one : reports) sum.add(one);
        return sum.finish({model, rows}, state);
    }
};

TEST(ReportSum, SolvesAndGapsAreMaximaCountsAndEnergiesSums)
{
    StepReport one, other;
    one.solves = 7, other.solves = 3;
    one.residual_gap = 1e-9, other.residual_gap = 1e-6;
    one.restarts = 1, other.restarts = 2;
    one.energy_change = -1, other.energy_change = 0.25;
    one.dissipation.friction = 2, other.dissipation.friction = 3;
    const StepReport all = Scene(2).sum({one, other});
    EXPECT_EQ(all.solves, 7);
    EXPECT_EQ(all.residual_gap, 1e-6);
    EXPECT_EQ(all.restarts, 3);
    EXPECT_EQ(all.energy_change, -0.75);
    EXPECT_EQ(all.dissipation.friction, 5);
    EXPECT_EQ(all.islands, 2);
    EXPECT_TRUE(all.settled);
}

TEST(ReportSum, TheHardestIslandGivesTheReasonWhicheverComesFirst)
{
    StepReport halved, unsettled;
    halved.halvings = 5;
    halved.reason = "halved";
    halved.hardest_body = BodyId{0};
    unsettled.settled = false;
    unsettled.reason = "unsettled";
    unsettled.hardest_body = BodyId{1};
    for (const StepReport& all :
         {Scene(2).sum({halved, unsettled}), Scene(2).sum({unsettled, halved})}) {
        EXPECT_EQ(all.reason, "unsettled");
        EXPECT_EQ(all.hardest_body, BodyId{1});
        EXPECT_FALSE(all.settled);
        EXPECT_EQ(all.halvings, 5);
    }
}

TEST(ReportSum, PivotsAreCountedWhereEveryIslandKnowsThem)
{
    StepReport known, unknown;
    known.solve.negative_pivots = 3;
    known.solve.expected_negative_pivots = 4;
    EXPECT_EQ(Scene(2).sum({known, known}).solve.negative_pivots, 6);
    EXPECT_EQ(Scene(2).sum({known, known}).solve.expected_negative_pivots, 8);
    EXPECT_EQ(Scene(2).sum({known, unknown}).solve.negative_pivots, std::nullopt);
}

TEST(ReportSum, SleepingAndFrozenIslandsAreCountedAndTheFirstFrozenOneNamed)
{
    Scene scene(3);
    scene.state.division.islands[0].asleep = 1;
    scene.state.division.islands[1].freeze();
    scene.state.v[2] = {1e200, 0, 0};
    const StepReport all = scene.sum({StepReport{}});
    EXPECT_EQ(all.asleep, 1);
    EXPECT_EQ(all.frozen, 1);
    EXPECT_EQ(all.status, StepStatus::Ok);
    EXPECT_FALSE(all.settled);
    EXPECT_EQ(all.hardest_body, BodyId{1}) << "the BodyId of the body in island 1";
    EXPECT_NE(all.reason.find("frozen"), std::string_view::npos);
}

}  // namespace
}  // namespace taut::test

// Every scheme, stabilisation, solver of inequality rows and linear solver on shipped scenes: a method may fail, but a step
// that is reported Ok and settled has solved its equations and holds its joints together.
#include <gtest/gtest.h>

#include <taut/catalogue.h>
#include <taut/scene.h>

#include <cmath>
#include <string>

#include "record/run_scene.h"
#include "support/sanitized.h"

namespace taut::test {
namespace {

constexpr int kSteps = 40;
// Steps that are not settled before a run ends: what follows is no news, and slow.
constexpr int kEnough = 3;

std::string path(const std::string& name) { return std::string(TAUT_SOURCE_SCENES) + "/" + name; }

std::string label(const StepSettings& s)
{
    return std::string(choice_name(schemes(), s.research.scheme)) + " " +
           std::string(choice_name(stabilisations(), s.research.stabilisation)) + " " +
           std::string(choice_name(solvers(), s.research.solver)) + " " +
           std::string(choice_name(law_methods(), s.research.laws));
}

// Runs one method, and complains about steps that are called settled and are not.
void expect_honest(const std::string& file, const StepSettings& method)
{
    auto scene = load_scene(path(file));
    ASSERT_TRUE(scene.ok()) << scene.error().message;
    World& world = scene->world;
    StepSettings settings = method;
    settings.dt = 0.0125;
    const std::string where = file + " " + label(settings) + ", step ";
    int unsettled = 0;
    for (int i = 0; i < kSteps && unsettled < kEnough; ++i) {
        const StepReport report = world.step(settings);
        if (report.status != StepStatus::Ok || !report.settled) {
            EXPECT_FALSE(report.reason.empty()) << where << i;
            if (report.status != StepStatus::Ok) return;
            ++unsettled;
            continue;
        }
        EXPECT_NE(report.solve.outcome, SolveOutcome::Failed) << where << i;
        EXPECT_TRUE(report.solve.residual <= settings.tolerance)
            << where << i << ": " << report.solve.residual.value_or(0);
        ASSERT_TRUE(world.joint_gap() <= 0.1 * world.size())
            << where << i << ": " << world.joint_gap() << " m";
        ASSERT_TRUE(std::isfinite(world.energy().total())) << where << i;
    }
}

// visit(settings) for every scheme of one solve and every stabilisation.
template <class Visit>
void for_each_one_solve_method(Visit visit)
{
    int count = 0;
    for (const Scheme scheme : {Scheme::BackwardEuler, Scheme::AlphaBeta})
        for (const auto& stabilisation : stabilisations())
            if (!test::kSanitized || ++count % 5 == 0)
                visit(StepSettings{
                    .research = {.scheme = scheme, .stabilisation = stabilisation.value}});
}

// Where there are inequality rows their solver solves all rows, elsewhere the linear solver does.
TEST(MethodReports, AreHonestForEverySolverOfInequalityRows)
{
    for (const char* file :
         {"limits/ragdoll.yaml", "limits/hinge_stop.yaml", "limits/stalling_motor.yaml",
          "joints/rope.yaml", "contacts/incline.yaml", "contacts/heavy_on_light.yaml",
          "contacts/card_house.yaml"})
        for_each_one_solve_method([&](StepSettings settings) {
            for (const auto& laws : law_methods()) {
                settings.research.laws = laws.value;
                expect_honest(file, settings);
            }
        });
}

TEST(MethodReports, AreHonestForEveryLinearSolver)
{
    for (const char* file : {"heavy_chain.yaml", "crane.yaml", "four_bar.yaml",
                             "table_on_four_legs.yaml", "servo_arm.yaml"})
        for_each_one_solve_method([&](StepSettings settings) {
            for (const auto& solver : solvers()) {
                settings.research.solver = solver.value;
                expect_honest(file, settings);
            }
        });
}

TEST(MethodReports, AreHonestForEveryClassicalScheme)
{
    for (const char* file : {"heavy_chain.yaml", "crane.yaml", "four_bar.yaml", "servo_arm.yaml",
                             "gyroscope.yaml", "double_pendulum.yaml"})
        for (const auto& scheme : schemes())
            if (scheme.summary.starts_with("classical"))
                expect_honest(file, {.research = {.scheme = scheme.value}});
}

// The symmetric K̃ makes the blocks of loaded limbs indefinite, and then the solver of limits has no solution.
TEST(MethodReports, ARunWithoutSolutionsIsNotOk)
{
    for (const LawMethod laws : {LawMethod::Newton, LawMethod::Pgs, LawMethod::Nncg}) {
        auto scene = load_scene(path("limits/ragdoll.yaml"), {{"step.dt", "0.012"}});
        ASSERT_TRUE(scene.ok()) << scene.error().message;
        scene->expectations.clear();
        scene->settings.research.scheme = Scheme::BackwardEuler;
        scene->settings.research.stabilisation = Stabilisation::Symmetric;
        scene->settings.research.laws = laws;
        const auto report = run_scene(*scene);
        ASSERT_TRUE(report.ok()) << report.error().message;
        EXPECT_EQ(report->summary.status, RunStatus::Diverged);
        EXPECT_NE(report->summary.reason.find("positive definite"), std::string::npos);
    }
}

// Sweeps do not solve a heavy doll on a light liana: the steps cost no more than their budget, and a run of them is not ok.
TEST(MethodReports, ARunThatDoesNotSettleIsNotOk)
{
    auto scene =
        load_scene(path("limits/ragdoll.yaml"), {{"step.dt", "0.015"}, {"duration", "0.3"}});
    ASSERT_TRUE(scene.ok()) << scene.error().message;
    scene->expectations.clear();
    scene->settings.research.laws = LawMethod::Pgs;
    const auto report = run_scene(*scene);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->summary.status, RunStatus::Unsettled);
    EXPECT_GT(report->summary.unsettled_steps, report->summary.steps / 2);
    EXPECT_FALSE(report->summary.unsettled_reason.empty());
    // 500, and what the last solve takes: 300 sweeps, for a step that was begun in sub-steps twice
    EXPECT_LE(report->summary.solves_max, 500 + 2 * 31);
}

}  // namespace
}  // namespace taut::test

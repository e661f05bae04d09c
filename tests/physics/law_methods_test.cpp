// Every solver of laws on the same scenes, and what only the default promises: slides that cost nothing.
#include <gtest/gtest.h>

#include <cmath>

#include "support/boxes.h"

namespace taut::test {
namespace {

constexpr Real kG = 9.81;

struct Seen {
    int unsettled = 0;
    double solves = 0;
};
Seen run(World& world, Real seconds, const StepSettings& settings)
{
    Seen seen;
    const int steps = static_cast<int>(std::round(seconds / settings.dt));
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(settings);
        EXPECT_EQ(report.status, StepStatus::Ok) << report.reason;
        seen.unsettled += !report.settled;
        seen.solves += report.solves;
    }
    seen.solves /= steps;
    return seen;
}

class EveryLawMethod : public testing::TestWithParam<LawMethod> {
protected:
    StepSettings settings() const { return {.dt = Real(1) / 60, .research = {.laws = GetParam()}}; }
};
INSTANTIATE_TEST_SUITE_P(All, EveryLawMethod,
                         testing::Values(LawMethod::Newton, LawMethod::Pgs, LawMethod::Nncg,
                                         LawMethod::ActiveSetMinres),
                         [](const auto& one) {
                             return std::string(choice_name(law_methods(), one.param));
                         });

TEST_P(EveryLawMethod, ABoxFallsAndRests)
{
    World world;
    add_floor(world, 0.5);
    const BodyId body = add_box(world, {0.2, 0.3, 0.1}, 2, {{0, 0, 0.55}, Quat::Identity()}, 0.5);
    run(world, 2, settings());
    EXPECT_NEAR(world.pose(body).p.z(), 0.05, 1e-4);
    EXPECT_LE(world.velocity(body).linear.norm(), 1e-4);
}

TEST_P(EveryLawMethod, ABoxHoldsOrSlidesOnAnIncline)
{
    for (const Real angle : {0.4, 0.7}) {
        World world;
        const Quat tilt(Eigen::AngleAxisd(angle, Vec3::UnitY()));
        add_floor(world, 0.5, tilt);
        const BodyId body =
            add_box(world, {0.4, 0.4, 0.1}, 3, {tilt * Vec3(0, 0, 0.05), tilt}, 0.5);
        run(world, 1, settings());
        const Real pull = std::max(kG * (std::sin(angle) - 0.5 * std::cos(angle)), Real(0));
        EXPECT_NEAR(world.velocity(body).linear.dot(tilt * Vec3::UnitX()), pull,
                    0.01 * pull + 1e-3);
    }
}

TEST_P(EveryLawMethod, ThreeBoxesStand)
{
    World world;
    add_floor(world, 0.5);
    BodyId top;
    for (int i = 0; i < 3; ++i)
        top = add_box(world, Vec3::Ones(), 1, {{0, 0, 0.5 + i}, Quat::Identity()}, 0.5);
    run(world, 0.5, settings());
    EXPECT_NEAR(world.pose(top).p.z(), 2.5, 1e-3);
}

// A plane's tangents lie along the slope where it is tilted about y, and 50° beside it where that is turned by 45°:
// there a pyramid's rows need 0.36 and 0.44 of gravity and may give 0.41 each, where a cone needs 0.56.
TEST(FrictionShape, APyramidHoldsMoreBesideItsRows)
{
    const Real angle = 0.6, seconds = 0.5;
    const Real slides = seconds * kG * (std::sin(angle) - 0.5 * std::cos(angle));
    const auto speed = [&](FrictionShape shape, Real turn) {
        World world;
        const Quat tilt = Quat(Eigen::AngleAxisd(turn, Vec3::UnitZ())) *
                          Quat(Eigen::AngleAxisd(angle, Vec3::UnitY()));
        add_floor(world, 0.5, tilt);
        const BodyId body =
            add_box(world, {0.4, 0.4, 0.1}, 3, {tilt * Vec3(0, 0, 0.05), tilt}, 0.5);
        EXPECT_EQ(
            run(world, seconds, {.dt = Real(1) / 60, .research = {.friction = shape}}).unsettled,
            0);
        return world.velocity(body).linear.norm();
    };
    EXPECT_NEAR(speed(FrictionShape::Cone, 0), slides, 0.01 * slides);
    EXPECT_NEAR(speed(FrictionShape::Cone, M_PI / 4), slides, 0.01 * slides);
    EXPECT_NEAR(speed(FrictionShape::Pyramid, 0), slides, 0.01 * slides);
    EXPECT_LE(speed(FrictionShape::Pyramid, M_PI / 4), 0.3 * slides);
}

struct Slide {
    const char* name;
    void (*make)(World&);
    Real most_solves;  // a step, on average
};
const Slide kSlides[] = {
    {"fast",
     [](World& world) {
         add_floor(world, 0.5);
         add_box(world, {0.4, 0.3, 0.1}, 3, {{0, 0, 0.05}, Quat::Identity()}, 0.5,
                 {{5, 1, 0}, {0, 0, 0}});
     },
     1.5},
    {"spinning",
     [](World& world) {
         add_floor(world, 0.5);
         add_box(world, {0.4, 0.3, 0.1}, 3, {{0, 0, 0.05}, Quat::Identity()}, 0.5,
                 {{5, 1, 0}, {0, 0, 20}});
     },
     3},
    {"on_an_edge",
     [](World& world) {
         add_floor(world, 0.2);
         add_box(
             world, {0.4, 0.3, 0.4}, 3,
             {{0, 0, 0.2 * std::sqrt(Real(2))}, Quat(Eigen::AngleAxisd(M_PI / 4, Vec3::UnitY()))},
             0.2, {{0, 4, 0}, {0, 0, 0}});
     },
     1.5},
    {"tumbling",
     [](World& world) {
         add_floor(world, 0.6);
         add_box(world, {0.4, 0.3, 0.5}, 3,
                 {{0, 0, 0.6}, Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()))}, 0.6,
                 {{4, 1, 0}, {3, 20, 1}});
     },
     6},
    {"stack_of_three",
     [](World& world) {
         add_floor(world, 0.3);
         for (int i = 0; i < 3; ++i)
             add_box(world, {0.4, 0.4, 0.2}, 1 + i, {{0, 0, 0.1 + 0.2 * i}, Quat::Identity()}, 0.6,
                     {{3, 0.5, 0}, {0, 0, 0}});
     },
     3},
};
// A stalled solve shows as hundreds of factorisations a step.
TEST(Newton, SlidesAreCheap)
{
    for (const Slide& slide : kSlides) {
        World world;
        slide.make(world);
        const Seen seen = run(world, 2, {.dt = Real(1) / 60});
        EXPECT_EQ(seen.unsettled, 0) << slide.name;
        EXPECT_LE(seen.solves, slide.most_solves) << slide.name;
    }
}

}  // namespace
}  // namespace taut::test

// Unit tests of the viewer: commands, lateness, the mouse spring on masses from 1 g to 1000 t.
#include <cmath>

#include <gtest/gtest.h>

#include <sys/stat.h>

#include "support/mechanisms.h"
#include "view/browser.h"
#include "view/command.h"
#include "view/lateness.h"
#include "view/mouse_spring.h"

namespace taut::view {
namespace {

using test::must;

// --- commands ---

TEST(ParseCommand, ParsesTheCommandsOfThePage)
{
    const auto grab =
        parse_command(R"({"command": "grab", "body": 3, "point": [0, 0, 1], "target": [1, 2, 3]})");
    ASSERT_TRUE(grab.command) << grab.reason;
    EXPECT_EQ(std::get<Grab>(*grab.command).body, 3);
    EXPECT_EQ(std::get<Grab>(*grab.command).target, Vec3(1, 2, 3));
    EXPECT_EQ(std::get<Grab>(*grab.command).strength, 1);
    const auto set = parse_command(R"({"command": "set", "name": "ratio", "value": 12.5})");
    ASSERT_TRUE(set.command);
    EXPECT_EQ(std::get<SetParameter>(*set.command).value, "12.5");
    const auto control = parse_command(R"({"command": "control", "name": "luff", "value": -0.2})");
    ASSERT_TRUE(control.command);
    EXPECT_EQ(std::get<SetControl>(*control.command).name, "luff");
    EXPECT_EQ(std::get<SetControl>(*control.command).value, -0.2);
}

TEST(ParseCommand, DistinguishesInvalidCommandsFromMalformedMessages)
{
    for (const char* text :
         {"", "x", "[]", "7", "{}", R"({"command": 7})", "{\"command\": \"play\"", "\xff\xfe",
          R"({"a":[[[[[[[1]]]]]]],"command":"play"})"})
        EXPECT_TRUE(parse_command(text).malformed) << text;
    for (const char* text :
         {R"({"command": "fly"})", R"({"command": "speed"})",
          R"({"command": "speed", "value": "x"})",
          R"({"command": "grab", "body": 1.5, "point": [0,0,0], "target": [0,0,0]})",
          R"({"command": "drag", "target": [0, 0]})", R"({"command": "plots", "readings": "time"})",
          R"({"command": "control", "name": "luff", "value": "0.1"})",
          R"({"command": "control", "value": 1})",
          R"({"command": "settings", "max_solves": 1e300})"}) {
        const ParsedCommand parsed = parse_command(text);
        EXPECT_FALSE(parsed.malformed) << text;
        EXPECT_FALSE(parsed.command) << text;
        EXPECT_FALSE(parsed.reason.empty()) << text;
    }
}

// --- lateness ---

TEST(Lateness, QuantilesAreCorrect)
{
    Lateness lateness;
    for (int i = 1; i <= 1000; ++i) lateness.add(i * 1e-3, i * 1e-5);
    const LatenessFigures lately = lateness.lately(1), all = lateness.overall();
    EXPECT_NEAR(lately.p50, 5e-3, 2e-5);
    EXPECT_NEAR(lately.p99, 9.9e-3, 2e-5);
    EXPECT_EQ(lately.worst, 1e-2);
    // bins are 5 % wide
    EXPECT_NEAR(all.p50, 5e-3, 0.05 * 5e-3);
    EXPECT_NEAR(all.p99, 9.9e-3, 0.05 * 9.9e-3);
    EXPECT_EQ(all.worst, 1e-2);
    EXPECT_EQ(all.steps, 1000u);
}

TEST(Lateness, OldStepsAreDropped)
{
    Lateness lateness;
    lateness.add(0, 9);
    for (int i = 0; i < 100; ++i) lateness.add(10 + i * 0.01, 1e-3);
    EXPECT_EQ(lateness.lately(11).worst, 1e-3);
    EXPECT_EQ(lateness.overall().worst, 9);
}

// --- mouse spring ---

// Largest relative distance from the target after 1 s, and the largest speed.
struct Followed {
    Real left = 0, fastest = 0;
};

Followed follow(World& world, BodyId body, const StepSettings& settings, const Vec3& way,
                Real seconds)
{
    const Vec3 start = world.pose(body).p;
    auto spring = must(MouseSpring::attach(world, body, Vec3::Zero(), start + way, 1));
    Followed out;
    for (Real t = 0; t < seconds; t += settings.dt) {
        EXPECT_EQ(spring.step(world, settings).status, StepStatus::Ok);
        out.fastest = std::max(out.fastest, world.velocity(body).linear.norm());
    }
    out.left = (world.pose(body).p - start - way).norm() / way.norm();
    return out;
}

// The motion of a free body to the target depends neither on its mass nor on the time step.
TEST(MouseSpring, FollowsTheMouseIndependentOfTheMass)
{
    for (const Real dt : {1e-3, 1.0 / 60, 0.1})
        for (const Real mass : {1e-3, 1.0, 1e6}) {
            World world;
            must(world.set_gravity(Vec3::Zero()));
            BodyDef def;
            def.mass = mass;
            def.inertia = mass * Mat3::Identity();
            const BodyId body = must(world.add_body(def));
            const Followed followed = follow(world, body, {.dt = dt}, Vec3(1, 0, 0), 2);
            // critically damped at 10 rad/s: (1 + 20)e⁻²⁰ remains, and the largest speed is ω/e
            EXPECT_LT(followed.left, 0.02) << mass << " kg, " << dt << " s";
            EXPECT_LT(followed.fastest, 10 / std::exp(1) * 1.1) << mass << " kg, " << dt << " s";
        }
}

// A link of 1 kg in a chain that carries up to 1000 t is moved without oscillation at any time step.
TEST(MouseSpring, MovesALightLinkOfALoadedChain)
{
    for (const Real ratio : {1.0, 1e4, 1e6})
        for (const Real dt : {1.0 / 240, 1.0 / 60, 0.1}) {
            test::Chain chain = test::make_chain({.links = 10, .ratio = ratio});
            const StepSettings settings{.dt = dt};
            // let the joint forces develop first
            World& world = chain.world;
            for (int i = 0; i < 10; ++i) {
                must(world.set_pose(chain.links[i], {{0, 0, -0.1 * (i + 0.5)},
                                                     Quat(Eigen::AngleAxis<Real>(std::acos(Real(0)),
                                                                                 Vec3::UnitY()))}));
                must(world.set_velocity(chain.links[i], {}));
            }
            for (int i = 0; i < 5; ++i) world.step(settings);

            const BodyId link = chain.links[5];
            const Followed followed = follow(world, link, settings, Vec3(0.2, 0, 0), 3);
            EXPECT_LT(followed.left, 0.6) << "ratio " << ratio << ", " << dt << " s";
            EXPECT_LT(followed.fastest, 5) << "ratio " << ratio << ", " << dt << " s";
            EXPECT_LT(world.joint_gap(), 0.02) << "ratio " << ratio << ", " << dt << " s";
        }
}

TEST(MouseSpring, LeavesNoForceInTheWorld)
{
    test::Chain chain = test::make_chain({.links = 3});
    auto spring =
        must(MouseSpring::attach(chain.world, chain.links[2], Vec3::Zero(), Vec3(0, 0, 3), 1));
    const StepSettings settings{.dt = 0.01};
    for (int i = 0; i < 20; ++i) spring.step(chain.world, settings);
    EXPECT_GT(spring.force().norm(), 1);
    // setting a zero wrench must not change the state
    const auto hash = chain.world.hash();
    must(chain.world.set_wrench(chain.links[2], {}));
    EXPECT_EQ(chain.world.hash(), hash);
}

// --- browser ---

TEST(Browser, TheAddressIsInAPrivateFile)
{
    std::filesystem::path file;
    {
        const auto page = write_browser_page("http://127.0.0.1:1/?token=secret");
        ASSERT_TRUE(page);
        file = page->file();
        struct stat about {};
        ASSERT_EQ(stat(file.c_str(), &about), 0);
        EXPECT_EQ(about.st_mode & 0777, 0600u);
        ASSERT_EQ(stat(file.parent_path().c_str(), &about), 0);
        EXPECT_EQ(about.st_mode & 0777, 0700u);
    }
    EXPECT_FALSE(std::filesystem::exists(file.parent_path()));
}

}  // namespace
}  // namespace taut::view

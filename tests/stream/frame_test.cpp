// A decoded frame equals the encoded world in single precision.
#include "stream/frame.h"

#include <gtest/gtest.h>

#include <cstring>

#include "support/mechanisms.h"

namespace taut::test {
namespace {

// Positions are about a metre: half a unit in the last place of a float.
constexpr Real kMetre = 1e-7;

struct Running {
    Chain chain = make_chain({.links = 5, .ratio = 100, .turn = 0.3});
    StepSettings settings{.dt = 1.0 / 60};
    RunMonitor monitor{chain.world, settings, 100};
    StepReport step;

    explicit Running(int steps)
    {
        for (int i = 0; i < steps; ++i) step = chain.world.step(settings);
    }
    Moment moment() const { return {chain.world, step, monitor}; }
};

TEST(Frame, ABrokenJointHasNoForce)
{
    World world;
    BodyDef hanging;
    hanging.pose.p = {0, 0, -1};
    const BodyId bob = must(world.add_body(hanging));
    JointDef thread = ball(kWorld, bob, {0, 0, 0});
    thread.break_force = 5;  // half of its load
    must(world.add_joint(thread));
    const StepSettings settings{.dt = 1.0 / 60};
    const RunMonitor monitor{world, settings, 100};
    auto encoder = must(FrameEncoder::make(world, {}));
    StepReport step;
    EXPECT_TRUE(
        must(decode_frame(encoder.encode({world, step, monitor}, {}))).joints[0].force.allFinite());
    for (int i = 0; i < 3; ++i) step = world.step(settings);
    const Frame frame = must(decode_frame(encoder.encode({world, step, monitor}, {})));
    EXPECT_TRUE(frame.joints[0].force.array().isNaN().all());
    EXPECT_TRUE(frame.joints[0].torque.array().isNaN().all());
}

TEST(Frame, DecodedFrameEqualsTheWorld)
{
    const Running run(20);
    auto encoder = must(FrameEncoder::make(run.chain.world, {"energy.total", "body.link5.z"}));
    FrameNote note;
    note.revision = 7;
    note.paused = true;
    note.target = Vec3(1, 2, 3);
    const Frame frame = must(decode_frame(encoder.encode(run.moment(), note)));

    const World& world = run.chain.world;
    EXPECT_EQ(frame.revision, 7u);
    EXPECT_EQ(frame.time, world.time());
    EXPECT_EQ(frame.step, 20u);
    EXPECT_TRUE(frame.paused);
    EXPECT_FALSE(frame.diverged);
    EXPECT_FALSE(frame.unsettled);
    EXPECT_EQ(frame.solves, static_cast<std::uint32_t>(run.step.solves));
    ASSERT_EQ(frame.bodies.size(), 6u) << "the world comes first";
    EXPECT_EQ(frame.bodies[0].p, Vec3::Zero());
    for (int i = 0; i < 5; ++i) {
        const Pose pose = world.pose(BodyId{i});
        EXPECT_LT((frame.bodies[i + 1].p - pose.p).norm(), kMetre);
        EXPECT_LT((frame.bodies[i + 1].q.coeffs() - pose.q.coeffs()).norm(), 2e-7);
    }
    ASSERT_EQ(frame.joints.size(), 5u);
    for (int i = 0; i < 5; ++i) {
        const Vec3 force = world.joint(JointId{i}).force;
        EXPECT_LT((frame.joints[i].force - force).norm(), 2e-7 * force.norm());
        EXPECT_GT(force.norm(), 100) << "the joints carry a load of 100 kg";
    }
    ASSERT_EQ(frame.plots.size(), 2u);
    EXPECT_NEAR(frame.plots[0], world.energy().total(), 1e-6 * std::abs(frame.plots[0]));
    EXPECT_NEAR(frame.plots[1], world.pose(BodyId{4}).p.z(), kMetre);
    ASSERT_TRUE(frame.target.has_value());
    EXPECT_EQ(*frame.target, Vec3(1, 2, 3));
}

TEST(Frame, ContactsAndAMissingTargetAreEncoded)
{
    World world;
    must(world.add_collider(kWorld, {.shape = Shape::plane()}));
    BodyDef def;
    def.name = "ball";
    def.mass = 2;
    def.inertia = 0.2 * Mat3::Identity();
    def.pose.p = {0, 0, 0.5};
    const BodyId ball = must(world.add_body(def));
    must(world.add_collider(ball, {.shape = Shape::sphere(0.5)}));
    const StepSettings settings{.dt = 0.01};
    const RunMonitor monitor(world, settings, 10);
    StepReport step;
    for (int i = 0; i < 10; ++i) step = world.step(settings);

    auto encoder = must(FrameEncoder::make(world, {}));
    const Frame frame = must(decode_frame(encoder.encode({world, step, monitor}, {})));
    ASSERT_EQ(frame.contacts.size(), 1u);
    const ContactReading contact = world.contacts()[0];
    EXPECT_NEAR(contact.force.norm(), 2 * 9.81, 1e-3);
    EXPECT_LT((frame.contacts[0].force - contact.force).norm(), 1e-5);
    EXPECT_LT((frame.contacts[0].normal - contact.normal).norm(), 1e-6);
    EXPECT_LT(frame.contacts[0].point.norm(), 1e-3);
    EXPECT_FALSE(frame.target.has_value());
}

TEST(Frame, LayoutIsThatOfTheSpecification)
{
    const Running run(3);
    auto encoder = must(FrameEncoder::make(run.chain.world, {"time"}));
    const auto bytes = encoder.encode(run.moment(), {.revision = 2});
    ASSERT_EQ(bytes.size(), 48u + 4 * (6 * 7 + 5 * 6 + 1 + 3));
    EXPECT_EQ(std::memcmp(bytes.data(), "TAUT", 4), 0);
    double time = 0;
    std::memcpy(&time, bytes.data() + 8, 8);
    EXPECT_EQ(time, run.chain.world.time());
    float x = 0;
    std::memcpy(&x, bytes.data() + 48 + 7 * 4, 4);
    EXPECT_EQ(x, static_cast<float>(run.chain.world.pose(BodyId{0}).p.x()));
}

TEST(Frame, TheBufferIsReused)
{
    const Running run(3);
    auto encoder = must(FrameEncoder::make(run.chain.world, {"time"}));
    const auto* first = encoder.encode(run.moment(), {}).data();
    EXPECT_EQ(encoder.encode(run.moment(), {}).data(), first);
}

TEST(Frame, InvalidDataAreRefused)
{
    const Running run(1);
    auto encoder = must(FrameEncoder::make(run.chain.world, {}));
    const auto bytes = encoder.encode(run.moment(), {});
    std::vector<std::byte> copy(bytes.begin(), bytes.end());
    EXPECT_FALSE(decode_frame({}).ok());
    EXPECT_FALSE(decode_frame(std::span(copy).first(copy.size() - 4)).ok());
    copy[0] = std::byte{0};
    EXPECT_FALSE(decode_frame(copy).ok());
}

TEST(Frame, UnknownOrTooManyReadingsAreRefused)
{
    const Running run(1);
    const auto unknown = FrameEncoder::make(run.chain.world, {"energy.totl"});
    ASSERT_FALSE(unknown.ok());
    EXPECT_NE(unknown.error().message.find("energy.total"), std::string::npos);
    EXPECT_FALSE(FrameEncoder::make(run.chain.world, std::vector<std::string>(17, "time")).ok());
}

}  // namespace
}  // namespace taut::test

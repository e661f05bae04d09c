// Same bits again: on repeat, after restore at any step, and never from an image that is damaged, foreign or absurd.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "contact_scenes.h"
#include "support/mechanisms.h"
#include "support/sanitized.h"
#include "world/byte_hash.h"
#include "world/snapshot_layout.h"

namespace taut::test {
namespace {

// Loops, drives, springs, prescribed motion and many turns: all that a state can hold.
World busy_world()
{
    Chain chain = make_chain({.links = 6, .ratio = 1e3, .turn = 0.3});
    World world = std::move(chain.world);
    BodyDef wheel;
    wheel.name = "wheel";
    wheel.inertia = Vec3(1, 2, 2.5).asDiagonal();
    wheel.pose.p = {0, 2, 0};
    const BodyId w = must(world.add_body(wheel));
    const JointDef axle = hinge(kWorld, w, {0, 2, 0}, {1, 1, 0});
    must(world.add_joint(axle));
    must(world.add_joint(motor(axle, Schedule::sine(5, 3, 0.5))));
    BodyDef hand;
    hand.name = "hand";
    hand.kind = BodyKind::Kinematic;
    hand.motion.shift[2] = Schedule::sine(0, 0.1, 1);
    const BodyId h = must(world.add_body(hand));
    SpringDef spring;
    spring.bodies = {h, w};
    spring.frames[1].p = {0, 2.2, 0};
    spring.stiffness = 30;
    spring.damping = 1;
    spring.rest = 2;
    must(world.add_spring(spring));
    return world;
}

TEST(Determinism, ARepeatedRunHasTheSameHash)
{
    const auto run = [] {
        World world = busy_world();
        for (int i = 0; i < 300; ++i) world.step(settings(1.0 / 60));
        return world.hash();
    };
    EXPECT_EQ(run(), run());
}

TEST(Determinism, RestoringAtAnyOf50RandomStepsLeadsToTheSameBits)
{
    constexpr int kSteps = 300;
    std::mt19937 random(5);
    std::uniform_int_distribution<int> pick(0, kSteps - 1);
    World world = busy_world();
    std::vector<std::vector<std::byte>> images;
    for (int i = 0; i < kSteps; ++i) {
        images.push_back(world.snapshot());
        ASSERT_EQ(world.step(settings(1.0 / 60)).status, StepStatus::Ok);
    }
    const std::uint64_t end = world.hash();
    for (int k = 0; k < 50; ++k) {
        const int at = pick(random);
        World other = busy_world();
        ASSERT_TRUE(other.restore(images[at]).ok());
        EXPECT_EQ(other.steps(), static_cast<std::uint64_t>(at));
        for (int i = at; i < kSteps; ++i) other.step(settings(1.0 / 60));
        ASSERT_EQ(other.hash(), end) << "restored at step " << at;
    }
}

// Whatever a step leaves behind is a number that a snapshot may hold.
TEST(Snapshot, AWorldTakesBackTheSnapshotOfLinksWithNextToNoMass)
{
    for (const Real mass : {1e-30, 1e-100, 1e-200}) {
        World world;
        must(world.set_gravity({0, 0, -9.81}));
        BodyId above = kWorld;
        for (int i = 0; i < 3; ++i) {
            BodyDef link;
            link.name = "link " + std::to_string(i);
            link.mass = i == 2 ? 1e3 : mass;
            link.inertia = Mat3::Identity() * (i == 2 ? 10 : mass * 1e-2);
            link.pose.p = {0.1 * i + 0.1, 0, 0};
            const BodyId below = must(world.add_body(link));
            must(world.add_joint(ball(above, below, {0.1 * i + 0.05, 0, 0})));
            above = below;
        }
        for (int i = 0; i < 10; ++i) {
            ASSERT_EQ(world.step({}).status, StepStatus::Ok);
            const auto taken = world.restore(world.snapshot());
            ASSERT_TRUE(taken.ok()) << mass << " kg, step " << i << ": " << taken.error().message;
        }
    }
}

// Contacts, impacts, retries and islands that merge and split: a world that has done nothing yet goes on as the one that has.
TEST(Determinism, ContactScenesGoOnAlikeAfterRestoring)
{
    const int kSeeds = kSanitized ? 6 : 60, kSteps = 40;
    for (int seed = 1; seed <= kSeeds; ++seed) {
        study::ContactScene first = study::random_contact_scene(seed);
        study::ContactScene second = study::random_contact_scene(seed);
        const StepSettings settings{.dt = first.dt, .max_solves = 300};
        for (int i = 0; i < kSteps; ++i) first.world.step(settings);
        must(second.world.restore(first.world.snapshot()));
        for (int i = 0; i < kSteps; ++i) {
            first.world.step(settings);
            second.world.step(settings);
            ASSERT_EQ(first.world.hash(), second.world.hash())
                << "seed " << seed << ", step " << i << ": " << first.story;
        }
    }
}

TEST(Snapshot, RestoresByteForByte)
{
    World world = busy_world();
    for (int i = 0; i < 20; ++i) world.step(settings(1.0 / 60));
    const auto image = world.snapshot();
    world.step(settings(1.0 / 60));
    ASSERT_TRUE(world.restore(image).ok());
    EXPECT_EQ(world.snapshot(), image);
}

TEST(Snapshot, ADamagedTruncatedOrForeignImageIsRefusedAndNothingChanges)
{
    World world = busy_world();
    for (int i = 0; i < 20; ++i) world.step(settings(1.0 / 60));
    const auto image = world.snapshot();
    world.step(settings(1.0 / 60));
    const std::uint64_t before = world.hash();

    std::mt19937 random(3);
    for (int k = 0; k < 200; ++k) {  // one flipped bit anywhere
        auto damaged = image;
        damaged[random() % damaged.size()] ^= std::byte(1u << (random() % 8));
        EXPECT_FALSE(world.restore(damaged).ok());
    }
    for (const std::size_t size :
         {std::size_t(0), std::size_t(7), std::size_t(40), image.size() / 2, image.size() - 1})
        EXPECT_FALSE(world.restore(std::span(image).first(size)).ok()) << size;
    auto longer = image;
    longer.push_back(std::byte(0));
    EXPECT_FALSE(world.restore(longer).ok());
    EXPECT_FALSE(world.restore(make_chain({}).world.snapshot()).ok());
    // the same mechanism with other lengths is another mechanism
    EXPECT_FALSE(make_chain({.length = 0.2}).world.restore(make_chain({}).world.snapshot()).ok());
    EXPECT_EQ(world.hash(), before);
}

// A ball on the ground: what it touches with is part of the mechanism.
World ball_on_ground(const ColliderDef& ball, const ColliderDef& ground)
{
    World world;
    BodyDef def;
    def.pose.p = {0, 0, 0.6};
    const BodyId body = must(world.add_body(def));
    must(world.add_collider(body, ball));
    must(world.add_collider(kWorld, ground));
    return world;
}

TEST(Snapshot, AnImageOfOtherCollidersIsRefused)
{
    const ColliderDef ball{.shape = Shape::sphere(0.5)};
    const ColliderDef ground{.shape = Shape::plane()};
    World world = ball_on_ground(ball, ground);
    for (int i = 0; i < 30; ++i) world.step(settings(1.0 / 60));
    const auto image = world.snapshot();

    World same = ball_on_ground(ball, ground);
    ASSERT_TRUE(same.restore(image).ok());
    for (int i = 0; i < 30; ++i) {
        world.step(settings(1.0 / 60));
        same.step(settings(1.0 / 60));
    }
    EXPECT_EQ(same.hash(), world.hash());

    const auto refuses = [&](World other) { return !other.restore(image).ok(); };
    const auto changed = [](ColliderDef def, auto change) {
        change(def);
        return def;
    };
    using Def = ColliderDef;
    EXPECT_TRUE(refuses(
        ball_on_ground(changed(ball, [](Def& d) { d.shape = Shape::sphere(0.4); }), ground)));
    EXPECT_TRUE(refuses(ball_on_ground(changed(ball, [](Def& d) { d.friction = 0.4; }), ground)));
    EXPECT_TRUE(
        refuses(ball_on_ground(changed(ball, [](Def& d) { d.restitution = 0.4; }), ground)));
    EXPECT_TRUE(
        refuses(ball_on_ground(ball, changed(ground, [](Def& d) { d.surface_velocity.x() = 1; }))));
    EXPECT_TRUE(refuses(ball_on_ground(changed(ball, [](Def& d) { d.groups = 2; }), ground)));
    EXPECT_TRUE(refuses(ball_on_ground(ball, changed(ground, [](Def& d) { d.pose.p.z() = -1; }))));
    EXPECT_TRUE(refuses(ball_on_ground(ball, {.shape = Shape::box(Vec3::Ones())})));
    World more = ball_on_ground(ball, ground);
    must(more.add_collider(kWorld, ground));
    EXPECT_TRUE(refuses(std::move(more)));
}

// --- absurd numbers under a right checksum ---

using Image = std::vector<std::byte>;

// The image with another value at an offset, and a checksum that fits.
template <class T>
Image forged(Image image, std::size_t at, const T& value)
{
    std::memcpy(image.data() + at, &value, sizeof value);
    ByteHash hash;
    hash.add(std::span(image).first(image.size() - 8));
    const std::uint64_t checksum = hash.value();
    std::memcpy(image.data() + image.size() - 8, &checksum, 8);
    return image;
}

// Where things are: bodies count from the front, contacts and islands from the end.
class Places {
public:
    explicit Places(const Image& image) : size_(image.size())
    {
        std::memcpy(&header_, image.data() + sizeof kSnapshotMagic, sizeof header_);
    }
    std::size_t header(std::size_t word) const { return sizeof kSnapshotMagic + 8 * word; }
    std::size_t gravity() const
    {
        return sizeof kSnapshotMagic + sizeof header_ + (count_aspects(header_) + 1) / 2 * 8;
    }
    std::size_t time() const { return gravity() + 3 * 8; }
    // Number k of a body: position 0-2, orientation 3-6, velocity 7-9 …; body 0 is the ground.
    std::size_t body(std::size_t b, std::size_t k) const
    {
        return time() + 8 * (4 + 22 * b + k);
    }  // after the clock
    std::size_t contact(std::size_t c, std::size_t k) const
    {
        return size_ - 8 - 8 * std::tuple_size_v<ContactNumbers> * (header_.contacts - c) + 8 * k;
    }
    std::size_t island(std::size_t i, std::size_t k) const
    {
        return contact(0, 0) - 8 * count_island_numbers() * (header_.islands - i) + 8 * k;
    }
    std::size_t island_of(std::size_t b) const
    {
        return island(0, 0) - 8 * (header_.items[0] + 1 - b);
    }

private:
    std::size_t size_;
    SnapshotHeader header_;
};

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// What restore() answers; the world stays as it is.
std::string refusal(World& world, const Image& image)
{
    const std::uint64_t before = world.hash();
    const Status status = world.restore(image);
    EXPECT_EQ(world.hash(), before);
    return status.ok() ? "accepted" : status.error().message;
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

#define EXPECT_REFUSED(world, image, ...)                                         \
    {                                                                             \
        const std::string said = refusal(world, image);                           \
        for (const char* part : {__VA_ARGS__})                                    \
            EXPECT_TRUE(contains(said, part)) << "'" << part << "' in: " << said; \
    }

// Contacts, islands, joints, a drive, a spring, a kinematic and a fixed body.
World full_world()
{
    World world = busy_world();
    must(world.add_collider(kWorld,
                            {.shape = Shape::plane(), .pose = {{0, 0, -8}, Quat::Identity()}}));
    BodyDef box;
    box.name = "box";
    box.pose.p = {4, 0, -7.52};
    const BodyId b = must(world.add_body(box));
    must(world.add_collider(b, {.shape = Shape::box(Vec3::Ones())}));
    BodyDef wall;
    wall.name = "wall";
    wall.kind = BodyKind::Fixed;
    wall.pose.p = {-9, 0, 0};
    must(world.add_body(wall));
    return world;
}

World stepped(World world, int steps)
{
    for (int i = 0; i < steps; ++i) world.step(settings(1.0 / 50));
    return world;
}

std::size_t index_of(const World& world, const char* name)
{
    return static_cast<std::size_t>(world.find_body(name)->index + 1);
}

TEST(Snapshot, EveryWordOfAnImageIsChecked)
{
    World world = stepped(full_world(), 12);
    const Image image = world.snapshot();
    ASSERT_GT(world.contacts().size(), 0u);
    ASSERT_TRUE(world.restore(image).ok());
    for (const Real absurd : {kNan, -kInfinity, 3e201, -7e299})
        for (std::size_t at = sizeof kSnapshotMagic; at + 8 < image.size(); at += 8)
            ASSERT_FALSE(world.restore(forged(image, at, absurd)).ok())
                << absurd << " at " << at << " of " << image.size();
    EXPECT_EQ(world.snapshot(), image);
}

TEST(Snapshot, SaysWhichNumberOfWhichBodyIsAbsurd)
{
    World world = stepped(full_world(), 5);
    const Image image = world.snapshot();
    const Places at(image);
    const std::size_t wheel = index_of(world, "wheel"), wall = index_of(world, "wall");
    EXPECT_REFUSED(world, forged(image, at.body(wheel, 2), kInfinity), "body 'wheel'", "position",
                   "inf", "1e+100");
    EXPECT_REFUSED(world, forged(image, at.body(wheel, 8), -2e100), "body 'wheel'", "velocity",
                   "-2e+100");
    EXPECT_REFUSED(world, forged(image, at.body(wheel, 4), 1.25), "body 'wheel'", "orientation",
                   "quaternion of length");
    EXPECT_REFUSED(world, forged(image, at.body(wall, 1), 0.25), "body 'wall'", "fixed");
    EXPECT_REFUSED(world, forged(image, at.body(0, 7), 1e-3), "the ground", "fixed");
    EXPECT_REFUSED(world, forged(image, at.gravity() + 8, kNan), "gravity", "nan");
    EXPECT_REFUSED(world, forged(image, at.time(), -kInfinity), "time", "-inf");
}

TEST(Snapshot, RefusesIslandsContactsAndCountsOutOfRange)
{
    World world = full_world();
    for (int i = 0; i < 12; ++i) world.step({.dt = 1.0 / 50, .sleep = true});
    const Image image = world.snapshot();
    const Places at(image);
    const std::size_t box = index_of(world, "box"), hand = index_of(world, "hand");
    for (const Real collider : {-1.0, 2.0, 0.5, 4e9, 1e99, kNan})
        EXPECT_REFUSED(world, forged(image, at.contact(1, 0), collider), "contact number 2",
                       "first collider", "whole numbers from 0 to 1");
    EXPECT_REFUSED(world, forged(image, at.contact(0, 2), 4294967296.0), "contact number 1",
                   "feature");
    EXPECT_REFUSED(world, forged(image, at.contact(0, 8), kNan), "contact number 1", "force");
    // in order, as the search for contacts that go on relies on it
    EXPECT_REFUSED(world, forged(image, at.contact(0, 3), 4294967295.0), "contact number 2",
                   "order");
    EXPECT_REFUSED(world, forged(image, at.contact(0, 0), 1.0), "contact number 1", "colliders");
    for (const Real island : {-2.0, 0.25, 900.0})
        EXPECT_REFUSED(world, forged(image, at.island_of(box), island), "body 'box'", "island");
    EXPECT_REFUSED(world, forged(image, at.island_of(hand), 0.0), "body 'hand'", "island");
    EXPECT_REFUSED(world, forged(image, at.island(0, 0), -0.02), "island number 1",
                   "length of the last step", "-0.02");
    EXPECT_REFUSED(world, forged(image, at.island(1, 34), 0.5), "island number 2", "asleep",
                   "0 and 1");
    EXPECT_REFUSED(world, forged(image, at.header(1), ~std::uint64_t(0)), "number of steps");
    EXPECT_REFUSED(world, forged(image, at.header(2), std::uint64_t(77)), "number of islands");
    EXPECT_REFUSED(world, forged(image, at.header(3), std::uint64_t(5000)), "bytes");
    EXPECT_REFUSED(world, forged(image, at.header(5), std::uint64_t(1) << 60), "'joint'");
    EXPECT_REFUSED(world, forged(image, 14, '6'),
                   "the image has format 'taut snapshot 6'; this build reads 'taut snapshot A'");
    ASSERT_TRUE(world.restore(image).ok());
}

// --- the mechanism that an image belongs to ---

struct Sample {
    Real speed = 2, force = 3, rise = 0.1, stiffness = 40, ratio = 2;
    Schedule scale = Schedule::sine(1, 0.5, 0.7);
    std::string wheel = "wheel", motor = "motor";
};

World sample_world(const Sample& x)
{
    World world;
    BodyDef def;
    def.name = x.wheel;
    def.pose.p = {1, 0, 0};
    const BodyId wheel = must(world.add_body(def));
    def.name = "second";
    def.pose.p = {3, 0, 0};
    const BodyId second = must(world.add_body(def));
    BodyDef lift;
    lift.name = "lift";
    lift.kind = BodyKind::Kinematic;
    lift.motion.shift[2] = Schedule::through({{0, 0}, {2, x.rise}});
    must(world.add_body(lift));
    const JointDef axle = hinge(kWorld, wheel, {1, 0, 0}, {0, 1, 0});
    must(world.add_joint(axle));
    must(world.add_joint(hinge(kWorld, second, {3, 0, 0}, {0, 1, 0})));
    JointDef drive = motor(axle, x.speed);
    drive.name = x.motor;
    must(world.add_joint(drive));
    SpringDef spring;
    spring.name = "coil";
    spring.bodies = {wheel, second};
    spring.frames[1].p = {3, 0, 0};
    spring.stiffness = x.stiffness;
    must(world.add_spring(spring));
    LoadDef load;
    load.name = "wind";
    load.body = second;
    load.force = {0, x.force, 0};
    load.scale = x.scale;
    must(world.add_load(load));
    return world;
}

TEST(Snapshot, SaysWhatDiffersInTheMechanismOfAnImage)
{
    const Image image = stepped(sample_world({}), 3).snapshot();
    const auto answer = [&](const Sample& other) {
        World world = sample_world(other);
        return refusal(world, image);
    };
    EXPECT_EQ(sample_world({}).restore(image).ok(), true);
    EXPECT_TRUE(contains(answer({.speed = -11}), "joint 'motor': its target differs"));
    EXPECT_TRUE(
        contains(answer({.force = 1e4}), "load 'wind': its point, force or torque differs"));
    EXPECT_TRUE(contains(answer({.scale = Schedule::sine(1, 0.5, 0.8)}),
                         "load 'wind': its schedule differs"));
    EXPECT_TRUE(contains(answer({.scale = 1}), "load 'wind': its schedule differs"));
    EXPECT_TRUE(contains(answer({.rise = 0.2}), "body 'lift': its motion differs"));
    EXPECT_TRUE(contains(answer({.stiffness = 41}), "spring 'coil': its stiffness"));
    EXPECT_TRUE(contains(answer({.wheel = "disc"}), "body 'disc': its name or kind differs"));
    EXPECT_TRUE(contains(answer({.motor = "m"}), "joint 'm': its name or type differs"));
    World more = sample_world({});
    LoadDef push;
    push.body = *more.find_body("wheel");
    push.force = {1, 0, 0};
    must(more.add_load(push));
    EXPECT_TRUE(contains(refusal(more, image), "load"));
}

// Gravity can be set at any time: the image brings it back.
TEST(Snapshot, BringsGravityBack)
{
    World moon = make_chain({}).world;
    ASSERT_TRUE(moon.set_gravity({0.1, 0, -1.62}).ok());
    for (int i = 0; i < 9; ++i) moon.step(settings(1.0 / 60));
    World other = make_chain({}).world;
    other.step(settings(1.0 / 60));
    ASSERT_TRUE(other.restore(moon.snapshot()).ok());
    EXPECT_EQ(other.gravity(), Vec3(0.1, 0, -1.62));
    for (int i = 0; i < 9; ++i) {
        moon.step(settings(1.0 / 60));
        other.step(settings(1.0 / 60));
    }
    EXPECT_EQ(other.hash(), moon.hash());
}

}  // namespace
}  // namespace taut::test

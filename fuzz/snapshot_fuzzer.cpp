// An image of a world with any of its bytes changed, under a checksum that fits, is either refused with a message or
// can be stepped: no crash, no undefined behaviour, no state that is not finite.
//
//     snapshot_fuzzer CORPUS       # starts from nothing: the worlds are its own
//
// An input chooses a world and changes its image: one byte for the world, then records of ten bytes, each the number of a
// word of the image (two bytes) and its new value (eight bytes). What is left over becomes the end of the image.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include <taut/joints.h>
#include <taut/world.h>

#include "world/byte_hash.h"

namespace {

using namespace taut;
using taut::world::ByteHash;

constexpr StepSettings kSettings{.dt = 1.0 / 60, .max_solves = 10, .sleep = true};

// Hinges, a drive, a spring, a load, a kinematic body, a joint that can break.
World make_mechanism()
{
    World world;
    const BodyId wheel = world.add_body({.pose = {{1, 0, 0}, Quat::Identity()}}).value();
    const BodyId arm = world.add_body({.pose = {{2, 0, 0}, Quat::Identity()}}).value();
    BodyDef lift;
    lift.kind = BodyKind::Kinematic;
    lift.motion.shift[2] = Schedule::sine(0, 0.1, 1);
    const BodyId hand = world.add_body(lift).value();
    const JointDef axle = hinge(kWorld, wheel, {1, 0, 0}, {0, 1, 0});
    world.add_joint(axle).value();
    world.add_joint(motor(axle, 3)).value();
    JointDef glue = ball(wheel, arm, {1.5, 0, 0});
    glue.break_force = 1e5;
    world.add_joint(glue).value();
    SpringDef spring;
    spring.bodies = {hand, arm};
    spring.frames[1].p = {2, 0, 0};
    spring.stiffness = 20;
    spring.rest = 1;
    world.add_spring(spring).value();
    LoadDef load;
    load.body = arm;
    load.force = {0, 1, 0};
    world.add_load(load).value();
    return world;
}

// Two boxes, one on the other, and a ball apart from them.
World make_contacts()
{
    World world;
    world.add_collider(kWorld, {.shape = Shape::plane()}).value();
    for (int i = 0; i < 3; ++i) {
        BodyDef body;
        body.pose.p = {i < 2 ? 0.0 : 5.0, 0, i < 2 ? 0.5 + i : 0.5};
        const BodyId id = world.add_body(body).value();
        const Shape shape = i < 2 ? Shape::box(Vec3::Ones()) : Shape::sphere(0.5);
        world.add_collider(id, {.shape = shape, .rolling_friction = 0.01}).value();
    }
    return world;
}

struct Seed {
    World world;
    std::vector<std::byte> image;
};

Seed make_seed(World world)
{
    for (int i = 0; i < 5; ++i) world.step(kSettings);
    std::vector<std::byte> image = world.snapshot();
    return {std::move(world), std::move(image)};
}

std::array<Seed, 2>& seeds()
{
    static std::array<Seed, 2> all{make_seed(make_mechanism()), make_seed(make_contacts())};
    return all;
}

void sign(std::vector<std::byte>& image)
{
    if (image.size() < 8) return;
    ByteHash hash;
    hash.add(std::span(image).first(image.size() - 8));
    const std::uint64_t checksum = hash.value();
    std::memcpy(image.data() + image.size() - 8, &checksum, 8);
}

[[noreturn]] void fail(const char* what)
{
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

void expect_finite(const World& world)
{
    for (int b = 0; b < world.body_count(); ++b) {
        const Pose pose = world.pose(BodyId{b});
        const Twist velocity = world.velocity(BodyId{b});
        if (!pose.p.allFinite() || !pose.q.coeffs().allFinite() || !velocity.linear.allFinite() ||
            !velocity.angular.allFinite())
            fail("a state that is not finite");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::size_t kRecord = 10;
    if (size == 0) return 0;
    Seed& seed = seeds()[data[0] % seeds().size()];
    std::vector<std::byte> image = seed.image;
    for (++data, --size; size >= kRecord; data += kRecord, size -= kRecord) {
        const std::size_t word = data[0] | std::size_t(data[1]) << 8;
        std::memcpy(image.data() + 8 * (word % (image.size() / 8)), data + 2, 8);
    }
    // a few bytes more or fewer: another length
    if (size > 0) image.resize(image.size() + size - kRecord / 2);
    sign(image);

    const Status status = seed.world.restore(image);
    if (!status.ok()) {
        if (status.error().message.empty()) fail("an error without a message");
        return 0;
    }
    expect_finite(seed.world);
    for (int i = 0; i < 2; ++i) seed.world.step(kSettings);
    expect_finite(seed.world);
    if (!seed.world.restore(seed.image).ok()) fail("the image of this world is refused");
    return 0;
}

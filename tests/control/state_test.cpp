// The state of controls and logic: snapshots repeat every bit, threads change none, and a step allocates nothing.
#include "reading.h"
#include "solver/counting_new.h"

namespace taut::test {
namespace {

// Inputs that jump, for any step.
void drive(Scene& scene, int step)
{
    const auto set = [&](const char* name, Real value) {
        ASSERT_TRUE(scene.controls.set(name, value).ok());
    };
    set("luff", step / 40 % 2 == 0 ? 0.2 : -0.1);
    set("slew", step / 25 % 3 == 0 ? -0.2 : 0.2);
    set("hoist", step / 15 % 2 == 0 ? 0.6 : -0.3);
}

TEST(SceneSnapshot, RepeatsEveryBitInTheMiddleOfALatch)
{
    Scene scene = must_load("control/shuttle");
    run(scene, 250);  // it is under way
    const auto image = scene.snapshot();
    const Real latch = value(scene, "logic.to_the_right");
    std::vector<std::uint64_t> first, again;
    for (int i = 0; i < 300; ++i) {
        run(scene, 1);
        first.push_back(scene.world.hash());
    }
    bool turned = value(scene, "logic.to_the_right") != latch;
    ASSERT_TRUE(scene.restore(image).ok());
    EXPECT_EQ(value(scene, "logic.to_the_right"), latch);
    for (int i = 0; i < 300; ++i) {
        run(scene, 1);
        turned = turned || value(scene, "logic.to_the_right") != latch;
        again.push_back(scene.world.hash());
    }
    EXPECT_TRUE(turned) << "the latch changes in these steps";
    EXPECT_EQ(first, again);

    // into another world of the same description
    Scene other = must_load("control/shuttle");
    ASSERT_TRUE(other.restore(image).ok());
    run(other, 300);
    EXPECT_EQ(other.world.hash(), first.back());
}

TEST(SceneSnapshot, RepeatsADrivenCraneAndItsControllers)
{
    for (const char* name : {"control/driven_crane", "control/pid_arm"}) {
        Scene scene = must_load(name);
        const bool crane = scene.controls.find("luff") != nullptr;
        const auto go = [&](int from, int to) {
            for (int i = from; i < to; ++i) {
                if (crane) drive(scene, i);
                run(scene, 1);
            }
        };
        go(0, 70);
        const auto image = scene.snapshot();
        go(70, 140);
        const auto hash = scene.world.hash();
        const auto state = scene.controls.snapshot();
        ASSERT_TRUE(scene.restore(image).ok());
        EXPECT_EQ(scene.snapshot(), image);
        go(70, 140);
        EXPECT_EQ(scene.world.hash(), hash) << name;
        EXPECT_EQ(scene.controls.snapshot(), state) << name;
    }
}

TEST(SceneSnapshot, OfOtherControlsIsRefusedAndChangesNothing)
{
    Scene one = must_read(slider("controls: {a: {}}\n"));
    Scene other = must_read(slider("controls: {b: {}}\n"));
    Scene none = must_read(slider(""));
    ASSERT_TRUE(one.controls.set("a", 0.5).ok());
    run(one, 3);
    const auto hash = one.world.hash();
    EXPECT_FALSE(one.restore(other.snapshot()).ok());
    EXPECT_FALSE(one.restore(none.snapshot()).ok());
    EXPECT_FALSE(one.restore({}).ok());
    EXPECT_FALSE(none.restore(one.snapshot()).ok());
    auto damaged = one.snapshot();
    for (std::size_t i = damaged.size() - 16; i < damaged.size(); ++i)
        damaged[i] = std::byte{0xff};  // not a number
    EXPECT_FALSE(one.restore(damaged).ok());
    EXPECT_EQ(one.world.hash(), hash);
    EXPECT_EQ(one.controls.wanted("a"), 0.5);
}

TEST(SceneSnapshot, OfASceneWithoutControlsIsThatOfItsWorld)
{
    Scene scene = must_read(slider(""));
    run(scene, 2);
    EXPECT_TRUE(scene.controls.empty());
    EXPECT_EQ(scene.snapshot(), scene.world.snapshot());
    EXPECT_TRUE(scene.restore(scene.snapshot()).ok());
}

TEST(Controls, GiveTheSameBitsOnAnyNumberOfThreads)
{
    std::uint64_t hash = 0;
    for (const int threads : {1, 2, 3}) {
        Scene scene = must_load("control/driven_crane");
        scene.settings.threads = threads;
        for (int i = 0; i < 100; ++i) {
            drive(scene, i);
            run(scene, 1);
        }
        if (threads == 1) hash = scene.world.hash();
        EXPECT_EQ(scene.world.hash(), hash) << threads << " threads";
    }
}

TEST(Controls, AllocateNothingInAStep)
{
    for (const char* name : {"control/driven_crane", "control/pid_arm", "control/shuttle"}) {
        Scene scene = must_load(name);
        ASSERT_TRUE(scene.world.prepare(scene.settings).ok());
        run(scene, 50);
        const bool crane = scene.controls.find("luff") != nullptr;
        const long before = allocations();
        for (int i = 0; i < 200; ++i) {
            if (crane) drive(scene, i);
            scene.step(scene.settings);
            (void)scene.controls.stops(scene.world);
        }
        EXPECT_EQ(allocations() - before, 0) << name;
    }
}

TEST(Controls, ContinueInAnotherDescriptionByName)
{
    Scene from = must_read(
        slider("controls: {a: {}, b: {max: 2}}\nlogic: {l: {latch: a > 0.4}, m: {integral: b}}\n"));
    ASSERT_TRUE(from.controls.set("a", 0.5).ok() && from.controls.set("b", 2).ok());
    run(from, 10);
    ASSERT_TRUE(from.controls.set("a", 0.1).ok());
    run(from, 1);
    Scene to = must_read(slider(
        "controls: {b: {}, c: {}, a: {}}\nlogic: {m: {integral: b}, l: {latch: a > 0.4}}\n"));
    to.controls.continue_from(from.controls);
    EXPECT_EQ(to.controls.wanted("a"), 0.1);
    EXPECT_EQ(to.controls.wanted("b"), 1) << "within its new range";
    EXPECT_EQ(value(to, "logic.l"), 1);
    EXPECT_EQ(value(to, "logic.m"), value(from, "logic.m"));
}

}  // namespace
}  // namespace taut::test

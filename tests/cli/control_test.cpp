// `--control`: values, schedules and files; and what is said of wrong ones.
#include "tool.h"

namespace taut::test {
namespace {

constexpr const char* kCart = R"(name: cart
controls:
  push: {unit: m/s, min: -1, max: 1, keys: [w, s], doc: of the cart}
  lamp: {type: switch, keys: [space]}
bodies:
  cart: {mass: 2, inertia: [1, 1, 1]}
joints:
  rail: {type: prismatic, between: [world, cart], at: [0, 0, 0], axis: [1, 0, 0], motor: {speed: {formula: push}}}
step: {dt: 1/100}
duration: 2
stop: {when: joint.rail.slide > 0.905, reason: the end of the rail}
expect:
  - {reading: joint.rail.slide, near: 0.5, within: 1e-9}
)";

double slide(const nlohmann::json& json) { return json["expectations"][0]["value"]; }

TEST(RunControl, TakesAValueAScheduleAndAFile)
{
    const Scratch scratch;
    const std::string file = scratch.write("cart.yaml", kCart);
    const Said value = taut("run " + file + " --control push=0.25 --json");
    EXPECT_EQ(value.code, 0) << value.out;
    EXPECT_EQ(parse(value)["controls"]["push"], 0.25);
    EXPECT_EQ(parse(value)["stopped"], "");

    // the motor reaches the speed of the beginning of a step at its end, and the cart moves by the mean of two speeds:
    // Σ 0.005 i · 0.01 over the first hundred steps, 0.5 over the others, less half of the last one
    const Said ramp = taut("run " + file + " --control 'push=0:0, 1:0.5, 2:0.5' --json");
    EXPECT_NEAR(slide(parse(ramp)), 0.005 * 0.01 * 4950 + 0.5 - 0.01 * 0.5 / 2, 1e-9);
    const std::string csv = scratch.write("push.csv", "time,push\n0,0\n1,0.5\n\n2,0.5\n");
    const Said same = taut("run " + file + " --control push=" + csv + " --json");
    EXPECT_EQ(parse(same)["state_hash"], parse(ramp)["state_hash"]);
    EXPECT_EQ(taut("run " + file).code, 1) << "without input the cart stands still";
}

TEST(RunControl, TheSceneStopsTheRun)
{
    const Scratch scratch;
    const std::string file = scratch.write("cart.yaml", kCart);
    const Said said = taut("run " + file + " --control push=1");
    EXPECT_TRUE(has(said.out, "stopped after 0.91 s: the end of the rail")) << said.out;
}

TEST(RunControl, WrongOnesAreBadInput)
{
    const Scratch scratch;
    const std::string file = scratch.write("cart.yaml", kCart);
    const auto refused = [&](const std::string& control, const std::string& message) {
        const Said said = taut("run " + file + " --control " + control);
        EXPECT_EQ(said.code, 2) << control;
        EXPECT_TRUE(has(said.err, message)) << control << ": " << said.err;
    };
    refused("pusch=1", "no control 'pusch'; did you mean 'push'?");
    refused("push=1.5", "'push' takes -1 to 1 m/s, not 1.5");
    refused("'push=0:0, 1:2'", "not 2");
    refused("'push=0:0, 0:1'", "times must ascend");
    refused("push=fast", "'fast' is not time:value");
    refused("push", "name=value");
    refused("lamp=0.5", "it takes 0 or 1");
    const Said none = taut("run pendulum --control x=1");
    EXPECT_EQ(none.code, 2);
    EXPECT_TRUE(has(none.err, "it has no controls at all")) << none.err;
}

TEST(CheckControl, ControlsAreListed)
{
    const Scratch scratch;
    const Said said = taut("check " + scratch.write("cart.yaml", kCart));
    EXPECT_TRUE(has(said.out, "--control push=0 (-1 to 1) m/s, keys w s: of the cart")) << said.out;
    EXPECT_TRUE(has(said.out, "--control lamp=0 (0 or 1), keys space")) << said.out;
}

}  // namespace
}  // namespace taut::test

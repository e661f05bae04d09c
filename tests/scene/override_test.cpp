// --set: parameters by name, other values by path.
#include "reading.h"

namespace taut::test {
namespace {

const std::string kText = R"(
parameters:
  mass: {value: 2, min: 1, max: 10}
  joint: {value: ball, choices: [ball, hinge]}
gravity: [0, 0, -9.81]
bodies:
  load: &load {mass: mass, shapes: [{sphere: 0.1}], position: [0, 0, -1]}
  twin: *load
joints:
  - {name: hook, type: "${joint}", between: [world, load], at: [0, 0, 0], axis: [0, 1, 0]}
generate:
  - chain: {name: rope, links: 3, link_length: 1, radius: 0.1, link_mass: 1}
)";

TEST(Overrides, ParametersAreSetByName)
{
    const Scene scene = must_read(kText, {{"mass", "5"}, {"joint", "hinge"}});
    EXPECT_EQ(scene.world.mass(body(scene, "load")), 5);
    EXPECT_EQ(scene.world.type(joint(scene, "hook")), "hinge");
    EXPECT_EQ(scene.parameters[0].value, "5");
    EXPECT_EQ(must_read(kText, {{"parameters.mass", "1/2 + 3"}}).parameters[0].value, "3.5");
}

TEST(Overrides, AnyValueIsSetByItsPath)
{
    const Scene scene = must_read(kText, {{"bodies.load.mass", "7"},
                                          {"gravity.2", "-1.62"},
                                          {"joints.hook.compliance", "1e-6"},
                                          {"generate.rope.links", "mass + 3"},
                                          {"generate.0.chain.link_mass", "4"},
                                          {"step.dt", "1/200"},
                                          {"duration", "3"}});
    EXPECT_EQ(scene.world.mass(body(scene, "load")), 7);
    EXPECT_EQ(scene.world.gravity(), Vec3(0, 0, -1.62));
    EXPECT_TRUE(scene.world.find_body("rope.link5"));
    EXPECT_EQ(scene.world.mass(body(scene, "rope.link1")), 4);
    EXPECT_EQ(scene.settings.dt, 1.0 / 200);
    EXPECT_EQ(scene.duration, 3);
}

TEST(Overrides, AliasesOfAChangedValueAreUnchanged)
{
    const Scene scene = must_read(kText, {{"bodies.load.mass", "7"}});
    EXPECT_EQ(scene.world.mass(body(scene, "twin")), 2);
}

TEST(Overrides, ValuesMayBeListsAndMaps)
{
    const Scene scene = must_read(
        kText, {{"gravity", "[0, 0, -1]"}, {"bodies.load.rotation", "{rpy_deg: [90, 0, 0]}"}});
    EXPECT_EQ(scene.world.gravity(), Vec3(0, 0, -1));
    EXPECT_NEAR(scene.world.pose(body(scene, "load")).q.w(), std::sqrt(0.5), 1e-12);
}

TEST(Overrides, UnknownPathsListTheAvailableNames)
{
    EXPECT_TRUE(
        contains(must_fail(kText, {{"mas", "5"}}),
                 "--set mas:1:1: --set 'mas' is neither a parameter nor a path of the scene; "
                 "did you mean 'mass'?; parameters: mass, joint; sections: name, title"));
    EXPECT_TRUE(contains(must_fail(kText, {{"bodies.lod.mass", "5"}}),
                         "unknown 'lod' in 'bodies'; did you mean 'load'?; available: load, twin"));
    EXPECT_TRUE(contains(must_fail(kText, {{"bodies.lod", "5"}}), "unknown 'lod' in 'bodies'"));
    EXPECT_TRUE(contains(must_fail(kText, {{"bodies.load.mas", "5"}}), "did you mean 'mass'?"));
    EXPECT_TRUE(contains(must_fail(kText, {{"generate.rop.links", "5"}}), "available: rope"));
    EXPECT_TRUE(contains(must_fail(kText, {{"gravity.7", "5"}}), "available: 0, 1, 2"));
    EXPECT_TRUE(contains(must_fail(kText, {{"gravity.2.1", "5"}}),
                         "'gravity.2' is '-9.81' and has no members"));
    EXPECT_TRUE(
        contains(must_fail(kText, {{"nothing.at.all", "5"}}), "is neither a parameter nor a path"));
}

TEST(Overrides, ValuesAreValidatedLikeThoseOfTheFile)
{
    EXPECT_TRUE(contains(must_fail(kText, {{"mass", "0"}}),
                         "--set mass:1:1: parameter 'mass' is 0; it must be at least 1"));
    EXPECT_TRUE(contains(must_fail(kText, {{"mass", "heavy"}}), "unknown name 'heavy'"));
    EXPECT_TRUE(contains(must_fail(kText, {{"mass", ""}}), "the value is missing"));
    EXPECT_TRUE(contains(must_fail(kText, {{"mass", "[1, 2]"}}), "a single value is required"));
    EXPECT_TRUE(contains(must_fail(kText, {{"joint", "bal"}}), "did you mean 'ball'?"));
    EXPECT_TRUE(contains(must_fail(kText, {{"mass", "[1"}}), "not YAML"));
    EXPECT_TRUE(
        contains(must_fail(kText, {{"step.dt", "0"}}), "'dt' of step is 0; it must be above 0 s"));
    EXPECT_TRUE(contains(must_fail(kText, {{"step.td", "1"}}), "did you mean 'dt'?"));
}

}  // namespace
}  // namespace taut::test

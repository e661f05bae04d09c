// The description contains all data of a scene, with the names of docs/viewer-protocol.md.
#include "stream/description.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "record/columns.h"
#include "support/mechanisms.h"

namespace taut::test {
namespace {

using Json = nlohmann::json;

Scene load(const std::string& name)
{
    return must(load_scene(std::string(TAUT_SOURCE_SCENES) + "/" + name + ".yaml"));
}

Json describe(const Scene& scene)
{
    DescriptionNote note;
    note.revision = 3;
    note.file = "a.yaml";
    note.plots = usual_plots(scene.world);
    note.scenes = {{"crane", "a crane"}};
    return Json::parse(describe_scene(scene, note));
}

TEST(Description, HasEveryBodyAndJointOfTheCrane)
{
    const Scene scene = load("crane");
    const Json json = describe(scene);
    EXPECT_EQ(json["type"], "scene");
    EXPECT_EQ(json["version"], 1);
    EXPECT_EQ(json["revision"], 3);
    EXPECT_EQ(json["file"], "a.yaml");
    EXPECT_EQ(json["name"], scene.name);
    EXPECT_EQ(json["size"].get<Real>(), scene.world.size());
    ASSERT_EQ(json["bodies"].size(), static_cast<std::size_t>(scene.world.body_count()) + 1);
    EXPECT_EQ(json["bodies"][0]["name"], "world");
    EXPECT_EQ(json["bodies"][0]["kind"], "fixed");
    std::size_t shapes = 0;
    for (int i = 0; i < scene.world.body_count(); ++i) {
        const Json& body = json["bodies"][i + 1];
        EXPECT_EQ(body["name"], std::string(scene.world.name(BodyId{i})));
        EXPECT_EQ(body["mass"].get<Real>(), scene.world.mass(BodyId{i}));
    }
    for (const Json& body : json["bodies"]) shapes += body["shapes"].size();
    EXPECT_EQ(shapes, scene.shapes.size());
    ASSERT_EQ(json["joints"].size(), static_cast<std::size_t>(scene.world.joint_count()));
    EXPECT_EQ(json["parameters"].size(), scene.parameters.size());
    EXPECT_EQ(json["readings"].size(), column_names(scene.world).size());
    EXPECT_EQ(json["scenes"][0]["title"], "a crane");
    EXPECT_EQ(json["choices"]["stabilisation"].size(), stabilisations().size());
}

// Joints are closed at time 0: both frames have the same origin in the world.
TEST(Description, FramesOfAJointCoincide)
{
    const Scene scene = load("four_bar");
    const Json json = describe(scene);
    const auto vector = [](const Json& v) { return Vec3(v[0], v[1], v[2]); };
    int hinges = 0;
    for (const Json& joint : json["joints"]) {
        if (joint["type"] != "hinge") continue;
        std::array<Vec3, 2> p_W;
        for (int s = 0; s < 2; ++s) {
            const Pose X = scene.world.pose(BodyId{joint["bodies"][s].get<int>() - 1});
            p_W[s] = X.p + X.q * vector(joint["frames"][s]["p"]);
        }
        EXPECT_LT((p_W[0] - p_W[1]).norm(), 1e-9) << joint["name"];
        ++hinges;
    }
    EXPECT_GE(hinges, 4);
}

TEST(Description, SpringsHaveBothEnds)
{
    const Scene scene = load("spring_mass");
    const Json json = describe(scene);
    ASSERT_EQ(json["springs"].size(), 1u);
    EXPECT_EQ(json["springs"][0]["kind"], "linear");
    EXPECT_EQ(json["springs"][0]["frames"].size(), 2u);
    EXPECT_FALSE(json["springs"][0]["name"].get<std::string>().empty());
}

TEST(Description, EveryShippedSceneIsValidJsonWithReadablePlots)
{
    namespace fs = std::filesystem;
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(TAUT_SOURCE_SCENES)) {
        if (entry.path().extension() != ".yaml") continue;
        const Scene scene = must(load_scene(entry.path().string()));
        const Json json = describe(scene);
        for (const std::string name : json["plots"])
            EXPECT_TRUE(find_column(scene.world, name).ok()) << entry.path() << ": " << name;
        ++count;
    }
    EXPECT_GT(count, 40);
}

// A thousand links have forty thousand readings, which are too many for a list on the page.
TEST(Description, ListsReadingsOfTheFirstLinksOfALongChain)
{
    Scene scene;
    scene.world = make_chain({.links = 1000}).world;
    const Json json = describe(scene);
    EXPECT_EQ(json["bodies"].size(), 1001u);
    EXPECT_EQ(json["readings"].size(), column_list(scene.world, 300).size());
    EXPECT_LT(json["readings"].size(), column_list(scene.world).size() / 3);
}

TEST(Description, InvalidUtf8InNamesIsReplaced)
{
    Scene scene;
    BodyDef def;
    def.name = "b\xffll";
    must(scene.world.add_body(def));
    EXPECT_NO_THROW(describe(scene));
}

}  // namespace
}  // namespace taut::test

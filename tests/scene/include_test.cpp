#include "reading.h"

namespace taut::test {
namespace {

std::string data(const std::string& file) { return std::string(kDataFolder) + "/" + file; }

TEST(Include, SectionsAreMergedAndTheIncludingFileTakesPrecedence)
{
    const auto scene = load_scene(data("crane.yaml"));
    ASSERT_TRUE(scene.ok()) << scene.error().message;
    EXPECT_EQ(scene->name, "crane");
    EXPECT_EQ(scene->world.body_count(), 2);
    EXPECT_EQ(scene->world.joint_count(), 2);
    // the parameter is 4 in parts/boom.yaml and overridden with 6; its range is kept
    EXPECT_EQ(scene->world.pose(body(*scene, "boom")).p.x(), 3);
    ASSERT_EQ(scene->parameters.size(), 1u);
    EXPECT_EQ(scene->parameters[0].highest, 10);
    // step key by key
    EXPECT_EQ(scene->settings.dt, 1.0 / 100);
    EXPECT_EQ(scene->settings.research.stabilisation, Stabilisation::None);
    EXPECT_EQ(scene->expectations.size(), 2u);
    EXPECT_TRUE(contains(scene->expectations[0].where, "parts/boom.yaml:"));
}

TEST(Include, TheSceneListsItsFiles)
{
    const auto scene = load_scene(data("crane.yaml"));
    ASSERT_TRUE(scene.ok()) << scene.error().message;
    ASSERT_EQ(scene->files.size(), 2u);
    EXPECT_EQ(scene->files[0], data("crane.yaml"));
    EXPECT_TRUE(contains(scene->files[1], "parts/boom.yaml"));
}

TEST(Include, OverridesReachIncludedParameters)
{
    const auto scene = load_scene(data("crane.yaml"), {{"reach", "8"}});
    ASSERT_TRUE(scene.ok()) << scene.error().message;
    EXPECT_EQ(scene->world.pose(body(*scene, "boom")).p.x(), 4);
    EXPECT_FALSE(load_scene(data("crane.yaml"), {{"reach", "11"}}).ok());
}

TEST(Include, AnErrorIsReportedInTheIncludedFile)
{
    const auto scene = load_scene(data("uses_broken_part.yaml"));
    ASSERT_FALSE(scene.ok());
    EXPECT_TRUE(
        contains(scene.error().message, "parts/broken.yaml:4:5: unknown key 'maas' in body 'bad'"))
        << scene.error().message;
}

TEST(Include, TheErrorOfACycleContainsBothPlaces)
{
    const auto scene = load_scene(data("cycle_a.yaml"));
    ASSERT_FALSE(scene.ok());
    EXPECT_TRUE(contains(scene.error().message, "cycle_b.yaml:2:11: cyclic include"))
        << scene.error().message;
    EXPECT_TRUE(contains(scene.error().message, "cycle_a.yaml:2:11")) << scene.error().message;
}

TEST(Include, TheErrorOfADuplicateContainsBothPlaces)
{
    const auto scene = load_scene(data("doubles_boom.yaml"));
    ASSERT_FALSE(scene.ok());
    EXPECT_TRUE(contains(scene.error().message, "doubles_boom.yaml:3:3: duplicate body 'boom'"))
        << scene.error().message;
    EXPECT_TRUE(contains(scene.error().message, "parts/boom.yaml:")) << scene.error().message;
}

TEST(Include, MissingFilesAndFoldersAreErrors)
{
    EXPECT_TRUE(contains(load_scene(data("nowhere.yaml")).error().message, "file not found"));
    EXPECT_TRUE(contains(load_scene(data("parts")).error().message, "is not a regular file"));
}

}  // namespace
}  // namespace taut::test

// `taut run --gltf` and `--replay`: files, reports and error messages.
#include "cli/tool.h"
#include "glb_file.h"

namespace taut::test {
namespace {

constexpr const char* kSwing = R"(name: swing
bodies:
  bob: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], shapes: [{sphere: 0.1}]}
joints:
  pivot: {type: hinge, between: [world, bob], at: [0, 0, 0], axis: [0, 1, 0]}
duration: 0.5
)";

std::size_t entries(const Scratch& scratch)
{
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(scratch / ""), {}));
}

// A program built without npm or Boost has no page for a replay and reports this.
bool has_page()
{
    const Scratch scratch;
    const std::string scene = scratch.write("swing.yaml", kSwing);
    const Said said =
        taut("run " + scene + " --time 0.1 --replay " + (scratch / "r.html").string());
    EXPECT_TRUE(said.code == 0 || has(said.err, "built without the viewer")) << said.err;
    return said.code == 0;
}

TEST(RunGltf, WritesAFileAndReportsIt)
{
    const Scratch scratch;
    const std::string scene = scratch.write("swing.yaml", kSwing);
    const std::string out = (scratch / "swing.glb").string();
    const Said said = taut("run " + scene + " --gltf " + out + " --fps 20");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(has(said.out, out + ": 11 frames, ")) << said.out;
    EXPECT_EQ(GlbFile(read_text(out)).times("bob").size(), 11u);
    EXPECT_EQ(entries(scratch), 2u);
}

TEST(RunGltf, JsonContainsTheFile)
{
    const Scratch scratch;
    const std::string out = (scratch / "swing.glb").string();
    const Said said = taut("run " + scratch.write("swing.yaml", kSwing) + " --json --gltf " + out);
    EXPECT_EQ(said.code, 0) << said.out;
    const auto file = parse(said)["files"][0];
    EXPECT_EQ(file["format"], "gltf");
    EXPECT_EQ(file["path"], out);
    EXPECT_EQ(file["frames"], 31);
    EXPECT_EQ(file["bytes"], std::filesystem::file_size(out));
}

TEST(RunGltf, RefusesBeforeTheRun)
{
    const Scratch scratch;
    const std::string scene = scratch.write("swing.yaml", kSwing);
    const auto refused = [&](const std::string& options, const std::string& why) {
        // the run itself would take very long
        const Said said = taut("run " + scene + " --time 1e6 " + options);
        EXPECT_EQ(said.code, 2) << said.out;
        EXPECT_TRUE(has(said.err, why)) << said.err;
    };
    refused("--gltf " + (scratch / "no/such.glb").string(), "the folder does not exist");
    refused("--gltf " + (scratch / "").string(), "is a folder");
    refused("--gltf x.glb --fps 0", "--fps must be above 0");
    refused("--gltf x.glb --fps many", "--fps must be a number");
    refused("--fps 30", "--fps is the frame rate of");
    EXPECT_EQ(entries(scratch), 1u);
}

TEST(RunReplay, WritesBothKindsAtOnce)
{
    if (!has_page()) GTEST_SKIP() << "built without the viewer";
    const Scratch scratch;
    const std::string glb = (scratch / "s.glb").string(), html = (scratch / "s.html").string();
    const Said said = taut("run " + scratch.write("swing.yaml", kSwing) +
                           " --json --fps 10 --gltf " + glb + " --replay " + html);
    EXPECT_EQ(said.code, 0) << said.out;
    const auto files = parse(said)["files"];
    ASSERT_EQ(files.size(), 2u);
    for (const auto& file : files) {
        EXPECT_EQ(file["frames"], 6);
        EXPECT_EQ(file["bytes"], std::filesystem::file_size(file["path"].get<std::string>()));
    }
    EXPECT_EQ(files[1]["format"], "replay");
    const std::string page = read_text(html);
    EXPECT_TRUE(has(page, "id=\"taut-scene\""));
    EXPECT_TRUE(has(page, "id=\"taut-frames\""));
    EXPECT_EQ(page.find("http-equiv=\"refresh\""), std::string::npos);
    EXPECT_EQ(page.find("<script src="), std::string::npos) << "the page refers to another file";
    EXPECT_EQ(page.find("<link rel=\"stylesheet\""), std::string::npos);
    EXPECT_EQ(entries(scratch), 3u);
}

TEST(RunReplay, RefusesBeforeTheRun)
{
    if (!has_page()) GTEST_SKIP() << "built without the viewer";
    const Scratch scratch;
    const std::string scene = scratch.write("swing.yaml", kSwing);
    const std::string out = (scratch / "x").string();
    const Said missing =
        taut("run " + scene + " --time 1e6 --replay " + (scratch / "no/r.html").string());
    EXPECT_EQ(missing.code, 2);
    EXPECT_TRUE(has(missing.err, "--replay: cannot write")) << missing.err;
    const Said same = taut("run " + scene + " --time 1e6 --replay " + out + " --gltf " + out);
    EXPECT_EQ(same.code, 2);
    EXPECT_TRUE(has(same.err, "name the same file")) << same.err;
    EXPECT_EQ(entries(scratch), 1u);
}

// With a mass ratio of 1e6 the linearly implicit step diverges: the frames until then are still written.
TEST(RunGltf, ADivergedRunIsExportedUpToTheDivergence)
{
    const Scratch scratch;
    const std::string out = (scratch / "chain.glb").string();
    const Said said = taut(
        "run heavy_chain --set ratio=1e6 --scheme backward_euler --stabilisation none --json "
        "--gltf " +
        out);
    EXPECT_EQ(said.code, 1);
    const auto json = parse(said);
    EXPECT_EQ(json["status"], "diverged");
    const auto times = GlbFile(read_text(out)).times("chain.load");
    ASSERT_GT(times.size(), 2u);
    EXPECT_LE(times.back(), json["simulated_seconds"].get<float>() + 1e-3f);
}

}  // namespace
}  // namespace taut::test

// check, list, demo, schema and the help pages.
#include <algorithm>

#include <taut/catalogue.h>
#include <taut/version.h>

#include "tool.h"

namespace taut::test {
namespace {

TEST(Help, EveryCommandHasExamples)
{
    for (const char* command :
         {"", "run", "stability", "compare", "check", "list", "demo", "schema"}) {
        const Said said = taut(std::string(command) + " --help");
        EXPECT_EQ(said.code, 0) << command;
        EXPECT_TRUE(has(said.out, "Examples:")) << command << "\n" << said.out;
        EXPECT_TRUE(has(said.out, "taut ")) << command;
    }
    for (const char* option :
         {"--time", "--dt", "--scheme", "--stabilisation", "--solver", "--alpha", "--beta", "--set",
          "--out", "--every", "--columns", "--json"})
        EXPECT_TRUE(has(taut("run --help").out, option)) << option;
    for (const char* option :
         {"--vary", "--dt", "--methods", "--time", "--set", "--max-rise", "--max-gap", "--out",
          "--fresh", "--colour", "--jobs", "--check", "--json"})
        EXPECT_TRUE(has(taut("stability --help").out, option)) << option;
    for (const char* option : {"--methods", "--reading", "--dt", "--time", "--set", "--max-rise",
                               "--max-gap", "--out", "--json"})
        EXPECT_TRUE(has(taut("compare --help").out, option)) << option;
}

TEST(Version, EqualsThatOfTheLibrary)
{
    const Said said = taut("--version");
    EXPECT_EQ(said.code, 0);
    EXPECT_EQ(said.out, std::string("taut ") + version() + "\n");
}

TEST(Check, AcceptsAGoodSceneAndShowsItsParameters)
{
    const Said said = taut("check heavy_chain");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(has(said.out, "--set ratio=")) << said.out;
    EXPECT_TRUE(has(said.out, "ok"));
    const auto json = parse(taut("check heavy_chain --set links=3 --json"));
    EXPECT_EQ(json["status"], "ok");
    EXPECT_EQ(json["bodies"], 4);
    EXPECT_EQ(json["rows"], 12);
}

TEST(Check, PrintsWarningsAboutImplausiblePhysics)
{
    const Scratch scratch;
    // gravity in cm/s² instead of m/s²
    const std::string scene = scratch.write("units.yaml",
                                            "name: units\n"
                                            "gravity: [0, 0, -981]\n"
                                            "bodies:\n"
                                            "  stone: {mass: 1, inertia: [1, 1, 1]}\n");
    const Said said = taut("check " + scene);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(has(said.out, "warning: ")) << said.out;
    EXPECT_TRUE(has(said.out, "units.yaml:2:")) << said.out;
    EXPECT_EQ(taut("check --strict " + scene).code, 1);
    EXPECT_FALSE(parse(taut("check --json " + scene))["warnings"].empty());
}

TEST(Check, ReportsThePlaceOfAnError)
{
    const Scratch scratch;
    const std::string scene = scratch.write("bad.yaml",
                                            "name: bad\n"
                                            "bodies:\n"
                                            "  stone: {mas: 1, inertia: [1, 1, 1]}\n");
    const Said said = taut("check " + scene);
    EXPECT_EQ(said.code, 2);
    EXPECT_TRUE(has(said.err, "bad.yaml:3:")) << said.err;
    EXPECT_TRUE(has(said.err, "mass")) << said.err;
    EXPECT_EQ(taut("run " + scene).code, 2);
    EXPECT_EQ(parse(taut("run --json " + scene))["status"], "error");
}

TEST(Check, RefusesAnExpectationOfAnUnknownReading)
{
    const Scratch scratch;
    const std::string scene = scratch.write("reads.yaml",
                                            "name: reads\n"
                                            "bodies:\n"
                                            "  stone: {mass: 1, inertia: [1, 1, 1]}\n"
                                            "expect:\n"
                                            "  - {reading: body.stome.x, below: 1}\n");
    const Said said = taut("check " + scene);
    EXPECT_EQ(said.code, 2);
    EXPECT_TRUE(has(said.err, "reads.yaml:5:")) << said.err;
    EXPECT_TRUE(has(said.err, "did you mean 'stone'?")) << said.err;
}

std::vector<std::string> names_of(const nlohmann::json& list)
{
    std::vector<std::string> names;
    for (const auto& entry : list) names.push_back(entry["name"]);
    return names;
}

TEST(List, ContainsTheWholeCatalogue)
{
    const auto json = parse(taut("list --json"));
    std::vector<std::string> joints;
    for (const JointTypeInfo& type : joint_types()) joints.emplace_back(type.name);
    EXPECT_EQ(names_of(json["joints"]), joints);
    EXPECT_EQ(names_of(json["schemes"]).size(), schemes().size());
    EXPECT_EQ(names_of(json["stabilisations"]).size(), stabilisations().size());
    EXPECT_EQ(names_of(json["solvers"]).size(), solvers().size());
    EXPECT_EQ(names_of(json["laws"]).size(), law_methods().size());
    EXPECT_EQ(names_of(json["frictions"]).size(), friction_shapes().size());
    for (const char* topic :
         {"joints", "schemes", "stabilisations", "solvers", "laws", "frictions"})
        for (const auto& entry : json[topic])
            EXPECT_FALSE(entry["summary"].get<std::string>().empty()) << entry;

    const std::string text = taut("list").out;
    for (const std::string& joint : joints) EXPECT_TRUE(has(text, "  " + joint + " ")) << joint;
}

TEST(List, ShowsOneTopic)
{
    const std::string text = taut("list columns").out;
    for (const char* part :
         {"energy.total", "[J]", "joint.NAME.force", "run.energy_kept", "max(READING)"})
        EXPECT_TRUE(has(text, part)) << part;
    EXPECT_FALSE(has(text, "Schemes"));
    const auto scenes = names_of(parse(taut("list scenes --json"))["scenes"]);
    EXPECT_NE(std::find(scenes.begin(), scenes.end(), "crane"), scenes.end());
    EXPECT_NE(std::find(scenes.begin(), scenes.end(), "joints/gear"), scenes.end());
}

TEST(Demo, ListsAndRunsShippedScenes)
{
    const Said list = taut("demo");
    EXPECT_EQ(list.code, 0);
    for (const char* name : {"crane", "heavy_chain", "pendulum", "joints/screw"})
        EXPECT_TRUE(has(list.out, name)) << list.out;
    EXPECT_EQ(taut("demo screw").code, 0) << "found by the last part of its name";
    EXPECT_EQ(parse(taut("demo joints/screw --json"))["scene"], "screw");
}

TEST(Demo, SearchesTheFoldersOfTheEnvironmentVariable)
{
    const Scratch scratch;
    scratch.write("mine.yaml",
                  "name: mine\ntitle: My own\nduration: 0.1\nbodies:\n  stone: {mass: 1, inertia: "
                  "[1, 1, 1]}\n");
    const std::string folder = "TAUT_SCENES=" + (scratch / "").string();
    EXPECT_TRUE(has(taut("demo", folder).out, "My own"));
    EXPECT_EQ(parse(taut("demo mine --json", folder))["title"], "My own");
    EXPECT_EQ(taut("demo mine").code, 2) << "without the variable it is not found";
}

TEST(Schema, IsJsonSchemaOfScenes)
{
    const Said said = taut("schema");
    EXPECT_EQ(said.code, 0);
    const auto schema = parse(said);
    EXPECT_TRUE(schema.contains("$schema"));
    EXPECT_TRUE(schema.dump().find("\"bodies\"") != std::string::npos);
}

}  // namespace
}  // namespace taut::test

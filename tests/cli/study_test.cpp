// `taut stability` and `taut compare`: results, files and error messages of the program.
#include <algorithm>
#include <vector>

#include "tool.h"

namespace taut::test {
namespace {

constexpr const char* kBob = R"(name: bob
title: A bob of ${mass} kg
parameters:
  mass: {value: 2, min: 0.1, max: 100}
  kind: {value: hinge, choices: [hinge, ball]}
bodies:
  bob: {mass: mass, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}
joints:
  pivot: {type: "${kind}", between: [world, bob], at: [0, 0, 0], axis: [0, 1, 0]}
duration: 3
)";

// Ten links and a heavy load: stable with tension, divergent within a second with none.
const std::string kChain = "heavy_chain --set ratio=1e4 ";

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// The last column is the wall-clock time.
std::string without_timing(const std::string& csv)
{
    std::string text;
    for (const std::string& line : lines_of(csv)) text += line.substr(0, line.rfind(',')) + "\n";
    return text;
}

bool is_well_formed(const std::filesystem::path& svg)
{
    const std::string line =
        "python3 -c 'import sys, xml.etree.ElementTree as t; "
        "sys.exit(not t.parse(sys.argv[1]).getroot().tag.endswith(\"svg\"))' " +
        svg.string();
    return std::system(line.c_str()) == 0;
}

void expect_pictures(const std::filesystem::path& folder, const std::string& name)
{
    EXPECT_TRUE(is_well_formed(folder / (name + ".svg")));
    const std::string png = read_text(folder / (name + ".png"));
    ASSERT_GT(png.size(), 5000u);
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    const auto number = [&](std::size_t at) {
        return static_cast<unsigned char>(png[at + 2]) * 256 +
               static_cast<unsigned char>(png[at + 3]);
    };
    EXPECT_GT(number(16), 600) << "width";
    EXPECT_GT(number(20), 400) << "height";
}

TEST(Stability, JsonHasEveryCellAndField)
{
    const Scratch scratch;
    const Said said = taut("stability " + scratch.write("bob.yaml", kBob) +
                           " --vary mass=1..100:3 --vary kind=hinge,ball --dt 1/60,0.02"
                           " --methods tension,backward_euler/none/dense_lu --json -j 1");
    EXPECT_EQ(said.code, 0) << said.out << said.err;
    EXPECT_EQ(said.err, "");
    const auto json = parse(said);
    EXPECT_EQ(json["status"], "ok");
    EXPECT_EQ(json["cells"].size(), 3u * 2 * 2 * 2);
    EXPECT_EQ(json["criterion"]["max_rise"], 0.05);
    EXPECT_EQ(json["methods"].size(), 2u);
    for (const auto& cell : json["cells"])
        for (const char* key :
             {"method", "parameters", "dt", "stable", "verdict", "joint_gap_max_relative",
              "energy_rise_max_relative", "numerical_dissipation_relative", "kinetic_kept",
              "solves_mean", "solves_max", "halvings", "steps", "simulated_seconds", "state_hash",
              "message", "step_seconds"})
            EXPECT_TRUE(cell.contains(key)) << key << cell;
    const auto& first = json["cells"][0];
    EXPECT_EQ(first["parameters"]["mass"], "1");
    EXPECT_EQ(first["parameters"]["kind"], "hinge");
    EXPECT_EQ(first["steps"], 180);
    EXPECT_EQ(json["cells"][1]["dt"], 0.02) << "the time step varies fastest";
    EXPECT_TRUE(has(json["cells"].back()["method"].get<std::string>(), "/none/dense_lu"));

    // the motion of a pendulum does not depend on its mass
    EXPECT_NEAR(first["kinetic_kept"].get<double>(), json["cells"][4]["kinetic_kept"].get<double>(),
                0.2);
    EXPECT_GT(first["kinetic_kept"].get<double>(), 0.2);
}

TEST(Stability, WritesTableDataAndPictures)
{
    const Scratch scratch;
    const std::string out = (scratch / "map").string();
    const Said said = taut("stability " + kChain +
                           "--vary joint=ball,hinge --dt 1/60 --time 1 "
                           "--methods backward_euler/tension,backward_euler/none --out " +
                           out);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(has(said.out, "backward_euler/none")) << said.out;
    EXPECT_TRUE(has(said.out, "no: ")) << said.out;
    EXPECT_TRUE(has(said.out, "5 % of the largest kinetic energy")) << said.out;
    expect_pictures(out, "map");
    const auto csv = lines_of(read_text(scratch / "map/map.csv"));
    ASSERT_EQ(csv.size(), 5u);
    EXPECT_EQ(csv[0].substr(0, 27), "method,joint,dt [s],stable,");
    const auto json = nlohmann::json::parse(read_text(scratch / "map/map.json"));
    EXPECT_EQ(json["cells"].size(), 4u);
}

TEST(Stability, DoesNotDependOnThreads)
{
    const Scratch scratch;
    const std::string file = scratch.write("bob.yaml", kBob);
    for (const char* jobs : {"1", "2"}) {
        const Said said =
            taut("stability " + file + " --vary mass=1,2,3,4 --dt 1/60,1/30 --time 1 -j " + jobs +
                 " --out " + (scratch / jobs).string());
        ASSERT_EQ(said.code, 0) << said.err;
    }
    EXPECT_EQ(without_timing(read_text(scratch / "1/map.csv")),
              without_timing(read_text(scratch / "2/map.csv")));
    EXPECT_EQ(read_text(scratch / "1/map.svg"), read_text(scratch / "2/map.svg"));
}

// Completed cells are not run again: their timing, which is not reproducible, is kept.
TEST(Stability, ResumesATruncatedMap)
{
    const Scratch scratch;
    const std::string out = (scratch / "map").string();
    const std::string line = "stability " + scratch.write("bob.yaml", kBob) +
                             " --vary mass=1,2,3 --dt 1/60,1/30 --time 1 -j 1 --out " + out;
    ASSERT_EQ(taut(line).code, 0);
    const std::string whole = read_text(scratch / "map/map.csv");
    const auto lines = lines_of(whole);
    ASSERT_EQ(lines.size(), 7u);

    // two cells in another order, and a truncated line
    scratch.write("map/map.csv", lines[0] + "\n" + lines[4] + "\n" + lines[2] + "\n" +
                                     lines[5].substr(0, lines[5].size() - 3));
    const Said again = taut(line);
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_TRUE(has(again.err, "2 of 6 cells are already complete")) << again.err;
    const std::string resumed = read_text(scratch / "map/map.csv");
    EXPECT_EQ(without_timing(resumed), without_timing(whole));
    EXPECT_EQ(lines_of(resumed)[4], lines[4]);
    EXPECT_EQ(lines_of(resumed)[2], lines[2]);

    // all cells are complete: the file is unchanged
    ASSERT_EQ(taut(line).code, 0);
    EXPECT_EQ(read_text(scratch / "map/map.csv"), resumed);

    // changed limits are applied without running cells again
    ASSERT_EQ(taut(line + " --max-gap 1e-30").code, 0);
    const std::string strict = read_text(scratch / "map/map.csv");
    EXPECT_TRUE(has(strict, "joints_open")) << strict;
    EXPECT_EQ(lines_of(strict)[2].substr(lines_of(strict)[2].rfind(',')),
              lines[2].substr(lines[2].rfind(',')));
}

// Ctrl-C while the second cell, which would take hours, is running.
TEST(Stability, AnInterruptedMapCanBeResumed)
{
    const Scratch scratch;
    const std::string out = (scratch / "map").string();
    const std::string line = "stability " + scratch.write("bob.yaml", kBob) +
                             " --vary mass=1 --dt 0.1,1e-8 --time 10 -j 1 --out " + out;
    const std::string err = (scratch / "err").string();
    const Said said = taut(line + " 2>" + err + " & pid=$!; until [ \"$(cat " + out +
                           "/map.csv 2>&1 | wc -l)\" = 2 ]; do sleep 0.05; done; kill -INT $pid; "
                           "wait $pid");
    EXPECT_EQ(said.code, 1) << said.out << said.err;
    EXPECT_TRUE(has(read_text(err), "1 of 2 cells complete; the same command resumes the map"))
        << read_text(err);
    const Said whole =
        taut("stability " + (scratch / "bob.yaml").string() +
             " --vary mass=1 --dt 0.1 --time 10 -j 1 --out " + (scratch / "short").string());
    ASSERT_EQ(whole.code, 0);
    EXPECT_EQ(without_timing(read_text(scratch / "map/map.csv")),
              without_timing(read_text(scratch / "short/map.csv")));
}

TEST(Stability, RefusesTheFolderOfAnotherRequest)
{
    const Scratch scratch;
    const std::string file = scratch.write("bob.yaml", kBob);
    const std::string out = " --time 0.5 --out " + (scratch / "map").string();
    ASSERT_EQ(taut("stability " + file + " --vary mass=1,2 --dt 1/60" + out).code, 0);
    const std::string before = read_text(scratch / "map/map.csv");
    const Said other = taut("stability " + file + " --vary mass=1,2 --dt 1/30" + out);
    EXPECT_EQ(other.code, 2);
    EXPECT_TRUE(has(other.err, "'dt'")) << other.err;
    EXPECT_TRUE(has(other.err, "--fresh")) << other.err;
    EXPECT_EQ(read_text(scratch / "map/map.csv"), before);

    // a modified scene is a different request
    std::string edited = kBob;
    edited.replace(edited.find("position: [1"), 12, "position: [2");
    scratch.write("bob.yaml", edited);
    EXPECT_EQ(taut("stability " + file + " --vary mass=1,2 --dt 1/60" + out).code, 2);
    EXPECT_EQ(taut("stability " + file + " --vary mass=1,2 --dt 1/60 --fresh" + out).code, 0);
    EXPECT_NE(read_text(scratch / "map/map.csv"), before);
}

TEST(Stability, CheckAppliesToTheFirstMethod)
{
    const std::string line =
        "stability " + kChain + "--vary turn=0.3 --dt 1/60 --time 1.5 --json --methods ";
    EXPECT_EQ(taut(line + "backward_euler/tension,backward_euler/none --check").code, 0);
    EXPECT_EQ(taut(line + "backward_euler/none,backward_euler/tension --check").code, 1);
    EXPECT_EQ(taut(line + "backward_euler/none").code, 0)
        << "without --check, unstable cells are no failure";
}

TEST(Stability, ReportsInvalidOptions)
{
    const Scratch scratch;
    const std::string scene = "stability " + scratch.write("bob.yaml", kBob) + " ";
    const std::pair<const char*, const char*> wrong[] = {
        {"--dt 1/60", "--vary"},
        {"--vary mass=1", "--dt"},
        {"--vary mas=1 --dt 1/60", "mass"},
        {"--vary mass --dt 1/60", "name=list"},
        {"--vary mass=1,,2 --dt 1/60", "commas"},
        {"--vary mass=1..2 --dt 1/60", "LO..HI:N"},
        {"--vary mass=1,1000 --dt 1/60", "100"},
        {"--vary mass=1 --vary mass=2 --dt 1/60", "twice"},
        {"--vary mass=1 --set mass=2 --dt 1/60", "both"},
        {"--vary mass=1 --dt 0", "above zero"},
        {"--vary mass=1 --dt x", "number"},
        {"--vary mass=1 --dt 0.5,1/2", "twice"},
        {"--vary mass=1 --dt 1/60 --methods tensoin", "did you mean 'tension'?"},
        {"--vary mass=1 --dt 1/60 --methods backward_euler/nome", "did you mean 'none'?"},
        {"--vary mass=1 --dt 1/60 --methods backward_euler/exact/ldlt", "exact"},
        {"--vary mass=1 --dt 1/60 --max-gap -1", "above zero"},
        {"--vary mass=1 --dt 1/60 --colour blue", "kept, gap"},
        {"--vary mass=1 --dt 1/60 --out /proc/no", "/proc/no"},
        {"--vary mass=1 --dt 1/60 -j 0", "-j"},
    };
    for (const auto& [options, part] : wrong) {
        const Said said = taut(scene + options);
        EXPECT_EQ(said.code, 2) << options << said.out;
        EXPECT_TRUE(has(said.err, part)) << options << "\n" << said.err;
        EXPECT_EQ(said.out, "") << options;
    }
    EXPECT_EQ(parse(taut(scene + "--json --vary mass=1 --dt x"))["status"], "error");
    EXPECT_EQ(taut("stability no_such_scene --vary a=1 --dt 1").code, 2);
}

TEST(Compare, ReportsStableAndDivergentMethods)
{
    const Scratch scratch;
    const std::string out = (scratch / "compare").string();
    const std::string line = "compare " + kChain +
                             "--time 1.5 --methods backward_euler/tension,backward_euler/none,"
                             "backward_euler/tension/dense_lu --reading body.chain.load.z --out " +
                             out;
    const Said text = taut(line);
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_TRUE(has(text.out, "no: diverges at ")) << text.out;
    const auto json = parse(taut(line + " --json"));
    ASSERT_EQ(json["methods"].size(), 3u);
    for (const char* key :
         {"method", "stable", "verdict", "joint_gap_max_relative", "energy_rise_max_relative",
          "numerical_dissipation_relative", "kinetic_kept", "solves_mean", "solves_max",
          "step_seconds", "end_distance"})
        EXPECT_TRUE(json["methods"][0].contains(key)) << key;
    EXPECT_TRUE(has(text.out, "numerical")) << text.out;
    EXPECT_TRUE(json["methods"][0]["stable"].get<bool>());
    EXPECT_EQ(json["methods"][0]["end_distance"], 0);
    EXPECT_EQ(json["methods"][1]["verdict"], "diverged");
    EXPECT_TRUE(json["methods"][1]["end_distance"].is_null());
    // another solver of the same equations gives the same result up to rounding
    EXPECT_GT(json["methods"][2]["end_distance"].get<double>(), 0);
    EXPECT_LT(json["methods"][2]["end_distance"].get<double>(), 1e-3);
    expect_pictures(out, "compare");
    EXPECT_EQ(lines_of(read_text(scratch / "compare/compare.csv")).size(), 4u);
}

TEST(Compare, ReportsInvalidOptions)
{
    const Scratch scratch;
    const std::string scene = "compare " + scratch.write("bob.yaml", kBob) + " ";
    const std::pair<const char*, const char*> wrong[] = {
        {"", "--methods"},
        {"--methods tensoin", "did you mean 'tension'?"},
        {"--methods none,none", "twice"},
        {"--methods none --reading body.bib.x", "did you mean 'bob'?"},
        {"--methods none --dt -1", "above zero"},
        {"--methods none --time 0", "above zero"},
        {"--methods none --out /proc/no", "/proc/no"},
        {"--methods none --set mas=1", "mass"},
    };
    for (const auto& [options, part] : wrong) {
        const Said said = taut(scene + options);
        EXPECT_EQ(said.code, 2) << options << said.out;
        EXPECT_TRUE(has(said.err, part)) << options << "\n" << said.err;
    }
    EXPECT_EQ(parse(taut(scene + "--json --methods x"))["status"], "error");
}

}  // namespace
}  // namespace taut::test

// `taut run`: reports, options, files and error messages of the program.
#include "tool.h"

namespace taut::test {
namespace {

constexpr const char* kSwing = R"(name: swing
title: A short swing
parameters:
  mass: {value: 2, min: 0.1, max: 100}
bodies:
  bob: {mass: mass, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}
joints:
  pivot: {type: hinge, between: [world, bob], at: [0, 0, 0], axis: [0, 1, 0]}
duration: 0.5
expect:
  - {reading: run.joint_gap_max_relative, below: 0.1}
)";

// Expectations on final values are not checked in a run of another length.
TEST(Run, ARunOfAnotherLengthDoesNotCheckFinalValues)
{
    const Scratch scratch;
    const std::string file = scratch.write(
        "swing.yaml", std::string(kSwing) + "  - {reading: body.bob.z, below: -0.5}\n");
    EXPECT_EQ(taut("run " + file).code, 0);
    const Said shorter = taut("run " + file + " --time 0.1 --json");
    EXPECT_EQ(shorter.code, 0) << shorter.out;
    EXPECT_FALSE(parse(shorter)["expectations"][1]["judged"].get<bool>());
}

TEST(Run, JsonHasEveryKey)
{
    const Scratch scratch;
    const Said said = taut("run " + scratch.write("swing.yaml", kSwing) + " --json");
    EXPECT_EQ(said.code, 0) << said.out << said.err;
    EXPECT_EQ(said.err, "");
    const auto json = parse(said);
    for (const char* key : {"status",
                            "steps",
                            "simulated_seconds",
                            "wall_seconds",
                            "realtime_factor",
                            "solves_mean",
                            "solves_max",
                            "joint_gap_max",
                            "joint_gap_max_relative",
                            "energy_start",
                            "energy_end",
                            "energy_rise_max_relative",
                            "state_hash",
                            "scheme",
                            "stabilisation",
                            "solver",
                            "dt",
                            "residual_max",
                            "wrong_inertia_steps",
                            "kinetic_max",
                            "energy_kept",
                            "dissipation",
                            "energy_throughput",
                            "numerical_dissipation_relative",
                            "expectations",
                            "warnings",
                            "parameters",
                            "bodies",
                            "joints",
                            "rows"})
        EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_EQ(json["status"], "ok");
    EXPECT_EQ(json["steps"], 30);  // 0.5 s at the default 1/60 s
    EXPECT_NEAR(json["simulated_seconds"].get<double>(), 0.5, 1e-12);
    EXPECT_EQ(json["state_hash"].get<std::string>().size(), 16u);
    EXPECT_EQ(json["bodies"], 1);
    EXPECT_EQ(json["rows"], 5);
    EXPECT_EQ(json["expectations"][0]["met"], true);
}

TEST(Run, PrintsAReadableReport)
{
    const Scratch scratch;
    const Said said = taut("run " + scratch.write("swing.yaml", kSwing));
    EXPECT_EQ(said.code, 0);
    EXPECT_EQ(said.err, "") << "no progress bar without a terminal";
    for (const char* part :
         {"swing: A short swing", "✓ run.joint_gap_max_relative", "s simulated", " J ", "ok"})
        EXPECT_TRUE(has(said.out, part)) << part << "\n" << said.out;
}

// A rod that spins about a hinge; nothing but the scheme can brake it.
constexpr const char* kRotor = R"(name: rotor
gravity: [0, 0, 0]
bodies:
  rod: {mass: 2, inertia: [0.01, 0.2, 0.2], position: [0.5, 0, 0], velocity: [0, 9, 0], angular_velocity: [0, 0, 18]}
joints:
  pivot: {type: hinge, between: [world, rod], at: [0, 0, 0], axis: [0, 0, 1]}
step: {dt: 1/60, scheme: backward_euler}
duration: 4
)";

TEST(Run, ARotorThatTheSchemeBrakesIsNotOk)
{
    const Scratch scratch;
    const std::string scene = scratch.write("rotor.yaml", kRotor);
    const Said said = taut("run " + scene);
    EXPECT_EQ(said.code, 0);
    EXPECT_TRUE(has(said.out, "numerical dissipation: ")) << said.out;
    EXPECT_TRUE(has(said.out, "warning: the time integration took")) << said.out;
    EXPECT_FALSE(has(said.out, "\nok\n")) << said.out;
    const auto json = parse(taut("run " + scene + " --json"));
    EXPECT_EQ(json["status"], "energy_lost");
    const double lost = json["energy_start"].get<double>() - json["energy_end"].get<double>();
    EXPECT_GT(lost, 0.05 * json["kinetic_max"].get<double>());
    EXPECT_NEAR(json["dissipation"]["numerical"].get<double>(), lost, 1e-6 * lost);
    EXPECT_NEAR(json["numerical_dissipation_relative"].get<double>(),
                lost / json["kinetic_max"].get<double>(), 1e-6);

    const auto fine = parse(taut("run " + scene + " --scheme shake --dt 1/2000 --json"));
    EXPECT_EQ(fine["status"], "ok") << fine["numerical_dissipation_relative"];
}

// What the scheme took is said of every run that came to numbers, whatever else is to be said of it.
TEST(Run, ARunThatFailsAnExpectationIsWarnedOfTheSchemeAsWell)
{
    const Scratch scratch;
    const std::string scene = scratch.write(
        "rotor.yaml", std::string(kRotor) + "expect:\n  - {reading: body.rod.z, above: 1}\n");
    const Said said = taut("run " + scene);
    EXPECT_EQ(said.code, 1);
    EXPECT_TRUE(has(said.out, "warning: the time integration took")) << said.out;
    EXPECT_TRUE(has(said.out, "expectation")) << said.out;
    const auto json = parse(taut("run " + scene + " --json"));
    EXPECT_EQ(json["status"], "expectation_failed");
    EXPECT_TRUE(has(json["energy_warning"].get<std::string>(), "the time integration took"));
    const auto good = parse(taut("run " + scratch.write("swing.yaml", kSwing) + " --json"));
    EXPECT_EQ(good["energy_warning"], "");
}

// The report names the formula that took the steps.
TEST(Run, SaysHowManyStepsTheMidpointSchemeTook)
{
    const Scratch scratch;
    const std::string scene = scratch.write("swing.yaml", kSwing);
    const Said said = taut("run " + scene);
    EXPECT_TRUE(has(said.out, "midpoint in 30 of 30 steps")) << said.out;
    EXPECT_EQ(parse(taut("run " + scene + " --json"))["midpoint_steps"], 30);
    EXPECT_EQ(parse(taut("run " + scene + " --scheme bdf2 --json"))["midpoint_steps"], 0);
    EXPECT_FALSE(has(taut("run " + scene + " --scheme bdf2").out, "midpoint in"));
}

// Impacts that are rounding error are none.
TEST(Run, WhatIsRoundingErrorIsPrintedAsZero)
{
    const Scratch scratch;
    // a crane that stands still
    const std::string scene = scratch.write("still.yaml", R"(name: still
bodies:
  bob: {mass: 3, inertia: [0.1, 0.1, 0.1], position: [0.3, 0, -0.7]}
joints:
  pivot: {type: ball, between: [world, bob], at: [0, 0, 0]}
duration: 0.5
)");
    const Said said = taut("run " + scene);
    EXPECT_FALSE(has(said.out, "impacts -")) << said.out;
    EXPECT_FALSE(has(said.out, "damping took 0 J")) << said.out;
    EXPECT_EQ(parse(taut("run " + scene + " --json"))["dissipation"]["impacts"], 0);
}

// Weights below one half add energy, and the sign says so.
TEST(Run, AGainOfEnergyIsNegativeDissipation)
{
    const Scratch scratch;
    const auto json = parse(taut("run " + scratch.write("rotor.yaml", kRotor) +
                                 " --scheme alpha_beta --alpha 0.3 --beta 0.3 --time 1 --json"));
    EXPECT_LT(json["numerical_dissipation_relative"].get<double>(), 0) << json;
    EXPECT_LT(json["dissipation"]["numerical"].get<double>(), 0);
}

TEST(Run, OptionsOverrideTheScene)
{
    const Scratch scratch;
    const std::string scene = scratch.write("swing.yaml", kSwing);
    const auto json =
        parse(taut("run " + scene +
                   " --dt 1/240 --time 0.25 --scheme alpha_beta --alpha 0.6 --beta 0.7"
                   " --stabilisation none --solver dense_lu --json"));
    EXPECT_EQ(json["steps"], 60);
    EXPECT_EQ(json["dt"], 1.0 / 240);
    EXPECT_EQ(json["scheme"], "alpha_beta");
    EXPECT_EQ(json["alpha"], 0.6);
    EXPECT_EQ(json["beta"], 0.7);
    EXPECT_EQ(json["stabilisation"], "none");
    EXPECT_EQ(json["solver"], "dense_lu");
}

TEST(Run, SetChangesParametersAndValues)
{
    const Scratch scratch;
    const std::string scene = scratch.write("swing.yaml", kSwing);
    const auto plain = parse(taut("run " + scene + " --json"));
    const auto heavy = parse(taut("run " + scene + " --set mass=6 --json"));
    // the initial energy is zero and only gravity does work, so the kinetic energy is proportional to the mass
    const double ratio = heavy["kinetic_max"].get<double>() / plain["kinetic_max"].get<double>();
    EXPECT_GT(ratio, 2.9);
    EXPECT_EQ(heavy["parameters"]["mass"], "6");
    const auto weightless =
        parse(taut("run " + scene + " --set 'gravity=[0, 0, 0]' --set duration=0.1 --json"));
    EXPECT_EQ(weightless["kinetic_max"], 0);
    EXPECT_EQ(weightless["steps"], 6);
}

TEST(Run, StateIsBitwiseReproducible)
{
    const auto first = parse(taut("run heavy_chain --time 2 --json"));
    const auto second = parse(taut("run heavy_chain --time 2 --json"));
    const auto other = parse(taut("run heavy_chain --time 2 --set turn=0.31 --json"));
    const auto threads = parse(taut("run heavy_chain --time 2 --threads 2 --json"));
    EXPECT_EQ(first["state_hash"], second["state_hash"]);
    EXPECT_EQ(first["state_hash"], threads["state_hash"]);
    EXPECT_NE(first["state_hash"], other["state_hash"]);
}

TEST(Run, StateIsTheSameWithoutAvx2)
{
    for (const char* words : {"heavy_chain --time 1", "heavy_chain --time 1 --set ratio=1",
                              "crane --time 1", "limits/ragdoll --time 0.5"}) {
        const std::string line = std::string("run ") + words + " --json";
        EXPECT_EQ(parse(taut(line))["state_hash"], parse(taut(line, "TAUT_AVX2=off"))["state_hash"])
            << words;
    }
}

TEST(Run, WritesAFolder)
{
    const Scratch scratch;
    const std::string out = (scratch / "deep/out").string();
    const Said said =
        taut("run " + scratch.write("swing.yaml", kSwing) + " --set mass=3 --every 10 --out " +
             out + " --columns 'time, energy.total,joint.pivot.force.z@body1'");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(has(said.out, out));

    std::istringstream csv(read_text(std::filesystem::path(out) / "run.csv"));
    std::string line;
    std::getline(csv, line);
    EXPECT_EQ(line, "time [s],energy.total [J],joint.pivot.force.z@body1 [N]");
    int rows = 0;
    while (std::getline(csv, line)) ++rows;
    EXPECT_EQ(rows, 4) << "the start, and steps 10, 20, 30";

    const auto summary =
        nlohmann::json::parse(read_text(std::filesystem::path(out) / "summary.json"));
    EXPECT_EQ(summary["status"], "ok");
    const std::string copy = read_text(std::filesystem::path(out) / "scene.yaml");
    EXPECT_TRUE(has(copy, "mass = 3")) << copy;
    EXPECT_TRUE(has(copy, kSwing));
    // the copy is a valid scene
    EXPECT_EQ(taut("check " + out + "/scene.yaml").code, 0);
}

TEST(Run, UsualColumnsHaveUnits)
{
    const Scratch scratch;
    const std::string out = (scratch / "out").string();
    ASSERT_EQ(taut("run " + scratch.write("swing.yaml", kSwing) + " --out " + out).code, 0);
    const std::string csv = read_text(std::filesystem::path(out) / "run.csv");
    const std::string header = csv.substr(0, csv.find('\n'));
    for (const char* part :
         {"time [s]", "energy.total [J]", "body.bob.x [m]", "joint.pivot.torque [N m]"})
        EXPECT_TRUE(has(header, part)) << header;
}

TEST(Run, FailedExpectationIsExitCodeOne)
{
    const Scratch scratch;
    const std::string scene = scratch.write(
        "wrong.yaml", std::string(kSwing) + "  - {reading: body.bob.z, above: 100}\n");
    const Said said = taut("run " + scene);
    EXPECT_EQ(said.code, 1);
    EXPECT_TRUE(has(said.out, "✗ body.bob.z")) << said.out;
    const Said json = taut("run " + scene + " --json");
    EXPECT_EQ(json.code, 1);
    EXPECT_EQ(parse(json)["status"], "expectation_failed");
}

TEST(Run, DivergedRunIsExitCodeOne)
{
    const Said said =
        taut("run heavy_chain --set ratio=1e6 --scheme backward_euler --stabilisation none --json");
    EXPECT_EQ(said.code, 1);
    EXPECT_NE(parse(said)["status"], "ok");
}

struct BadLine {
    const char* name;
    const char* arguments;
    const char* says;  // a part of the message
};

class BadUsage : public testing::TestWithParam<BadLine> {};

TEST_P(BadUsage, IsReportedWithExitCodeTwo)
{
    const Said said = taut(GetParam().arguments);
    EXPECT_EQ(said.code, 2) << said.out << said.err;
    EXPECT_EQ(said.out, "");
    EXPECT_TRUE(has(said.err, GetParam().says)) << said.err;

    // the same as JSON
    const Said json = taut(std::string(GetParam().arguments) + " --json");
    EXPECT_EQ(json.code, 2);
    EXPECT_EQ(json.err, "");
    const auto object = parse(json);
    EXPECT_EQ(object["status"], "error");
    EXPECT_TRUE(has(object["message"].get<std::string>(), GetParam().says)) << json.out;
}

INSTANTIATE_TEST_SUITE_P(
    Each, BadUsage,
    testing::Values(
        BadLine{"stabilisation", "run pendulum --stabilisation tention",
                "none, exact, symmetric, projected, tension"},
        BadLine{"stabilisation_hint", "run pendulum --stabilisation tention",
                "did you mean 'tension'?"},
        BadLine{"scheme", "run pendulum --scheme rk4", "backward_euler, alpha_beta"},
        BadLine{"laws", "run pendulum --laws newtn", "did you mean 'newton'?"},
        BadLine{"friction", "run pendulum --friction piramid", "did you mean 'pyramid'?"},
        BadLine{"solver", "run pendulum --solver denselu", "did you mean 'dense_lu'?"},
        BadLine{"dt_word", "run pendulum --dt fast",
                "--dt must be a number such as 0.01 or 1/60, not 'fast'"},
        BadLine{"dt_zero", "run pendulum --dt 0", "--dt must be above 0"},
        BadLine{"dt_by_zero", "run pendulum --dt 1/0", "--dt must be a number"},
        BadLine{"dt_tail", "run pendulum --dt 1/60s", "--dt must be a number"},
        BadLine{"time_negative", "run pendulum --time=-1", "--time must be above zero"},
        BadLine{"alpha_alone", "run heavy_chain --alpha 0.5", "alpha_beta"},
        BadLine{"alpha_range", "run pendulum --alpha 2", "above 0 and at most 1"},
        BadLine{"set_without_value", "run pendulum --set length", "path=value"},
        BadLine{"set_unknown", "run pendulum --set lenght=2", "length"},
        BadLine{"scene_name", "run pendulun", "did you mean 'pendulum'?"},
        BadLine{"scene_file", "run nowhere/scene.yaml", "file not found: 'nowhere/scene.yaml'"},
        BadLine{"column", "run pendulum --out /tmp/taut_unused --columns enrgy.total",
                "did you mean 'energy.total'?"},
        BadLine{"columns_alone", "run pendulum --columns time", "--out"},
        BadLine{"every", "run pendulum --every 0", "--every"},
        BadLine{"threads", "run pendulum --threads 257", "at most 256"},
        BadLine{"threads_word", "run pendulum --threads two", "--threads"},
        BadLine{"out", "run pendulum --out /proc/nothing/here", "cannot create the folder"},
        BadLine{"option", "run pendulum --fast", "--fast"}, BadLine{"no_scene", "run", "SCENE"},
        BadLine{"no_command", "", "subcommand"}, BadLine{"command", "walk pendulum", "walk"},
        BadLine{"list_topic", "list joint", "did you mean 'joints'?"},
        BadLine{"demo_name", "demo carne", "did you mean 'crane'?"},
        BadLine{"check_file", "check nowhere.yaml", "nowhere.yaml"}),
    [](const auto& line) { return line.param.name; });

// A limit with sweeps, which use no linear solver: refused with the reason, not ignored.
TEST(Run, ASolverThatWouldNotBeUsedIsBadInput)
{
    const Scratch scratch;
    std::string text = kSwing;
    text.replace(text.find("axis: [0, 1, 0]"), 15, "axis: [0, 1, 0], angle_limits: [-1, 0.2]");
    const std::string stop = scratch.write("limit.yaml", text);
    const Said refused = taut("run " + stop + " --laws pgs --solver dense_lu");
    EXPECT_EQ(refused.code, 2) << refused.out << refused.err;
    EXPECT_NE((refused.out + refused.err).find("take solver 'auto', or laws 'newton'"),
              std::string::npos)
        << refused.out << refused.err;
    EXPECT_EQ(taut("run " + stop + " --laws pgs").code, 0);
    EXPECT_EQ(taut("run " + stop + " --solver dense_lu").code, 0);
}

}  // namespace
}  // namespace taut::test

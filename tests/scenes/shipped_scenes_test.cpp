// Every shipped scene is run to its end and must meet its expectations.
#include <gtest/gtest.h>

#include <taut/catalogue.h>
#include <taut/scene.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "record/run_scene.h"
#include "stabilisation/geometric.h"
#include "support/sanitized.h"

namespace taut::test {
namespace {

namespace fs = std::filesystem;

const fs::path kScenes = TAUT_SOURCE_SCENES;

std::vector<std::string> scene_files()
{
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(kScenes))
        if (entry.path().extension() == ".yaml")
            files.push_back(entry.path().lexically_relative(kScenes).string());
    std::sort(files.begin(), files.end());
    return files;
}

std::string test_name(const testing::TestParamInfo<std::string>& info)
{
    std::string name = info.param.substr(0, info.param.rfind('.'));
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

class ShippedScene : public testing::TestWithParam<std::string> {};

TEST_P(ShippedScene, MeetsItsExpectations)
{
    auto scene = load_scene((kScenes / GetParam()).string());
    ASSERT_TRUE(scene.ok()) << scene.error().message;
    EXPECT_FALSE(scene->title.empty());
    EXPECT_FALSE(scene->expectations.empty()) << "a shipped scene must have expectations";

    const auto report = run_scene(*scene);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->summary.status, RunStatus::Ok) << report->summary.reason;
    for (const ExpectationResult& e : report->expectations)
        EXPECT_TRUE(e.met) << e.expected.where << ": " << e.expected.reading << " = " << e.value
                           << " " << e.unit << ", allowed " << e.expected.lowest << " … "
                           << e.expected.highest;
}

INSTANTIATE_TEST_SUITE_P(Every, ShippedScene, testing::ValuesIn(scene_files()), test_name);

class JointScene : public testing::TestWithParam<std::string> {};

std::vector<std::string> joint_type_names()
{
    std::vector<std::string> names;
    for (const JointTypeInfo& type : joint_types()) names.emplace_back(type.name);
    return names;
}

TEST_P(JointScene, ContainsTheTypeOfItsName)
{
    const fs::path file = kScenes / "joints" / (GetParam() + ".yaml");
    ASSERT_TRUE(fs::exists(file)) << "joint type '" << GetParam() << "' has no scene";
    auto scene = load_scene(file.string());
    ASSERT_TRUE(scene.ok()) << scene.error().message;
    bool shown = false;
    for (int i = 0; i < scene->world.joint_count(); ++i)
        shown = shown || scene->world.type(JointId{i}) == GetParam();
    EXPECT_TRUE(shown) << "no joint of type '" << GetParam() << "' in its own scene";
}

INSTANTIATE_TEST_SUITE_P(Every, JointScene, testing::ValuesIn(joint_type_names()),
                         [](const auto& type) { return type.param; });

// Every scheme, stabilisation and solver can be used with every kind of scene: it steps or reports why it cannot.
// Solvers and classical schemes for comparison may fail on rigid or redundant rows or on stiff forces; the others may
// not.
TEST(ShippedScenes, AcceptEveryMethod)
{
    const auto ours = [](Solver solver) {
        return solver == Solver::Ldlt || solver == Solver::DenseLu || solver == Solver::Auto;
    };
    int count = 0;
    for (const char* name : {"pendulum.yaml", "four_bar.yaml", "table_on_four_legs.yaml",
                             "servo_arm.yaml", "crane.yaml"})
        for (const auto& scheme : schemes())
            for (const auto& stabilisation : stabilisations())
                for (const auto& solver : solvers()) {
                    if (test::kSanitized && ++count % 7 != 0) continue;
                    auto scene = load_scene((kScenes / name).string(), {{"step.dt", "1/240"}});
                    ASSERT_TRUE(scene.ok()) << scene.error().message;
                    StepSettings settings = scene->settings;
                    settings.research.scheme = scheme.value;
                    settings.research.stabilisation = stabilisation.value;
                    settings.research.solver = solver.value;
                    StepReport report;
                    for (int i = 0; i < 3; ++i) report = scene->world.step(settings);

                    const bool refused = report.status == StepStatus::Refused;
                    const bool classical = scheme.summary.starts_with("classical");
                    if (refused || classical || !ours(solver.value))
                        EXPECT_TRUE(report.status == StepStatus::Ok || !report.reason.empty());
                    else
                        EXPECT_EQ(report.status, StepStatus::Ok)
                            << name << " " << scheme.name << " " << stabilisation.name << " "
                            << solver.name << ": " << report.reason;
                    EXPECT_TRUE(std::isfinite(scene->world.energy().total()));
                }
}

// The damping methods run on every joint and on the chain and stay finite at equal masses.
TEST(ShippedScenes, StayFiniteWithTheDampingMethods)
{
    std::vector<std::string> files = {"heavy_chain.yaml"};
    for (const std::string& type : joint_type_names()) files.push_back("joints/" + type + ".yaml");
    for (const std::string& file : files)
        for (const auto& [kind, name, summary] : stabilisations()) {
            if (!stabilisation::judges_assembled(kind)) continue;
            const Overrides ratio = file == files[0] ? Overrides{{"ratio", "1"}} : Overrides{};
            auto scene = load_scene((kScenes / file).string(), ratio);
            ASSERT_TRUE(scene.ok()) << scene.error().message;
            StepSettings settings = scene->settings;
            settings.research.scheme = Scheme::BackwardEuler;
            settings.research.stabilisation = kind;
            for (int i = 0; i < 200; ++i) {
                if (i == 180)
                    settings.research.scheme = Scheme::Bdf2;  // continue with the guarded scheme
                const StepReport report = scene->world.step(settings);
                ASSERT_EQ(report.status, StepStatus::Ok)
                    << file << " " << name << ": " << report.reason;
            }
            EXPECT_TRUE(std::isfinite(scene->world.energy().total())) << file;
        }
}

// With the low-rank factors of every joint type, the low-rank inverse gives the same steps as the dense reference. In
// scenes with redundant rows (universal) the Schur complement is singular up to rounding, which changes the motion by
// 1e-8.
TEST(ShippedScenes, HaveTheSameMotionWithTheLowRankInverse)
{
    for (const std::string& type : joint_type_names()) {
        if (find_joint_type(type)->law != RowLaw::Equal)
            continue;  // inequality rows have their own solver
        for (const Stabilisation kind : {Stabilisation::Exact, Stabilisation::Symmetric}) {
            const auto energies = [&](Solver solver) {
                auto scene = load_scene((kScenes / "joints" / (type + ".yaml")).string());
                StepSettings settings = scene->settings;
                settings.research.scheme = Scheme::BackwardEuler;
                settings.research.stabilisation = kind;
                settings.research.solver = solver;
                std::vector<Real> out;
                for (int i = 0; i < 20; ++i) {
                    EXPECT_EQ(scene->world.step(settings).status, StepStatus::Ok) << type;
                    out.push_back(scene->world.energy().kinetic());
                }
                return out;
            };
            const auto reference = energies(Solver::DenseLu);
            // absolute tolerance of 1 µJ for scenes at rest
            const Real largest =
                std::max(*std::max_element(reference.begin(), reference.end()), Real(1e-6));
            for (const Solver solver : {Solver::LowRank, Solver::FullRank}) {
                const auto found = energies(solver);
                for (std::size_t i = 0; i < found.size(); ++i)
                    EXPECT_NEAR(found[i], reference[i], 1e-7 * largest)
                        << type << " " << choice_name(solvers(), solver) << " step " << i;
            }
        }
    }
}

// The heavy chain meets its expectations for all choices of its parameters.
TEST(HeavyChain, IsStableForEveryJointAndRelease)
{
    for (const char* joint : {"ball", "hinge", "universal"})
        for (const char* release : {"horizontal", "hanging"})
            for (const char* links : {"1", "10", "30"})
                for (const char* ratio : {"1", "1e9"}) {
                    if (test::kSanitized && std::string_view(links) == "30") continue;
                    auto scene =
                        load_scene((kScenes / "heavy_chain.yaml").string(), {{"joint", joint},
                                                                             {"release", release},
                                                                             {"links", links},
                                                                             {"ratio", ratio}});
                    ASSERT_TRUE(scene.ok()) << scene.error().message;
                    const auto report = run_scene(*scene);
                    ASSERT_TRUE(report.ok()) << report.error().message;
                    EXPECT_EQ(report->summary.status, RunStatus::Ok)
                        << joint << " " << release << " " << links << " links, ratio " << ratio
                        << ": " << report->summary.reason << ", gap "
                        << report->summary.joint_gap_max_relative << ", rise "
                        << report->summary.energy_rise_max_relative;
                }
}

TEST(HeavyChain, DivergesWithoutGeometricStiffness)
{
    auto scene = load_scene((kScenes / "heavy_chain.yaml").string());
    ASSERT_TRUE(scene.ok()) << scene.error().message;
    scene->settings.research.scheme = Scheme::BackwardEuler;
    scene->settings.research.stabilisation = Stabilisation::None;
    const auto report = run_scene(*scene);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->summary.status, RunStatus::Diverged);
}

}  // namespace
}  // namespace taut::test

// Cells, grids and traces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "study/grid.h"
#include "study/run_cells.h"
#include "study/trace.h"

namespace taut::test {
namespace {

const std::string kScenes = TAUT_SOURCE_SCENES;

TEST(Grid, NumbersEveryCellOnceTimeStepFastest)
{
    const Method method = Method::of({});
    const Grid grid{{{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}},
                    {{"1/60", 1.0 / 60}, {"0.1", 0.1}},
                    {method, method}};
    ASSERT_EQ(grid.combinations(), 6u);
    ASSERT_EQ(grid.size(), 24u);
    std::map<std::vector<std::size_t>, std::size_t> seen;
    for (std::size_t i = 0; i < grid.size(); ++i) {
        const Grid::Place p = grid.place(i);
        seen[{p.method, p.values[0], p.values[1], p.step}] = i;
    }
    ASSERT_EQ(seen.size(), 24u);
    // a map is sorted by its keys: the order of the cells is that of (method, a, b, step)
    std::size_t expected = 0;
    for (const auto& [key, cell] : seen) EXPECT_EQ(cell, expected++);
    EXPECT_EQ(grid.overrides({1, 2}), (Overrides{{"a", "2"}, {"b", "z"}}));
}

TEST(RunCell, EnergyOfAnUndampedPendulumDependsOnTheScheme)
{
    CellRequest request{kScenes + "/pendulum.yaml", {}, {}, 1.0 / 240, 4.0};
    const auto fine = run_cell(request);
    ASSERT_TRUE(fine.ok()) << fine.error().message;
    EXPECT_EQ(fine->status, RunStatus::Ok);
    EXPECT_EQ(fine->steps, 960u);
    EXPECT_EQ(judge(*fine, {}), Verdict::Stable);
    EXPECT_GT(fine->kept, 0.3);
    EXPECT_LT(fine->kept, 1.01);
    EXPECT_GE(fine->solves_mean, 1);
    EXPECT_GT(fine->step_seconds, 0);

    // the loss of backward Euler is proportional to the time step
    request.method = Method{Scheme::BackwardEuler, Stabilisation::Tension, Solver::Auto};
    const auto euler = run_cell(request);
    request.dt = 1.0 / 60;
    const auto coarse = run_cell(request);
    ASSERT_TRUE(euler.ok() && coarse.ok());
    EXPECT_NEAR(std::log(coarse->kept) / std::log(euler->kept), 4, 0.6);
}

TEST(RunCell, AppliesTheLimits)
{
    CellResult result;
    result.rise = 0.01;
    result.gap = 0.02;
    EXPECT_EQ(judge(result, {}), Verdict::Stable);
    EXPECT_EQ(judge(result, {.rise = 0.005}), Verdict::GainsEnergy);
    EXPECT_EQ(judge(result, {.gap = 0.005}), Verdict::JointsOpen);
    result.rise = NAN;
    EXPECT_EQ(judge(result, {}), Verdict::GainsEnergy) << "NaN exceeds every limit";
    result.status = RunStatus::Diverged;
    EXPECT_EQ(judge(result, {}), Verdict::Diverged);
    result.status = RunStatus::Refused;
    EXPECT_EQ(judge(result, {}), Verdict::Refused);
}

TEST(RunCell, RefusedSettingsAreAResult)
{
    const auto result = run_cell({kScenes + "/pendulum.yaml", {}, {}, -1.0, 1.0});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->status, RunStatus::Refused);
    EXPECT_FALSE(result->reason.empty());
    EXPECT_FALSE(run_cell({kScenes + "/no_such.yaml", {}, {}, {}, {}}).ok());
}

// Same figures on one thread and on three; each cell is reported once.
TEST(RunCells, DoNotDependOnThreads)
{
    const std::vector<std::string> links = {"1", "2", "3", "4", "5", "6"};
    std::vector<std::string> hashes[2];
    for (const int threads : {1, 3}) {
        std::vector<std::string>& out = hashes[threads == 1 ? 0 : 1];
        out.resize(links.size());
        CellsJob job;
        job.cells = links.size();
        job.threads = threads;
        job.request = [&](std::size_t i) {
            return CellRequest{kScenes + "/heavy_chain.yaml", {{"links", links[i]}}, {}, {}, 0.5};
        };
        job.done = [&](std::size_t i, const CellResult& result) -> Status {
            EXPECT_TRUE(out[i].empty());
            out[i] = result.state_hash;
            return Done{};
        };
        const auto all = run_cells(job);
        ASSERT_TRUE(all.ok() && *all);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(std::count(hashes[0].begin(), hashes[0].end(), hashes[0][0]), 1);
}

TEST(RunCells, CanBeStopped)
{
    CellsJob job;
    job.cells = 3;
    job.threads = 2;
    // the cell would run practically forever if it were not stopped
    job.request = [](std::size_t) {
        return CellRequest{kScenes + "/pendulum.yaml", {}, {}, 0.01, 1e9};
    };
    int finished = 0;
    job.done = [&](std::size_t, const CellResult&) -> Status {
        ++finished;
        return Done{};
    };
    job.progress = [](double) { return false; };
    const auto all = run_cells(job);
    ASSERT_TRUE(all.ok());
    EXPECT_FALSE(*all);
    EXPECT_EQ(finished, 0);
}

TEST(RunCells, TheFirstErrorStopsAll)
{
    CellsJob job;
    job.cells = 50;
    job.request = [](std::size_t i) {
        return CellRequest{
            kScenes + (i == 1 ? "/no_such.yaml" : "/pendulum.yaml"), {}, {}, {}, 0.1};
    };
    int finished = 0;
    job.done = [&](std::size_t, const CellResult&) -> Status {
        ++finished;
        return Done{};
    };
    EXPECT_FALSE(run_cells(job).ok());
    EXPECT_EQ(finished, 1);
}

TEST(Trace, KeepsEndsAndPeaks)
{
    const std::uint64_t steps = 100000;
    Trace trace(steps, 100);
    for (std::uint64_t i = 0; i <= steps; ++i)
        trace.add(Real(i), i == 54321 ? 7.0 : i == 12345 ? NAN : std::sin(Real(i) * 1e-4));
    const auto samples = trace.samples();
    EXPECT_LE(samples.size(), 204u);
    EXPECT_EQ(samples.front().time, 0);
    EXPECT_EQ(samples.back().time, Real(steps));
    const auto spike = std::max_element(samples.begin(), samples.end(),
                                        [](auto& a, auto& b) { return a.value < b.value; });
    EXPECT_EQ(spike->time, 54321);
    for (std::size_t i = 1; i < samples.size(); ++i)
        EXPECT_GT(samples[i].time, samples[i - 1].time);
}

TEST(Trace, OfAShortRunIsComplete)
{
    Trace trace(10);
    for (int i = 0; i <= 10; ++i) trace.add(i, i * i);
    EXPECT_EQ(trace.samples().size(), 11u);
    EXPECT_TRUE(Trace(10).samples().empty());
}

}  // namespace
}  // namespace taut::test

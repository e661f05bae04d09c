// Chains in four pieces: where they are cut, that they are solved, and that nobody sees who solved them.
#include "linalg/stretches/stretch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "linalg/block_ldlt.h"
#include "linalg/saddle_ops.h"
#include "linalg/samples/oracle.h"
#include "linalg/samples/sample_systems.h"

namespace taut::linalg {
namespace {

using test::Mechanism;
using test::Sample;

// Arms on one body: of `links` links each, joints of so many rows, the ends of the arms heavy.
Sample star(unsigned seed, int links, int rows, Real ratio, Real compliance, int arms = 3)
{
    Mechanism m(seed);
    m.add_body(Vec3::Zero(), 1);
    for (int arm = 0; arm < arms; ++arm) {
        Vec3 end = Vec3::Zero();
        int previous = 0;
        for (int i = 0; i < links; ++i) {
            const Vec3 half = 0.25 * (m.vector(1) + Vec3(arm % 3 - 1, arm % 2, 0)).normalized();
            const int body = m.add_body(end + half, i + 1 == links ? ratio : 1);
            Mechanism::Block axes(rows - 3, 3);
            for (int r = 0; r < rows - 3; ++r) axes.row(r) = m.vector(1).normalized();
            m.add_joint(previous, body, end, Mat3::Identity(), axes, compliance);
            previous = body;
            end += 2 * half;
        }
    }
    m.add_stiffness(0.1);
    return m.finish("star");
}

std::vector<Stretch> stretches_of(const Sample& sample)
{
    return find_stretches(*sample.pattern, find_spanning_forest(*sample.pattern));
}

struct Solved {
    SaddleSolution solution;
    BlockLdlt::Report report;
};

Solved solve(const Sample& sample, const kernels::Tables& tables = kernels::best_tables())
{
    Solved out;
    out.solution.prepare(*sample.pattern);
    BlockLdlt ldlt;
    ldlt.prepare(*sample.pattern, tables);
    out.report = ldlt.factor_and_solve(sample.system, out.solution.x, out.solution.y);
    return out;
}

Real residual(const Sample& sample, const SaddleSolution& solution)
{
    Residual left;
    left.prepare(*sample.pattern);
    return left.measure(sample.system, solution.x, solution.y);
}

TEST(Stretches, AreFourPiecesOfEqualLengthThatMeetInJoints)
{
    // the tip hangs on one joint only and stays; of 102 bodies two are left over
    const Sample sample = test::chain(1, 103, 3, 10, 0);
    const auto found = stretches_of(sample);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rows, 3);
    EXPECT_EQ(found[0].links.size(), 25u);
    std::set<int> nodes(found[0].eliminated.begin(), found[0].eliminated.end());
    EXPECT_EQ(nodes.size(), 4u * (25 + 24));
    for (int lane = 0; lane < 3; ++lane) EXPECT_EQ(found[0].after[lane], found[0].before[lane + 1]);
    const int primals = static_cast<int>(sample.pattern->primals.size());
    for (int lane = 0; lane < 4; ++lane) {
        EXPECT_EQ(nodes.count(primals + found[0].after[lane]), 0u);
        EXPECT_EQ(nodes.count(primals + found[0].before[lane]), 0u);
    }
    EXPECT_EQ(found[0].after[3], 0);  // the joint to the ground
}

TEST(Stretches, LongChainsHaveSeveral)
{
    const auto found = stretches_of(test::chain(1, 2001, 5, 10, 0));
    ASSERT_EQ(found.size(), 3u);
    for (const Stretch& stretch : found) EXPECT_EQ(stretch.links.size(), 2000u / 12);
}

TEST(Stretches, LeaveAloneWhatIsShortOrClosedOrOfOtherSizes)
{
    EXPECT_TRUE(stretches_of(test::chain(1, 20, 3, 10, 0)).empty());
    EXPECT_FALSE(stretches_of(test::chain(1, 21, 3, 10, 0)).empty());
    EXPECT_TRUE(stretches_of(test::chain(1, 100, 2, 10, 0)).empty());
    EXPECT_TRUE(stretches_of(test::chain(1, 100, 6, 10, 0)).empty());
    EXPECT_TRUE(stretches_of(test::ring(1, 100, 0, 10, 0)).empty());
    EXPECT_EQ(stretches_of(star(1, 30, 4, 10, 0)).size(), 3u);
}

// Without refinement. Of a load of a million a chain of 40 links leaves some digits, in any order.
TEST(Stretches, AreSolved)
{
    for (int rows = 3; rows <= 5; ++rows)
        for (const int links : {21, 23, 41})
            for (const Real ratio : {1.0, 1e6}) {
                const auto seed = static_cast<unsigned>(rows * links);
                const Sample sample = links == 41 ? test::chain(seed, links, rows, ratio, 0)
                                                  : star(seed, links, rows, ratio, 1e-9);
                EXPECT_EQ(stretches_of(sample).empty(), rows == 4 && links == 41);  // welds there
                const Solved solved = solve(sample);
                const auto distance = test::Oracle(sample.system, false).distance(solved.solution);
                EXPECT_LT(distance.x, 1e-9) << rows << " rows, " << links << " links, " << ratio;
                EXPECT_LT(distance.y, 1e-9) << rows << " rows, " << links << " links, " << ratio;
                EXPECT_EQ(solved.report.negative_pivots, sample.pattern->dual_unknowns);
                EXPECT_EQ(solved.report.replaced_pivots, 0);
            }
}

TEST(Stretches, GiveTheSameBitsWithEveryKindOfKernelAndAnyNumberOfThreads)
{
    WorkerPool pool;
    for (const Sample& sample : {test::chain(3, 2000, 3, 1e6, 0),
                                 test::chain(4, 1500, 5, 100, 1e-9), star(5, 200, 4, 1e3, 1e-9)}) {
        const Solved plain = solve(sample, kernels::two_at_a_time);
        for (const int threads : {1, 2, 3}) {
            BlockLdlt ldlt;
            ldlt.prepare(*sample.pattern);
            ldlt.set_threads(Team(pool, threads));
            SaddleSolution out;
            out.prepare(*sample.pattern);
            const auto report = ldlt.factor_and_solve(sample.system, out.x, out.y);
            EXPECT_EQ(report.negative_pivots, sample.pattern->dual_unknowns);
            EXPECT_EQ(out.x, plain.solution.x) << threads;
            EXPECT_EQ(out.y, plain.solution.y) << threads;
            EXPECT_LT(residual(sample, out), 1e-10);

            // further right-hand sides
            SaddleSolution again;
            again.prepare(*sample.pattern);
            ldlt.solve(sample.system.f, sample.system.g, again.x, again.y);
            EXPECT_LT(residual(sample, again), 1e-10);
            if (threads > 1) continue;
            BlockLdlt other;
            SaddleSolution elsewhere;
            elsewhere.prepare(*sample.pattern);
            other.prepare(*sample.pattern, kernels::two_at_a_time);
            other.factor_and_solve(sample.system, elsewhere.x, elsewhere.y);
            other.solve(sample.system.f, sample.system.g, elsewhere.x, elsewhere.y);
            EXPECT_EQ(again.x, elsewhere.x);
            EXPECT_EQ(again.y, elsewhere.y);
        }
    }
}

// What is left beside the stretches is itself taken apart.
TEST(Stretches, GoTogetherWithPartsOfTheRest)
{
    WorkerPool pool;
    const Sample sample = star(6, 35, 5, 10, 1e-9, 150);
    const SpanningForest forest = find_spanning_forest(*sample.pattern);
    std::vector<int> ahead;
    for (const Stretch& stretch : find_stretches(*sample.pattern, forest))
        ahead.insert(ahead.end(), stretch.eliminated.begin(), stretch.eliminated.end());
    const auto order = split_into_parts(postordered(find_order(*sample.pattern, forest, ahead)));
    ASSERT_GT(order.ahead, 1000);
    ASSERT_GT(order.parts.size(), 2u);
    const Solved plain = solve(sample, kernels::two_at_a_time);
    EXPECT_EQ(plain.report.negative_pivots, sample.pattern->dual_unknowns);
    EXPECT_LT(residual(sample, plain.solution), 1e-10);
    for (const int threads : {1, 2, 3, 8}) {
        BlockLdlt ldlt;
        ldlt.prepare(*sample.pattern);
        ldlt.set_threads(Team(pool, threads));
        SaddleSolution out;
        out.prepare(*sample.pattern);
        ldlt.factor_and_solve(sample.system, out.x, out.y);
        EXPECT_EQ(out.x, plain.solution.x) << threads;
        EXPECT_EQ(out.y, plain.solution.y) << threads;
        ldlt.solve(sample.system.f, sample.system.g, out.x, out.y);
        EXPECT_LT(residual(sample, out), 1e-10) << threads;
    }
}

TEST(Stretches, CountNegativePivotsOfAnIndefiniteH)
{
    Sample sample = test::chain(5, 40, 3, 10, 1e-6);
    for (const int body : {7, 20, 33}) {
        const auto& primal = sample.pattern->primals[body];
        for (int r = 0; r < 6; ++r)
            for (int c = 0; c < 6; ++c) sample.system.H[primal.block + 6 * r + c] *= -1;
    }
    const int negative = test::count_negative_eigenvalues(sample.system);
    ASSERT_GT(negative, sample.pattern->dual_unknowns);
    EXPECT_EQ(solve(sample).report.negative_pivots, negative);
}

TEST(Stretches, RowOfZerosGetsAZeroMultiplierAndIsCounted)
{
    Sample sample = test::chain(3, 41, 3, 1, 0);
    auto& s = sample.system;
    const int dual = 17;
    const auto found = stretches_of(sample);
    const int node = static_cast<int>(sample.pattern->primals.size()) + dual;
    ASSERT_EQ(std::count(found[0].eliminated.begin(), found[0].eliminated.end(), node), 1);
    const auto& row = sample.pattern->duals[dual];
    for (int t = 0; t < row.touches; ++t)
        for (int c = 0; c < 6; ++c)
            s.J[sample.pattern->touches[row.first_touch + t].block + 6 + c] = 0;
    s.g[row.offset + 1] = 0;
    const Solved solved = solve(sample);
    EXPECT_EQ(solved.report.replaced_pivots, 1);
    EXPECT_EQ(solved.report.negative_pivots, sample.pattern->dual_unknowns);
    EXPECT_EQ(solved.solution.y[row.offset + 1], 0);
    EXPECT_LT(test::Oracle(s, true).distance(solved.solution).x, 1e-11);
}

TEST(Stretches, ANumberThatIsNoneIsNotHidden)
{
    Sample sample = test::chain(3, 41, 3, 1, 0);
    sample.system.f[6 * 20] = std::numeric_limits<Real>::quiet_NaN();
    const Solved solved = solve(sample);
    EXPECT_TRUE(std::isnan(solved.solution.x[0]));
}

}  // namespace
}  // namespace taut::linalg

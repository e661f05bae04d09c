// The factorisation itself: every kernel size, inertia, pivots that vanish, further right-hand sides.
#include "linalg/block_ldlt.h"

#include <gtest/gtest.h>

#include "linalg/saddle_ops.h"
#include "linalg/samples/oracle.h"
#include "linalg/samples/sample_systems.h"

namespace taut::linalg {
namespace {

struct Solved {
    SaddleSolution solution;
    BlockLdlt::Report report;
};

Solved solve(const test::Sample& sample)
{
    Solved out;
    out.solution.prepare(*sample.pattern);
    BlockLdlt ldlt;
    ldlt.prepare(*sample.pattern);
    out.report = ldlt.factor_and_solve(sample.system, out.solution.x, out.solution.y);
    return out;
}

void expect_solved(const test::Sample& sample, Real tolerance, unsigned seed)
{
    const Solved solved = solve(sample);
    const test::Distance distance = test::Oracle(sample.system, false).distance(solved.solution);
    EXPECT_LT(distance.x, tolerance) << "seed " << seed;
    EXPECT_LT(distance.y, tolerance) << "seed " << seed;
    EXPECT_EQ(solved.report.negative_pivots, sample.pattern->dual_unknowns) << "seed " << seed;
    EXPECT_EQ(solved.report.replaced_pivots, 0) << "seed " << seed;
}

// Well conditioned systems, no refinement: what remains is round-off, some 1e-15.
TEST(BlockLdlt, SolvesGraphsOfAllBlockSizes)
{
    for (unsigned seed = 1; seed <= 60; ++seed) {
        const test::Sample sample = test::random_blocks(seed, 3 + seed % 20, seed % 25);
        expect_solved(sample, 1e-13, seed);
    }
}

// Whichever kernels a machine gets. Graphs with loops and without, and a second right-hand side: all of them are called.
TEST(BlockLdlt, GivesTheSameBitsWithEveryKindOfKernel)
{
    if (&kernels::best_tables() == &kernels::two_at_a_time)
        GTEST_SKIP() << "this machine has one kind only";
    for (unsigned seed = 1; seed <= 60; ++seed)
        for (const unsigned duals : {0u, 2u, seed % 25}) {
            const test::Sample sample = test::random_blocks(seed, 3 + seed % 20, duals);
            BlockLdlt plain, best;
            plain.prepare(*sample.pattern, kernels::two_at_a_time);
            best.prepare(*sample.pattern);
            SaddleSolution a, b;
            a.prepare(*sample.pattern);
            b.prepare(*sample.pattern);
            const auto one = plain.factor_and_solve(sample.system, a.x, a.y);
            const auto other = best.factor_and_solve(sample.system, b.x, b.y);
            EXPECT_EQ(one.negative_pivots, other.negative_pivots) << "seed " << seed;
            EXPECT_EQ(a.x, b.x) << "seed " << seed;
            EXPECT_EQ(a.y, b.y) << "seed " << seed;

            const SaddleSolution first = a;  // as a right-hand side: any numbers
            plain.solve(first.x, first.y, a.x, a.y);
            best.solve(first.x, first.y, b.x, b.y);
            EXPECT_EQ(a.x, b.x) << "seed " << seed;
            EXPECT_EQ(a.y, b.y) << "seed " << seed;
        }
}

// Subtrees side by side: the same bits whoever works on them, and a solution.
TEST(BlockLdlt, GivesTheSameBitsOnAnyNumberOfThreads)
{
    WorkerPool pool;
    for (const test::Sample& sample :
         {test::tree(3, 1500, 100, 0, false), test::net(5, 30, 10, 1e-3)}) {
        SaddleSolution first;
        for (const int threads : {1, 2, 3}) {
            BlockLdlt ldlt;
            ldlt.prepare(*sample.pattern);
            ldlt.set_threads(Team(pool, threads));
            SaddleSolution out, again;
            out.prepare(*sample.pattern);
            again.prepare(*sample.pattern);
            const auto report = ldlt.factor_and_solve(sample.system, out.x, out.y);
            EXPECT_EQ(report.negative_pivots, sample.pattern->dual_unknowns);
            EXPECT_EQ(report.replaced_pivots, 0);
            if (threads == 1) first = out;
            EXPECT_EQ(out.x, first.x) << threads;
            EXPECT_EQ(out.y, first.y) << threads;
            ldlt.solve(sample.system.f, sample.system.g, again.x, again.y);
            const Real size = Eigen::Map<const Eigen::VectorXd>(out.x.data(), out.x.size()).norm();
            for (std::size_t k = 0; k < out.x.size(); ++k)
                ASSERT_NEAR(again.x[k], out.x[k], 1e-8 * size);
        }
        Residual left;
        left.prepare(*sample.pattern);
        EXPECT_LT(left.measure(sample.system, first.x, first.y), 1e-9);
    }
}

// Chains of every pair of sizes go through the kernel for nodes with one neighbour.
TEST(BlockLdlt, SolvesChainsOfEveryPairOfSizes)
{
    for (int n = 1; n <= 6; ++n)
        for (int m = 1; m <= 6; ++m) {
            test::Mechanism random(static_cast<unsigned>(10 * n + m));
            test::Sample sample;
            auto& p = *sample.pattern;
            for (int i = 0; i < 5; ++i) p.add_primal(n);
            for (int i = 0; i < 4; ++i) {
                const int both[] = {i, i + 1};
                p.add_dual(m, both);
            }
            auto& s = sample.system;
            s.prepare(p);
            for (auto* values : {&s.J, &s.f, &s.g})
                for (Real& value : *values) value = random.uniform(-1, 1);
            for (Real& value : s.sigma) value = random.uniform(0.1, 1);
            for (const auto& primal : p.primals)
                for (int r = 0; r < n; ++r)
                    for (int c = 0; c < n; ++c)
                        s.H[primal.block + r * n + c] = r == c ? 3 : Real(1) / (1 + r + c);
            const test::Distance distance = test::Oracle(s, false).distance(solve(sample).solution);
            EXPECT_LT(distance.x, 1e-13) << n << " by " << m;
            EXPECT_LT(distance.y, 1e-13) << n << " by " << m;
        }
}

TEST(BlockLdlt, FurtherRightHandSidesGiveTheSameAsTheFirst)
{
    for (const test::Sample& sample :
         {test::random_blocks(5, 15, 20), test::chain(2, 9, 5, 10, 1e-6)}) {
        Solved first = solve(sample);
        BlockLdlt ldlt;
        ldlt.prepare(*sample.pattern);
        SaddleSolution again;
        again.prepare(*sample.pattern);
        ldlt.factor_and_solve(sample.system, again.x, again.y);
        ldlt.solve(sample.system.f, sample.system.g, again.x, again.y);
        const test::Oracle oracle(sample.system, false);
        EXPECT_LT(oracle.distance(again).x, 1e-13);
        EXPECT_LT(oracle.distance(again).y, 1e-13);
        EXPECT_LT(oracle.distance(first.solution).x, 1e-13);
    }
}

TEST(BlockLdlt, CountsNegativePivotsOfAnIndefiniteH)
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        test::Sample sample = test::random_blocks(seed, 10, 12);
        for (int k = 0; k < 3; ++k) {
            const auto& primal = sample.pattern->primals[3 * k];
            for (int r = 0; r < primal.size; ++r)
                sample.system.H[primal.block + r * (primal.size + 1)] *= -1;
        }
        // inertia is a property of the matrix: eigenvalues tell the same
        const int negative = test::count_negative_eigenvalues(sample.system);
        ASSERT_GT(negative, sample.pattern->dual_unknowns);
        EXPECT_EQ(solve(sample).report.negative_pivots, negative) << "seed " << seed;
    }
}

TEST(BlockLdlt, RowOfZerosGetsAZeroMultiplierAndIsCounted)
{
    test::Sample sample = test::chain(3, 6, 3, 1, 0);
    auto& s = sample.system;
    const auto& dual = sample.pattern->duals[2];
    for (int t = 0; t < dual.touches; ++t)
        for (int c = 0; c < 6; ++c)
            s.J[sample.pattern->touches[dual.first_touch + t].block + 6 + c] = 0;
    s.g[dual.offset + 1] = 0;
    const Solved solved = solve(sample);
    EXPECT_EQ(solved.report.replaced_pivots, 1);
    EXPECT_EQ(solved.report.negative_pivots, sample.pattern->dual_unknowns);
    EXPECT_EQ(solved.solution.y[dual.offset + 1], 0);
    const test::Distance distance = test::Oracle(s, true).distance(solved.solution);
    EXPECT_LT(distance.x, 1e-12);
    EXPECT_LT(distance.y, 1e-12);
}

TEST(BlockLdlt, RepeatedRowOfOneConstraintIsReplaced)
{
    test::Sample sample = test::chain(3, 6, 3, 1, 0);
    auto& s = sample.system;
    const auto& dual = sample.pattern->duals[2];
    for (int t = 0; t < dual.touches; ++t) {
        Real* const block = &s.J[sample.pattern->touches[dual.first_touch + t].block];
        std::copy_n(block, 6, block + 12);
    }
    s.g[dual.offset + 2] = s.g[dual.offset];
    const Solved solved = solve(sample);
    for (const Real y : solved.solution.y) ASSERT_TRUE(std::isfinite(y));
    EXPECT_EQ(solved.report.replaced_pivots, 1);
    EXPECT_LT(test::Oracle(s, true).distance(solved.solution).x, 1e-9);
}

TEST(BlockLdlt, MasslessDirectionStaysFinite)
{
    test::Sample sample = test::random_blocks(8, 4, 0);
    std::fill(sample.system.H.begin(), sample.system.H.end(), 0);
    const Solved solved = solve(sample);
    EXPECT_EQ(solved.report.replaced_pivots, sample.pattern->primal_unknowns);
    for (const Real x : solved.solution.x) EXPECT_EQ(x, 0);
}

// Soft rows may go before or after the bodies that they touch.
TEST(BlockLdlt, EarlyDualsAreButAnotherOrder)
{
    for (unsigned seed = 1; seed <= 60; ++seed) {
        const test::Sample sample = test::random_blocks(seed, 3 + seed % 20, seed % 25);
        for (std::size_t d = 0; d < sample.pattern->duals.size(); d += 1 + seed % 2)
            sample.pattern->duals[d].early = true;
        expect_solved(sample, 1e-12, seed);
    }
}

// A row of boxes, each held to the next by four points of three hard rows, which are twelve where six would do.
TEST(BlockLdlt, HardRedundantEarlyDualsAreRefined)
{
    test::Mechanism random(7);
    SaddlePattern p;
    constexpr int kBoxes = 6;
    for (int i = 0; i < kBoxes; ++i) p.add_primal(6);
    for (int i = 0; i < kBoxes; ++i)
        for (int corner = 0; corner < 4; ++corner) {
            const int both[] = {i - 1, i};
            p.add_dual(3, std::span(both).subspan(i == 0 ? 1 : 0), true);
        }
    SaddleSystem s;
    s.prepare(p);
    for (const auto& primal : p.primals)
        for (int r = 0; r < 6; ++r) s.H[primal.block + 7 * r] = r < 3 ? 1 : Real(0.1);
    for (std::size_t d = 0; d < p.duals.size(); ++d)
        for (int t = 0; t < p.duals[d].touches; ++t) {
            // v + ω × r at a corner, of the box above less that of the box below
            const auto& touch = p.touches[p.duals[d].first_touch + t];
            const bool above = touch.primal == static_cast<int>(d / 4);
            const Real sign = above ? 1 : -1, z = above ? -0.5 : 0.5;
            const Real x = d % 4 < 2 ? -0.5 : 0.5, y = d % 2 == 0 ? -0.5 : 0.5;
            const Real rows[3][6] = {{1, 0, 0, 0, z, -y}, {0, 1, 0, -z, 0, x}, {0, 0, 1, y, -x, 0}};
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 6; ++c) s.J[touch.block + 6 * r + c] = sign * rows[r][c];
        }
    for (Real& value : s.f) value = random.uniform(-1, 1);

    BlockLdlt ldlt;
    ldlt.prepare(p);
    SaddleSolution out, correction;
    out.prepare(p);
    correction.prepare(p);
    std::vector<Real> f(s.f.size()), g(s.g.size());
    ldlt.factor_and_solve(s, out.x, out.y, 1e-7);
    for (int round = 0; round < 3; ++round) {
        multiply(s, out.x, out.y, f, g);
        for (std::size_t k = 0; k < f.size(); ++k) f[k] = s.f[k] - f[k];
        for (std::size_t k = 0; k < g.size(); ++k) g[k] = s.g[k] - g[k];
        ldlt.solve(f, g, correction.x, correction.y);
        for (std::size_t k = 0; k < f.size(); ++k) out.x[k] += correction.x[k];
        for (std::size_t k = 0; k < g.size(); ++k) out.y[k] += correction.y[k];
    }
    multiply(s, out.x, out.y, f, g);
    for (std::size_t k = 0; k < f.size(); ++k) {
        EXPECT_NEAR(f[k], s.f[k], 1e-12);
        EXPECT_NEAR(out.x[k], 0, 1e-12) << "all are held to the ground";
    }
}

TEST(BlockLdlt, FillOfANetIsModest)
{
    const test::Sample sample = test::net(1, 10, 1, 0);
    BlockLdlt ldlt;
    ldlt.prepare(*sample.pattern);
    RecordProperty("fill_blocks", ldlt.fill_blocks());
    // nested dissection of the 282 nodes would leave about 282·log₂282 ≈ 2300 blocks
    EXPECT_LT(ldlt.fill_blocks(), 2300);
}

}  // namespace
}  // namespace taut::linalg

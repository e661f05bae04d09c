// The matrix as data, its product, and the measure of a residual.
#include "linalg/saddle_matrix.h"

#include <gtest/gtest.h>

#include "linalg/saddle_ops.h"
#include "linalg/samples/oracle.h"
#include "linalg/samples/sample_systems.h"

namespace taut::linalg {
namespace {

TEST(SaddlePattern, LaysBlocksOutWithoutGapsOrOverlap)
{
    SaddlePattern p;
    EXPECT_EQ(p.add_primal(6), 0);
    EXPECT_EQ(p.add_primal(3), 1);
    EXPECT_EQ(p.add_pair(1, 0), 0);
    const int both[] = {0, 1};
    EXPECT_EQ(p.add_dual(5, both), 0);
    EXPECT_EQ(p.add_dual(1, {}), 1);
    EXPECT_EQ(p.primal_unknowns, 9);
    EXPECT_EQ(p.dual_unknowns, 6);
    EXPECT_EQ(p.h_values, 36 + 9 + 18 + 18);
    EXPECT_EQ(p.pairs[0].block_ij, 45);
    EXPECT_EQ(p.pairs[0].block_ji, 63);
    EXPECT_EQ(p.j_values, 30 + 15);
    EXPECT_EQ(p.touches[1].block, 30);
    EXPECT_EQ(p.duals[1].offset, 5);
}

TEST(SaddlePattern, AddingAPairAgainReturnsTheFirst)
{
    SaddlePattern p;
    for (int i = 0; i < 3; ++i) p.add_primal(3);
    EXPECT_EQ(p.add_pair(0, 1), 0);
    EXPECT_EQ(p.add_pair(1, 2), 1);
    EXPECT_EQ(p.add_pair(1, 0), 0);
    EXPECT_EQ(p.pairs.size(), 2u);
    EXPECT_EQ(p.pairs[0].i, 0);
}

TEST(SaddleSystem, ClearsWhatIsBetweenTwoNodesAndNothingElse)
{
    test::Sample sample = test::random_blocks(1, 12, 15);
    SaddleSystem& system = sample.system;
    ASSERT_FALSE(sample.pattern->pairs.empty());
    for (Real& value : system.H) value = 1;
    system.clear_pairs();
    std::size_t zeros = 0, expected = 0;
    for (const Real value : system.H) zeros += value == 0;
    for (const auto& pair : sample.pattern->pairs)
        expected += 2 * sample.pattern->primals[pair.i].size * sample.pattern->primals[pair.j].size;
    EXPECT_EQ(zeros, expected);
    for (const auto& primal : sample.pattern->primals) EXPECT_EQ(system.H[primal.block], 1);
}

// Product, dense matrix and triplets are one matrix: equal up to the order of summation.
TEST(SaddleOps, ProductDenseAndTripletsAgree)
{
    for (const bool symmetric : {true, false})
        for (unsigned seed = 1; seed <= 10; ++seed) {
            test::Sample sample = test::random_blocks(seed, 12, 15);
            auto& s = sample.system;
            s.symmetric = symmetric;
            if (!symmetric)
                for (std::size_t k = 0; k < s.H.size(); ++k)
                    s.H[k] += 0.01 * static_cast<Real>(k % 7);

            const Eigen::MatrixXd dense = to_dense(s);
            EXPECT_EQ(dense.isApprox(dense.transpose(), 0), symmetric);
            const auto triplets = to_triplets(s);
            Eigen::MatrixXd summed = Eigen::MatrixXd::Zero(dense.rows(), dense.cols());
            for (const auto& t : triplets) summed(t.row(), t.col()) += t.value();
            EXPECT_EQ(summed, dense);

            SaddleSolution z;
            z.prepare(*sample.pattern);
            std::copy(s.f.rbegin(), s.f.rend(), z.x.begin());
            std::copy(s.g.rbegin(), s.g.rend(), z.y.begin());
            std::vector<Real> f(z.x.size()), g(z.y.size());
            multiply(s, z.x, z.y, f, g);
            Eigen::VectorXd unknowns = join(z.x, z.y);
            unknowns.tail(static_cast<Eigen::Index>(g.size())) *= -1;
            const Real error = (dense * unknowns - join(f, g)).norm();
            EXPECT_LT(error, 1e-14 * dense.norm() * unknowns.norm()) << "seed " << seed;

            // and its parts make the same product
            if (symmetric) {
                std::vector<Real> masses(f.size()), rows(g.size()), impulses(f.size(), 0);
                multiply_masses(s, z.x, masses);
                multiply_rows(s, z.x, rows);
                add_row_impulses(s, z.y, impulses);
                for (std::size_t i = 0; i < f.size(); ++i)
                    EXPECT_NEAR(masses[i] - impulses[i], f[i], 1e-12) << "seed " << seed;
                for (std::size_t i = 0; i < g.size(); ++i)
                    EXPECT_NEAR(rows[i] + s.sigma[i] * z.y[i], g[i], 1e-12) << "seed " << seed;
            }

            // the residual is the right-hand side less the product
            Residual residual;
            residual.prepare(*sample.pattern);
            residual.measure(s, z.x, z.y);
            for (std::size_t i = 0; i < f.size(); ++i)
                EXPECT_NEAR(residual.f()[i], s.f[i] - f[i], 1e-12) << "seed " << seed;
            for (std::size_t i = 0; i < g.size(); ++i)
                EXPECT_NEAR(residual.g()[i], s.g[i] - g[i], 1e-12) << "seed " << seed;

            SaddleSolution back;
            back.prepare(*sample.pattern);
            split(unknowns, back);
            EXPECT_EQ(back.x, z.x);
            EXPECT_EQ(back.y, z.y);
        }
}

TEST(Residual, IsRoundOffAtTheSolutionAndGrowsWithTheError)
{
    const test::Sample sample = test::chain(4, 8, 5, 100, 1e-8);
    const test::Oracle oracle(sample.system, false);
    SaddleSolution z;
    z.prepare(*sample.pattern);
    for (std::size_t i = 0; i < z.x.size(); ++i) z.x[i] = oracle.x(static_cast<int>(i));
    for (std::size_t i = 0; i < z.y.size(); ++i) z.y[i] = oracle.y(static_cast<int>(i));
    Residual residual;
    residual.prepare(*sample.pattern);
    EXPECT_LT(residual.measure(sample.system, z.x, z.y), 1e-14);
    z.x[0] *= 1 + 1e-6;
    const Real error = residual.measure(sample.system, z.x, z.y);
    EXPECT_GT(error, 1e-9);
    EXPECT_LT(error, 1e-5);
    z.x[0] = std::nan("");
    EXPECT_TRUE(std::isnan(residual.measure(sample.system, z.x, z.y)));
    z.x[0] = 0;
    z.y[0] = INFINITY;
    EXPECT_FALSE(std::isfinite(residual.measure(sample.system, z.x, z.y)));
}

// Σ|J x| of a body at rest is round-off. That must not count as an error of 100 %.
TEST(Residual, RestIsNotAnError)
{
    const test::Sample sample = test::table(10);
    SaddleSolution z;
    z.prepare(*sample.pattern);
    for (Real& y : z.y) y = -sample.system.f[2] / 4;
    z.x[2] = 1e-19;
    Residual residual;
    residual.prepare(*sample.pattern);
    EXPECT_LT(residual.measure(sample.system, z.x, z.y), 1e-14);
}

// Metres become millimetres: the measure stays what it is.
TEST(Residual, DoesNotDependOnUnits)
{
    test::Sample sample = test::chain(7, 4, 3, 10, 1e-9);
    SaddleSolution z;
    z.prepare(*sample.pattern);
    for (std::size_t i = 0; i < z.x.size(); ++i) z.x[i] = std::sin(static_cast<Real>(i));
    for (std::size_t i = 0; i < z.y.size(); ++i) z.y[i] = std::cos(static_cast<Real>(i));
    Residual residual;
    residual.prepare(*sample.pattern);
    const Real metres = residual.measure(sample.system, z.x, z.y);

    // linear unknowns times 1000, the rows of H and J to match; 1024 keeps the numbers exact
    auto& s = sample.system;
    const Real unit = 1024;
    for (const auto& primal : sample.pattern->primals)
        for (int r = 0; r < 6; ++r) {
            const Real row = r < 3 ? unit : 1;
            for (int c = 0; c < 6; ++c) s.H[primal.block + 6 * r + c] /= row * (c < 3 ? unit : 1);
            s.f[primal.offset + r] /= row;
            z.x[primal.offset + r] *= row;
        }
    for (std::size_t k = 0; k < s.J.size(); ++k)
        if (k % 6 < 3) s.J[k] /= unit;
    EXPECT_DOUBLE_EQ(residual.measure(s, z.x, z.y), metres);
}

}  // namespace
}  // namespace taut::linalg

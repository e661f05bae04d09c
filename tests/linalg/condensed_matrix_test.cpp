// Rows that are condensed into the blocks of their bodies.
#include "linalg/condensed_matrix.h"

#include <gtest/gtest.h>

#include <random>

#include <Eigen/Core>

#include "linalg/block_ldlt.h"
#include "linalg/saddle_ops.h"

namespace taut::linalg {
namespace {

// Two rigid bodies and a particle: early rows between all of them in either sequence, on one body alone, and a joint that stays.
struct Sample {
    SaddlePattern pattern;
    SaddleSystem system;
    std::vector<Eigen::MatrixXd> weights;  // per dual

    Sample()
    {
        const std::vector<int> sizes = {6, 6, 3};
        for (const int size : sizes) pattern.add_primal(size);
        pattern.add_pair(2, 0);  // a spring
        const auto add = [&](std::vector<int> touched, int rows, bool early) {
            pattern.add_dual(rows, touched, early);
        };
        add({0, 1}, 3, true);
        add({1, 0}, 3, true);
        add({0, 2}, 3, true);
        add({2, 1}, 3, true);
        add({1}, 3, true);
        add({2}, 3, true);
        add({0, 1}, 2, true);
        add({0, 1}, 3, false);
        system.prepare(pattern);
        std::mt19937 dice(7);
        std::uniform_real_distribution<Real> between(-1, 1);
        for (Real& value : system.J) value = between(dice);
        for (const auto& primal : pattern.primals)
            for (int r = 0; r < primal.size; ++r)
                for (int c = 0; c < primal.size; ++c)
                    system.H[primal.block + r * primal.size + c] = r == c ? 10 : 0.1 * (r + c);
        for (const auto& pair : pattern.pairs) {
            const int m = pattern.primals[pair.i].size, n = pattern.primals[pair.j].size;
            for (int r = 0; r < m; ++r)
                for (int c = 0; c < n; ++c)
                    system.H[pair.block_ij + r * n + c] = system.H[pair.block_ji + c * m + r] =
                        0.3 * between(dice);
        }
        for (const auto& dual : pattern.duals) {
            Eigen::MatrixXd T(dual.size, dual.size);
            for (int k = 0; k < T.size(); ++k) T.data()[k] = between(dice);
            weights.push_back(T.transpose() * T);
        }
    }

    // Rows of three with their weight, all others with its diagonal.
    void condense(CondensedMatrix& matrix) const
    {
        matrix.load(system);
        for (int d = 0; d < static_cast<int>(pattern.duals.size()); ++d) {
            if (!pattern.duals[d].early) continue;
            if (pattern.duals[d].size == 3)
                matrix.add_three(system, d, 0, weights[d].data());
            else
                for (int r = 0; r < pattern.duals[d].size; ++r)
                    matrix.add_one(system, d, r, weights[d](r, r));
        }
    }

    // H + JᵀA J of the early rows.
    Eigen::MatrixXd expected() const
    {
        const int n = pattern.primal_unknowns;
        const Eigen::MatrixXd all = to_dense(system);
        Eigen::MatrixXd sum = all.topLeftCorner(n, n);
        for (std::size_t d = 0; d < pattern.duals.size(); ++d) {
            const auto& dual = pattern.duals[d];
            if (!dual.early) continue;
            Eigen::MatrixXd A = weights[d];
            if (dual.size != 3) A = Eigen::MatrixXd(A.diagonal().asDiagonal());
            const Eigen::MatrixXd J = all.block(n + dual.offset, 0, dual.size, n);
            sum += J.transpose() * A * J;
        }
        return sum;
    }
};

TEST(CondensedMatrix, AddsTheProductOfEarlyRowsToTheBlocksOfTheirBodies)
{
    const Sample sample;
    CondensedMatrix matrix;
    matrix.prepare(sample.pattern);
    sample.condense(matrix);
    sample.condense(matrix);  // load() starts afresh
    const SaddlePattern& p = matrix.pattern();
    ASSERT_EQ(p.duals.size(), 1u);
    EXPECT_EQ(matrix.place_of(7), 0);
    EXPECT_EQ(matrix.place_of(0), -1);
    ASSERT_EQ(p.pairs.size(), 3u);  // of bodies, however many contacts they share
    const Eigen::MatrixXd expected = sample.expected();
    const auto expect_block = [&](int i, int j, int block) {
        const auto &a = p.primals[i], &b = p.primals[j];
        for (int r = 0; r < a.size; ++r)
            for (int c = 0; c < b.size; ++c)
                EXPECT_NEAR(matrix.system().H[block + r * b.size + c],
                            expected(a.offset + r, b.offset + c), 1e-13)
                    << i << " " << j << " " << r << " " << c;
    };
    for (int i = 0; i < 3; ++i) expect_block(i, i, p.primals[i].block);
    for (const auto& pair : p.pairs) expect_block(pair.i, pair.j, pair.block_ij);
}

TEST(CondensedMatrix, IsFactorisedByTheSameSolver)
{
    const Sample sample;
    CondensedMatrix matrix;
    matrix.prepare(sample.pattern);
    sample.condense(matrix);
    SaddleSystem& system = matrix.system();
    std::fill(system.sigma.begin(), system.sigma.end(), Real(1));
    for (std::size_t k = 0; k < system.f.size(); ++k) system.f[k] = 1 + 0.1 * static_cast<Real>(k);
    BlockLdlt ldlt;
    ldlt.prepare(matrix.pattern());
    SaddleSolution answer;
    answer.prepare(matrix.pattern());
    const BlockLdlt::Report report = ldlt.factor_and_solve(system, answer.x, answer.y, 0);
    EXPECT_EQ(report.negative_pivots, 3);  // of the joint
    const int n = sample.pattern.primal_unknowns;
    const Eigen::MatrixXd H = sample.expected();
    const Eigen::Map<const Eigen::VectorXd> x(answer.x.data(), n), f(system.f.data(), n);
    EXPECT_LE((H * x - f).cwiseAbs().maxCoeff(), 1e-12);  // J of the joint is zero here
}

}  // namespace
}  // namespace taut::linalg

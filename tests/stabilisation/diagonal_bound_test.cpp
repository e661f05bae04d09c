// Which diagonals do at least the work of K̃, and what M + hB is good for.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "constraints/samples.h"
#include "stabilisation/adaptive_damping.h"
#include "stabilisation/diagonal_bound.h"
#include "support/derivatives.h"

namespace taut::test {
namespace {

using linalg::SaddlePattern;
using test::make_samples;
using test::MatrixXd;
using test::Random;
using test::stiffness_of;
using test::VectorXd;

// K of all bodies, on a pattern with every pair.
struct BlockMatrix {
    SaddlePattern pattern;
    std::vector<Real> values;

    explicit BlockMatrix(const MatrixXd& K)
    {
        const int nodes = static_cast<int>(K.rows() / 6);
        for (int b = 0; b < nodes; ++b) pattern.add_primal(6);
        for (int i = 0; i < nodes; ++i)
            for (int j = i + 1; j < nodes; ++j) pattern.add_pair(j, i);
        values.assign(pattern.h_values, 0);
        const auto put = [&](int at, int i, int j) {
            for (int r = 0; r < 6; ++r)
                for (int c = 0; c < 6; ++c) values[at + 6 * r + c] = K(6 * i + r, 6 * j + c);
        };
        for (int b = 0; b < nodes; ++b) put(pattern.primals[b].block, b, b);
        for (const auto& pair : pattern.pairs) {
            put(pair.block_ij, pair.i, pair.j);
            put(pair.block_ji, pair.j, pair.i);
        }
    }
};

VectorXd column_norms_of(const MatrixXd& K)
{
    const BlockMatrix blocks(K);
    VectorXd k(K.rows());
    column_norms(blocks.pattern, blocks.values, {k.data(), std::size_t(k.size())});
    return k;
}

VectorXd gershgorin_of(const MatrixXd& K)
{
    const BlockMatrix blocks(K);
    VectorXd k(K.rows());
    gershgorin(blocks.pattern, blocks.values, {k.data(), std::size_t(k.size())});
    return k;
}

VectorXd block_bound_of(const MatrixXd& K, const MatrixXd& M)
{
    const BlockMatrix blocks(K), mass(M);
    VectorXd kappa(K.rows());
    block_bound(blocks.pattern, blocks.values, mass.values,
                {kappa.data(), std::size_t(kappa.size())});
    return kappa;
}

MatrixXd random_masses(int bodies, Random& random)
{
    MatrixXd M = MatrixXd::Zero(6 * bodies, 6 * bodies);
    for (int b = 0; b < bodies; ++b) {
        const Real mass = std::pow(Real(10), random.in(-1, 3));
        const Mat3 R = random.rotation();
        const Vec3 moments(random.in(0.01, 1), random.in(0.1, 1), random.in(0.1, 1));
        M.block<3, 3>(6 * b, 6 * b) = mass * Mat3::Identity();
        M.block<3, 3>(6 * b + 3, 6 * b + 3) = mass * (R * moments.asDiagonal() * R.transpose());
    }
    return M;
}

// Largest work of K̃ over that of the diagonal, over all v: largest eigenvalue of D^−½ |±sym K| D^−½.
Real worst_work(const MatrixXd& K, const MatrixXd& D)
{
    const MatrixXd S = (K + K.transpose()) / 2;
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen(S, D, Eigen::EigenvaluesOnly);
    return eigen.eigenvalues().cwiseAbs().maxCoeff();
}

// Zero entries of a diagonal are raised to almost nothing: a direction without work in either stays so.
MatrixXd as_matrix(const VectorXd& k) { return k.cwiseMax(1e-10 * k.maxCoeff()).asDiagonal(); }

template <class T>
class Bound : public testing::Test {};
TYPED_TEST_SUITE(Bound, test::TestTypes<test::Stiff>, test::TypeNames);

TYPED_TEST(Bound, GershgorinAndBlockDoAtLeastTheWorkOfTheStiffness)
{
    using T = TypeParam;
    Random random(test::kSeed);
    for (const auto& s : make_samples<T>()) {
        if (s.what != "random") continue;
        const MatrixXd K = stiffness_of(s.constraint, s.X, s.lambda);
        const MatrixXd M = random_masses(T::kBodies, random);
        const VectorXd kappa = block_bound_of(K, M), k = gershgorin_of(K);
        EXPECT_LE(worst_work(K, as_matrix(k)), 1 + 1e-9);
        MatrixXd bound = M;  // κ_a M_a, block by block
        for (int a = 0; a < M.rows(); a += 3)
            bound.block<3, 3>(a, a) *= std::max(kappa[a], 1e-10 * kappa.maxCoeff());
        EXPECT_LE(worst_work(K, bound), 1 + 1e-9);
    }
}

// [Andrews2017, eq. 12] says that the column norms bound the work. In how many poses they do not, and by how much.
TYPED_TEST(Bound, ColumnNormsAreNoBound)
{
    using T = TypeParam;
    int tried = 0, violated = 0;
    for (const auto& s : make_samples<T>()) {
        if (s.what != "random") continue;
        const MatrixXd K = stiffness_of(s.constraint, s.X, s.lambda);
        const VectorXd k = column_norms_of(K);
        EXPECT_LT((k - K.colwise().norm().transpose()).cwiseAbs().maxCoeff(), 1e-12 * k.maxCoeff());
        ++tried;
        violated += worst_work(K, as_matrix(k)) > 1 + 1e-6;
    }
    EXPECT_GT(violated, tried * 8 / 10);
}

// By random velocities, as a simulation would meet them: a few in a hundred, for a ball.
TEST(ColumnNorms, AreViolatedByRandomVelocities)
{
    std::srand(5);
    int violated = 0, tried = 0;
    Real worst = 0;
    for (const auto& s : make_samples<Ball>()) {
        if (s.what != "random") continue;
        const MatrixXd K = stiffness_of(s.constraint, s.X, s.lambda);
        const VectorXd k = column_norms_of(K), g = gershgorin_of(K);
        for (int i = 0; i < 100; ++i) {
            const VectorXd v = VectorXd::Random(12);
            const Real work = std::abs(v.dot(K * v)), bound = v.dot(k.cwiseProduct(v));
            ++tried;
            violated += work > bound * (1 + 1e-9);
            worst = std::max(worst, work / bound);
            ASSERT_LE(work, v.dot(g.cwiseProduct(v)) * (1 + 1e-9));
        }
    }
    EXPECT_GT(violated, tried / 100);
    EXPECT_LT(violated, tried / 4);
    EXPECT_GT(worst, 1.2);
}

// Turned and in millimetres it is the same bound; the column norms are not.
TEST(BlockBound, IsTheSameInEveryFrameAndUnit)
{
    Random random(test::kSeed);
    Real column_change = 0, unit_change = 0;
    for (const auto& s : make_samples<Weld>()) {
        if (s.what != "random") continue;
        const MatrixXd K = stiffness_of(s.constraint, s.X, s.lambda);
        const MatrixXd M = random_masses(2, random);
        MatrixXd Q = MatrixXd::Zero(12, 12), U = MatrixXd::Identity(12, 12);
        const Mat3 R = random.rotation();
        for (int a = 0; a < 12; a += 3) Q.block<3, 3>(a, a) = R;
        for (const int a : {3, 4, 5, 9, 10, 11}) U(a, a) = 1000;  // torques, in N mm per rad
        const VectorXd kappa = block_bound_of(K, M);
        const MatrixXd K_turned = Q * K * Q.transpose(), M_turned = Q * M * Q.transpose();
        EXPECT_LT((block_bound_of(K_turned, M_turned) - kappa).norm(), 1e-9 * kappa.norm());
        EXPECT_LT((block_bound_of(U * K * U, U * M * U) - kappa).norm(), 1e-9 * kappa.norm());

        // k/m of the rotational freedoms, by column norms
        const auto frequency = [](const MatrixXd& A, const MatrixXd& B) {
            return VectorXd(column_norms_of(A).cwiseQuotient(VectorXd(B.diagonal())));
        };
        const VectorXd here = frequency(K, M);
        column_change =
            std::max(column_change,
                     std::abs(frequency(K_turned, M_turned).minCoeff() / here.minCoeff() - 1));
        unit_change = std::max(
            unit_change,
            (frequency(U * K * U, U * M * U) - here).cwiseQuotient(here).cwiseAbs().maxCoeff());
    }
    EXPECT_GT(column_change, 0.2);
    EXPECT_GT(unit_change, 0.1);
}

// A particle has no rotation: three unknowns, one block.
TEST(BlockBound, ReadsParticles)
{
    SaddlePattern pattern;
    pattern.add_primal(3);
    pattern.add_primal(6);
    const auto& pair = pattern.pairs[pattern.add_pair(0, 1)];
    std::vector<Real> K(pattern.h_values, 0), M(pattern.h_values, 0), kappa(9);
    for (int r = 0; r < 3; ++r) {
        M[4 * r] = 4;
        K[4 * r] = 8;
        K[pair.block_ij + 6 * r + r] = K[pair.block_ji + 3 * r + r] = 6;
    }
    for (int r = 0; r < 6; ++r) M[pattern.primals[1].block + 7 * r] = 9;
    block_bound(pattern, K, M, kappa);
    for (int r = 0; r < 3; ++r) {
        EXPECT_NEAR(kappa[r], 3, 1e-14);      // 8/4 + 6/√36
        EXPECT_NEAR(kappa[3 + r], 1, 1e-14);  // 6/√36
        EXPECT_EQ(kappa[6 + r], 0);
    }
}

// --- M + hB ---

// Matrix form: x⁺ = x + hv⁺, (M + hB)v⁺ = Mv − hKx with K ≥ 0 is stable ⇔ 4M + 2hB − h²K ≥ 0.
Real growth(const MatrixXd& M, const MatrixXd& B, const MatrixXd& K, Real h)
{
    const Eigen::Index n = M.rows();
    const MatrixXd inverse = (M + h * B).inverse();
    MatrixXd step(2 * n, 2 * n);
    step.topRightCorner(n, n) = h * inverse * M;
    step.bottomRightCorner(n, n) = inverse * M;
    step.bottomLeftCorner(n, n) = -h * inverse * K;
    step.topLeftCorner(n, n) = MatrixXd::Identity(n, n) - h * h * inverse * K;
    return step.eigenvalues().cwiseAbs().maxCoeff();
}

// Blocks of taut links: K = −sym K̃ ≥ 0 of chains of ball joints under tension, as they hang.
TEST(InertialDamping, BoundsStabiliseWhereColumnNormsDoNot)
{
    Random random(test::kSeed);
    constexpr Real h = 0.01;
    int unstable = 0, left_by_columns = 0;
    for (int i = 0; i < 100; ++i) {
        MatrixXd K = MatrixXd::Zero(12, 12);
        const MatrixXd M = random_masses(2, random);
        for (int k = 0; k < 12; k += 3) {  // a positive matrix of rank 1 across every two blocks
            const VectorXd g = VectorXd::NullaryExpr(12, [&] { return random.normal(); });
            K += std::pow(Real(10), random.in(3, 6)) * g * g.transpose();
        }
        const auto damping = [&](const VectorXd& k) {
            VectorXd b(12);
            for (int r = 0; r < 12; ++r) b[r] = critical_damping(k[r], M(r, r), h, 1);
            return MatrixXd(b.asDiagonal());
        };
        MatrixXd blocks = M;
        const VectorXd kappa = block_bound_of(K, M);
        for (int a = 0; a < 12; a += 3)
            blocks.block<3, 3>(a, a) *= std::max(Real(0), h * h * kappa[a] - 4) / (2 * h);
        // round-off of eigenvalues in the unit circle: two of them meet at −1 on the edge
        constexpr Real kRoom = 1 + 1e-6;
        if (growth(M, MatrixXd::Zero(12, 12), K, h) > kRoom) ++unstable;
        if (growth(M, damping(column_norms_of(K)), K, h) > kRoom) ++left_by_columns;
        EXPECT_LE(growth(M, blocks, K, h), kRoom);
        // Gershgorin with inertia that is diagonal, as the freedom-by-freedom rule assumes
        const MatrixXd D = M.diagonal().asDiagonal();
        EXPECT_LE(growth(D, damping(gershgorin_of(K)), K, h), kRoom);
    }
    EXPECT_GT(unstable, 50);
    EXPECT_GT(left_by_columns, 0);
}

TEST(InertialDamping, MassMatrixStaysPositiveDefinite)
{
    Random random(test::kSeed);
    for (int i = 0; i < 500; ++i) {
        const MatrixXd M = random_masses(2, random);
        const Real h = std::pow(Real(10), random.in(-4, 0));
        const MatrixXd K = std::pow(Real(10), random.in(-3, 12)) * MatrixXd::Random(12, 12);
        MatrixXd damped = M;
        const VectorXd k = column_norms_of(K);
        for (int r = 0; r < 12; ++r)
            damped(r, r) += h * critical_damping(k[r], M(r, r), h, random.in(0, 2));
        EXPECT_EQ(Eigen::LLT<MatrixXd>(damped).info(), Eigen::Success);
        const Real least = Eigen::SelfAdjointEigenSolver<MatrixXd>(M).eigenvalues()[0];
        EXPECT_GE((damped - M).diagonal().minCoeff(), 0);
        EXPECT_GT(least, 0);
    }
}

}  // namespace
}  // namespace taut::test

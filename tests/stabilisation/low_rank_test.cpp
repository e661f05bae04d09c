// K̃ of every joint type is the sum of its factors, and the inverse by low-rank updates is the inverse.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/SVD>

#include "constraints/samples.h"
#include "linalg/woodbury.h"
#include "stabilisation/low_rank_factors.h"
#include "support/derivatives.h"

namespace taut::test {
namespace {

using linalg::DenseMatrix;
using linalg::RankTerm;
using linalg::SaddlePattern;
using test::make_samples;
using test::MatrixXd;
using test::Random;
using test::relative_error;
using test::stiffness_of;
using test::VectorXd;
using test::Worst;

constexpr Real kStep = 0.01;

template <class T>
RankFactors factors_of(const T& c, const Poses<T::kBodies>& X, const RowVector<T::kRows>& lambda)
{
    RankFactors factors;
    factor_stiffness(c, X, lambda, factors);
    return factors;
}

// a and b on all bodies of a constraint.
VectorXd padded(const parts::Pair& pair, const Vec12& v, int bodies)
{
    VectorXd out = VectorXd::Zero(6 * bodies);
    out.segment<6>(6 * pair.i) += v.head<6>();
    out.segment<6>(6 * pair.j) += v.tail<6>();
    return out;
}

MatrixXd sum_of(const RankFactors& factors, int bodies)
{
    MatrixXd K = MatrixXd::Zero(6 * bodies, 6 * bodies);
    for (int k = 0; k < factors.count; ++k) {
        const auto& [pair, a, b] = factors.term[k];
        K += padded(pair, a, bodies) * padded(pair, b, bodies).transpose();
    }
    return K;
}

// Masses over three decades, inertias of any shape.
Mat6 random_mass(Random& random)
{
    Mat6 M = Mat6::Zero();
    const Real mass = std::pow(Real(10), random.in(-1, 2));
    const Mat3 R = random.rotation();
    const Vec3 moments(random.in(0.1, 1), random.in(0.5, 1), random.in(0.5, 1));
    M.topLeftCorner<3, 3>() = mass * Mat3::Identity();
    M.bottomRightCorner<3, 3>() = mass * (R * moments.asDiagonal() * R.transpose());
    return M;
}

template <class T>
class LowRank : public testing::Test {};
TYPED_TEST_SUITE(LowRank, test::TestTypes<test::All>, test::TypeNames);

TYPED_TEST(LowRank, FactorsAddUpToTheExactStiffness)
{
    using T = TypeParam;
    Worst worst;
    for (const auto& s : make_samples<T>()) {
        const MatrixXd K = stiffness_of(s.constraint, s.X, s.lambda);
        const MatrixXd sum = sum_of(factors_of(s.constraint, s.X, s.lambda), T::kBodies);
        worst.see(relative_error(sum, K, 1e-12), s.what);
    }
    EXPECT_LT(worst.error, 1e-12) << worst;
}

TYPED_TEST(LowRank, NoTypeHasMoreTermsThanTheBoundSays)
{
    using T = TypeParam;
    for (const auto& s : make_samples<T>()) {
        const RankFactors factors = factors_of(s.constraint, s.X, s.lambda);
        EXPECT_LE(factors.count,
                  HasOwnFactors<T> ? RankFactors::kMostOfAType : RankFactors::kCapacity)
            << s.what;
        EXPECT_TRUE(factors.complete) << s.what;
    }
}

// What a new joint type gets that states no factors.
TEST(RowFactors, AddUpToTheStiffnessOfAnyPair)
{
    Worst worst;
    for (const auto& s : make_samples<Hinge>()) {
        StiffnessBlocks<2> K;
        K.set_zero();
        s.constraint.geometric_stiffness(s.X, s.lambda, K);
        RankFactors factors;
        add_row_factors(K, factors);
        EXPECT_TRUE(factors.complete) << s.what;
        worst.see(relative_error(sum_of(factors, 2), stiffness_of(s.constraint, s.X, s.lambda)),
                  s.what);
    }
    EXPECT_EQ(worst.error, 0) << worst;
}

RankFactors full()
{
    RankFactors factors;
    for (int k = 0; k < RankFactors::kCapacity; ++k) factors.add({}, Vec12::Ones(), Vec12::Ones());
    return factors;
}

TEST(RankFactorsDeathTest, ATermTooManyIsNotWritten)
{
    RankFactors factors = full();
    EXPECT_EQ(factors.count, RankFactors::kCapacity);
    EXPECT_TRUE(factors.complete);
    factors.add({}, Vec12::Zero(), Vec12::Ones());  // nothing: not counted
    EXPECT_TRUE(factors.complete);
#if TAUT_ASSERTS
    EXPECT_DEATH(factors.add({}, Vec12::Ones(), Vec12::Ones()), "count < kCapacity");
#else
    factors.add({}, Vec12::Ones(), Vec12::Ones());
    EXPECT_EQ(factors.count, RankFactors::kCapacity);
    EXPECT_FALSE(factors.complete);
#endif
}

// M − h²K̃ of two or three bodies, against a pivoted dense inverse.
TYPED_TEST(LowRank, InverseEqualsTheDenseOne)
{
    using T = TypeParam;
    Random random(test::kSeed);
    SaddlePattern pattern;
    std::vector<int> nodes;
    for (int b = 0; b < T::kBodies; ++b) nodes.push_back(pattern.add_primal(6));
    linalg::WoodburyInverse woodbury;
    Worst worst;
    for (const auto& s : make_samples<T>()) {
        MatrixXd H = -kStep * kStep * stiffness_of(s.constraint, s.X, s.lambda);
        std::vector<Real> base(pattern.h_values, 0);
        for (int b = 0; b < T::kBodies; ++b) {
            const Mat6 M = random_mass(random);
            std::copy_n(M.data(), 36, &base[pattern.primals[b].block]);
            H.block<6, 6>(6 * b, 6 * b) += M;
        }
        std::vector<RankTerm> terms;
        const RankFactors factors = factors_of(s.constraint, s.X, s.lambda);
        for (int k = 0; k < factors.count; ++k)
            append_term(pattern, nodes, factors.term[k], -kStep * kStep, terms);

        DenseMatrix inverse;
        ASSERT_TRUE(woodbury.compute(pattern, base, terms, inverse)) << s.what;
        // levers of a kilometre give matrices whose inverse has fewer digits
        const auto sizes = Eigen::JacobiSVD<MatrixXd>(H).singularValues();
        const Real rounding =
            std::numeric_limits<Real>::epsilon() * sizes(0) / sizes(sizes.size() - 1);
        worst.see(relative_error(inverse, Eigen::FullPivLU<MatrixXd>(H).inverse()) /
                      std::max(1e-10, rounding),
                  s.what);
    }
    EXPECT_LT(worst.error, 1) << worst;
}

// Term after term by Sherman and Morrison's formula, where no step on the way is singular.
TYPED_TEST(LowRank, RankOneUpdatesLeadToTheSameInverse)
{
    using T = TypeParam;
    Random random(test::kSeed);
    Worst worst;
    for (const auto& s : make_samples<T>()) {
        if (s.what != "random") continue;
        const int n = 6 * T::kBodies;
        DenseMatrix H = DenseMatrix::Zero(n, n);
        for (int b = 0; b < T::kBodies; ++b) H.block<6, 6>(6 * b, 6 * b) = random_mass(random);
        DenseMatrix inverse = H.inverse();
        const RankFactors factors = factors_of(s.constraint, s.X, s.lambda);
        for (int k = 0; k < factors.count; ++k) {
            const auto& [pair, a, b] = factors.term[k];
            ASSERT_TRUE(linalg::add_rank_one(inverse, padded(pair, a, T::kBodies),
                                             padded(pair, b, T::kBodies), -kStep * kStep));
        }
        H -= kStep * kStep * stiffness_of(s.constraint, s.X, s.lambda);
        worst.see(relative_error(inverse, MatrixXd(H).inverse()), s.what);
    }
    EXPECT_LT(worst.error, 1e-10) << worst;
}

// --- many bodies: the band ---

// A chain whose coupling terms come in random order, some nodes particles, a loop closed or not.
void expect_chain_inverse(unsigned seed, int bodies, bool closed)
{
    Random random(seed);
    SaddlePattern pattern;
    std::vector<int> nodes;
    for (int b = 0; b < bodies; ++b) nodes.push_back(pattern.add_primal(b % 4 == 3 ? 3 : 6));
    std::vector<Real> base(pattern.h_values, 0);
    MatrixXd H = MatrixXd::Zero(pattern.primal_unknowns, pattern.primal_unknowns);
    for (const auto& node : pattern.primals) {
        const Mat6 M = random_mass(random);
        for (int r = 0; r < node.size; ++r)
            for (int c = 0; c < node.size; ++c) {
                base[node.block + r * node.size + c] = M(r, c);
                H(node.offset + r, node.offset + c) = M(r, c);
            }
    }
    std::vector<RankTerm> terms;
    const auto couple = [&](int i, int j) {
        for (int k = 0; k < 3; ++k) {
            RankFactor factor{{0, 1}, Vec12::Zero(), Vec12::Zero()};
            for (int c = 0; c < 12; ++c) {
                factor.a[c] = random.normal();
                factor.b[c] = random.normal();
            }
            const std::array<int, 2> pair = {i, j};
            append_term(pattern, pair, factor, 0.02, terms);
        }
    };
    for (int b = 0; b + 1 < bodies; ++b) couple(nodes[b], nodes[b + 1]);
    if (closed) couple(nodes.back(), nodes.front());
    couple(nodes[0], -1);  // to the ground: a term on one node
    for (std::size_t k = terms.size(); k > 1; --k)
        std::swap(terms[k - 1], terms[static_cast<std::size_t>(random.in(0, Real(k)))]);
    for (const RankTerm& t : terms) {
        VectorXd a = VectorXd::Zero(H.rows()), b = a;
        for (const int side : {0, 1}) {
            const int index = side == 0 ? t.i : t.j;
            if (index < 0) continue;
            const auto& node = pattern.primals[index];
            for (int c = 0; c < node.size; ++c) {
                a[node.offset + c] += t.a[6 * side + c];
                b[node.offset + c] += t.b[6 * side + c];
            }
        }
        H += a * b.transpose();
    }
    DenseMatrix inverse;
    ASSERT_TRUE(linalg::WoodburyInverse().compute(pattern, base, terms, inverse));
    EXPECT_LT(relative_error(inverse, H.inverse()), 1e-10)
        << bodies << " bodies, seed " << seed << (closed ? ", closed" : "");
}

TEST(Woodbury, InvertsChainsAndLoopsOfAllLengths)
{
    for (unsigned seed = 1; seed <= 20; ++seed)
        for (const int bodies : {2, 3, 10, 40}) {
            expect_chain_inverse(seed, bodies, false);
            if (bodies > 2) expect_chain_inverse(seed, bodies, true);
        }
}

TEST(Woodbury, SingularMatrixIsSaid)
{
    SaddlePattern pattern;
    pattern.add_primal(3);
    pattern.add_primal(3);
    const std::vector<Real> base = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    RankTerm term{0, 1, {}, {}};  // 1 − ½(e, e)(e, e)ᵀ has a zero
    term.a[0] = term.a[6] = -0.5;
    term.b[0] = term.b[6] = 1;
    DenseMatrix inverse;
    EXPECT_FALSE(linalg::WoodburyInverse().compute(pattern, base, std::array{term}, inverse));
}

// Single updates may meet a singular matrix between two regular ones: 1 − 1 = 0, and 0 + 2 = 2.
TEST(Woodbury, PassesWhereSingleUpdatesCannot)
{
    DenseMatrix inverse = DenseMatrix::Identity(6, 6);
    const VectorXd e = VectorXd::Unit(6, 0);
    EXPECT_FALSE(linalg::add_rank_one(inverse, e, e, -1));

    SaddlePattern pattern;
    pattern.add_primal(3);
    pattern.add_primal(3);
    const std::vector<Real> base = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    RankTerm down{0, 1, {}, {}}, up = down;
    down.a[0] = -1;
    up.a[0] = 2;
    down.b[0] = up.b[0] = 1;
    ASSERT_TRUE(linalg::WoodburyInverse().compute(pattern, base, std::array{down, up}, inverse));
    EXPECT_NEAR(inverse(0, 0), 0.5, 1e-15);
}

// --- what the paper prints ---

// [Andrews2017, eq. 6] leaves the factor −h²|s| out of the denominator.
TEST(PrintedFormulas, DenominatorOfEquation6NeedsItsFactor)
{
    const DenseMatrix M = VectorXd::LinSpaced(6, 1, 6).asDiagonal();
    const VectorXd a = VectorXd::Ones(6), b = VectorXd::LinSpaced(6, 0.5, 1);
    const Real c = 0.1;  // h²|s|
    const MatrixXd exact = MatrixXd(M - c * a * b.transpose()).inverse();
    const DenseMatrix start = M.inverse();
    const MatrixXd printed = start + c * start * a * b.transpose() * start / (1 + b.dot(start * a));
    DenseMatrix corrected = start;
    ASSERT_TRUE(linalg::add_rank_one(corrected, a, b, -c));
    EXPECT_LT(relative_error(corrected, exact), 1e-13);
    EXPECT_GT(relative_error(printed, exact), 0.02);
}

// [Andrews2017, App. B]: the second body of the ball gets the multipliers of the first one's basis.
TEST(PrintedFormulas, BallOfAppendixBMixesTheBasesOfTheBodies)
{
    Real printed_error = 0;
    for (const auto& s : make_samples<Ball>()) {
        if (s.what != "random") continue;
        const auto at =
            parts::points(s.X[0], s.constraint.frames[0], s.X[1], s.constraint.frames[1]);
        const auto block = [&](const Vec3& lever, const Vec3& lambda_basis_of) {
            const Vec3 e = lever.normalized(), f = lambda_basis_of.normalized();
            const Vec3 r = e.unitOrthogonal(), t = r.cross(e);
            const Vec3 r_other = f.unitOrthogonal(), t_other = r_other.cross(f);
            return Mat3(lever.norm() *
                        ((s.lambda.dot(r_other) * e - s.lambda.dot(e) * r) * r.transpose() +
                         (s.lambda.dot(t_other) * e - s.lambda.dot(e) * t) * t.transpose()));
        };
        EXPECT_LT(relative_error(block(at.s_j, at.s_j), skew_skew(s.lambda, at.s_j)), 1e-12);
        printed_error = std::max(
            printed_error, relative_error(block(at.s_j, at.s_i), skew_skew(s.lambda, at.s_j)));
    }
    EXPECT_GT(printed_error, 0.1);
}

TEST(PrintedFormulas, AxialLockOfAppendixBHasTheWrongSign)
{
    for (const auto& s : make_samples<AxialLock>()) {
        const MatrixXd K = stiffness_of(s.constraint, s.X, s.lambda);
        const Vec3 u = parts::axis(s.X[0], s.constraint.frames[0], 0);
        const Vec3 v = parts::axis(s.X[0], s.constraint.frames[0], 1);
        VectorXd u_i = VectorXd::Zero(12), v_i = u_i, u_j = u_i, v_j = u_i;
        u_i.segment<3>(3) = u_j.segment<3>(9) = u;
        v_i.segment<3>(3) = v_j.segment<3>(9) = v;
        const MatrixXd printed = s.lambda[0] * (-u_i * v_i.transpose() + v_i * u_i.transpose() +
                                                u_j * v_i.transpose() - v_j * u_i.transpose());
        EXPECT_LT(relative_error(-printed, K), 1e-12);
        EXPECT_GT(relative_error(printed, K), 1.9);
    }
}

// [Andrews2017, App. B]: two terms, which are short of λφ times (1, −1; −1, 1) where the axes are not square.
TEST(PrintedFormulas, DotOneOfAppendixBHoldsForSquareAxesOnly)
{
    Real worst_open = 0;
    for (const auto& s : make_samples<Dot1>()) {
        if (s.what != "random") continue;
        const Vec3 n = parts::axis(s.X[0], s.constraint.frames[0], 2);
        for (const bool square : {false, true}) {
            Vec3 u = parts::axis(s.X[1], s.constraint.frames[1], 0);
            if (square) u = (u - u.dot(n) * n).normalized();
            StiffnessBlocks<2> blocks;
            blocks.set_zero();
            parts::dot_1_stiffness(n, u, s.lambda[0], blocks);
            const MatrixXd K = test::full(blocks);
            VectorXd n_j = VectorXd::Zero(12), u_i = n_j, n_both = n_j, u_both = n_j;
            n_j.segment<3>(9) = n_both.segment<3>(9) = n;
            n_both.segment<3>(3) = -n;
            u_i.segment<3>(3) = u_both.segment<3>(3) = -u;
            u_both.segment<3>(9) = u;
            MatrixXd printed = s.lambda[0] * (u_both * n_j.transpose() + n_both * u_i.transpose());
            if (square) {
                EXPECT_LT(relative_error(printed, K), 1e-12);
                continue;
            }
            worst_open = std::max(worst_open, relative_error(printed, K));
            const Real lost = s.lambda[0] * n.dot(u);
            for (int k = 3; k < 6; ++k) {
                printed(k, k) -= lost;
                printed(k + 6, k + 6) -= lost;
                printed(k, k + 6) += lost;
                printed(k + 6, k) += lost;
            }
            EXPECT_LT(relative_error(printed, K), 1e-12);
        }
    }
    EXPECT_GT(worst_open, 0.5);
}

}  // namespace
}  // namespace taut::test

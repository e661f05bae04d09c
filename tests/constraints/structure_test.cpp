// Every type of the list: flags, tension form, invariance, counted turns, rank, rows at the mean pose, singular poses.
#include "samples.h"
#include "support/derivatives.h"

namespace taut::test {
namespace {

template <class T>
class Structure : public ::testing::Test {};
TYPED_TEST_SUITE(Structure, TestTypes<All>, TypeNames);

template <class T>
class Turns : public ::testing::Test {};
TYPED_TEST_SUITE(Turns, TestTypes<Counting>, TypeNames);

template <class T>
class MidpointRows : public ::testing::Test {};
TYPED_TEST_SUITE(MidpointRows, TestTypes<ExactAtMean>, TypeNames);

struct NamedProbe : Probe {
    std::string what;
};

template <class T>
std::vector<NamedProbe> probes()
{
    std::vector<NamedProbe> all;
    for (const Sample<T>& s : make_samples<T>())
        all.push_back({probe(s.constraint, s.X, s.memory, s.lambda),
                       s.what + ", seed " + std::to_string(kSeed)});
    return all;
}

// Largest entry between different bodies.
Real coupling(MatrixXd K)
{
    for (int b = 0; b < K.rows(); b += 6) K.block(b, b, 6, 6).setZero();
    return K.cwiseAbs().maxCoeff();
}

// Assembly leaves out blocks that the flags deny, so the flags must be exact: no entry where false,
// some entry where true.
TYPED_TEST(Structure, CouplingFlagsAreTrueToTheBlocks)
{
    Real stiffness = 0, tension = 0;
    for (const NamedProbe& c : probes<TypeParam>()) {
        stiffness = std::max(stiffness, coupling(c.stiffness));
        tension = std::max(tension, coupling(c.tension));
    }
    EXPECT_EQ(stiffness > 0, TypeParam::kStiffnessCouples);
    EXPECT_EQ(tension > 0, TypeParam::kTensionCouples);
}

// Round-off of eigenvalues is 1e-15 of the largest entry.
void check_positive(const NamedProbe& c)
{
    const MatrixXd& G = c.tension;
    const Real size = G.cwiseAbs().maxCoeff();
    ASSERT_LE((G - G.transpose()).cwiseAbs().maxCoeff(), 1e-14 * size) << c.what;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(G, Eigen::EigenvaluesOnly);
    ASSERT_GE(eigen.eigenvalues().minCoeff(), -1e-13 * size) << c.what;
}

TYPED_TEST(Structure, TensionFormIsSymmetricAndPositive)
{
    Real most = 0, largest_force = 0;
    for (const NamedProbe& c : probes<TypeParam>()) {
        ASSERT_NO_FATAL_FAILURE(check_positive(c));
        most = std::max(most, c.tension.cwiseAbs().maxCoeff());
        largest_force = std::max(largest_force, c.here.J.leftCols<3>().cwiseAbs().maxCoeff());
    }
    EXPECT_EQ(most > 0, largest_force > 0) << "torques have no tension form, forces have one";
}

// All bodies carried along by one rigid motion: nothing is measured but what is between them. Rows
// in world axes turn with the motion.
void check_rigid_motion(const NamedProbe& c, int world_rows, Random& random)
{
    const Mat3 R = random.rotation();
    const Vec3 p = random.vector();
    std::vector<BodyPose> Y = c.X;
    for (BodyPose& pose : Y) pose = {p + R * pose.p, R * pose.R};
    VectorXd expected = c.here.phi;
    if (world_rows == 3) expected.head<3>() = (R * expected.head<3>()).eval();
    // positions of a kilometre keep 1e-13 of a metre; nearly folded twists magnify by 800
    ASSERT_LE((c.at(Y).phi - expected).cwiseAbs().maxCoeff(), 1e-11) << c.what;
}

TYPED_TEST(Structure, RigidMotionOfAllBodiesIsNotSeen)
{
    Random random(kSeed);
    for (const NamedProbe& c : probes<TypeParam>())
        ASSERT_NO_FATAL_FAILURE(check_rigid_motion(c, TypeParam::kWorldRows, random));
}

// Internal forces: whatever λ, no net force; and no net moment, except that a force between two
// points apart, in world axes, turns them into line.
void check_balance(const NamedProbe& c, int world_rows)
{
    const VectorXd w = c.here.J.transpose() * c.lambda;
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (int b = 0; b < c.bodies; ++b) {
        force += w.segment<3>(6 * b);
        moment += w.segment<3>(6 * b + 3) + c.X[b].p.cross(w.segment<3>(6 * b));
    }
    if (world_rows == 3) moment -= Vec3(c.here.phi.head<3>()).cross(Vec3(c.lambda.head<3>()));
    const Real scale = w.cwiseAbs().maxCoeff();
    ASSERT_LE(force.norm(), 1e-14 * scale) << c.what;
    ASSERT_LE(moment.norm(), 1e-12 * scale) << c.what;
}

TYPED_TEST(Structure, ForcesOnAllBodiesBalance)
{
    for (const NamedProbe& c : probes<TypeParam>())
        ASSERT_NO_FATAL_FAILURE(check_balance(c, TypeParam::kWorldRows));
}

// Bodies turn about n through +20 and then to −20 turns in steps of 2.9 rad, slightly tilted.
TYPED_TEST(Turns, MemoryCountsTwentyTurnsBothWays)
{
    Random random(kSeed);
    auto s = make_sample<TypeParam>("turning", random, {});
    start(s.constraint, s.X, s.memory);
    ASSERT_NEAR(s.memory[0], 0, 1e-12);
    const auto& frames = s.constraint.frames;
    Real angle = 0;
    const auto turn_by = [&](Real step) {
        angle += step;
        for (int k = 1; k < TypeParam::kBodies; ++k)
            s.X[k] = placed(s.X[0], frames[2 * k - 2], frames[2 * k - 1],
                            {1e-3, angle, Vec3::Zero()}, {}, random);
        s.constraint.remember(s.X, s.memory);
        for (const Real remembered : s.memory) ASSERT_NEAR(remembered, angle, 1e-11);
    };
    while (angle < 20 * 2 * kPi) ASSERT_NO_FATAL_FAILURE(turn_by(2.9));
    while (angle > -20 * 2 * kPi) ASSERT_NO_FATAL_FAILURE(turn_by(-2.9));
}

// At poses where the joint holds, its rows are independent, and body 1 keeps 6 − rows freedoms. Of two
// stops one can hold.
TYPED_TEST(Structure, RowsAreIndependentWhereTheJointHolds)
{
    Random random(kSeed);
    for (int i = 0; i < 20; ++i) {
        const Vec3 d = TypeParam::kSingular.meeting_points ? random.vector() : Vec3(Vec3::Zero());
        auto s = make_sample<TypeParam>("holding", random, {0, 0, d});
        if constexpr (requires { s.constraint.length; }) s.constraint.length = d.norm();
        if constexpr (requires { s.constraint.lower; }) s.constraint.lower = 0;
        if constexpr (requires { s.constraint.radius_0; })
            s.constraint.radius_0 = s.constraint.radius_1 = d.norm() / 2;
        if constexpr (requires { s.constraint.rim; }) s.constraint.rim = 0;
        if constexpr (requires { s.constraint.slides; }) s.constraint.slides = {};
        start(s.constraint, s.X, s.memory);
        const Probe c = probe(s.constraint, s.X, s.memory, s.lambda);
        constexpr int rows = TypeParam::kHeldRows;
        if (TypeParam::kKind == RowKind::Position) {
            ASSERT_LE(c.here.phi.head(rows).cwiseAbs().maxCoeff(), 1e-14) << "seed " << kSeed;
        }
        const Eigen::JacobiSVD<MatrixXd> of_body_1(c.here.J.block(0, 6, rows, 6));
        ASSERT_GT(of_body_1.singularValues().tail<1>()[0], 1e-3) << "seed " << kSeed;
    }
}

// R⁺ = cay(θ) R, as in the midpoint scheme: R⁺s − Rs = θ × (R⁺s + Rs)/2 holds exactly.
Mat3 cayley(const Vec3& theta)
{
    const Mat3 half = skew(theta) / 2;
    return (Mat3::Identity() - half).inverse() * (Mat3::Identity() + half);
}

// The midpoint scheme keeps energy because the leading kMeanRows rows have J Δx = Δφ with J at the mean pose, where R is the plain
// mean of two rotations. Here bodies move far, so that a row that counts by mistake is off by much more than rounding.
TYPED_TEST(MidpointRows, MeanRowsHaveExactDifferences)
{
    using T = TypeParam;
    Random random(kSeed);
    for (int i = 0; i < 20; ++i) {
        auto s = make_sample<T>("moving", random, {0.3, 0.2, 0.1 * random.vector()});
        Poses<T::kBodies> mean, end;
        std::array<Vec3, T::kBodies> way, turn;
        for (int b = 0; b < T::kBodies; ++b) {
            way[b] = random.vector();
            turn[b] = random.in(0.3, 0.8) * random.direction();
            end[b] = {s.X[b].p + way[b], cayley(turn[b]) * s.X[b].R};
            mean[b] = {(s.X[b].p + end[b].p) / 2, (s.X[b].R + end[b].R) / 2};
        }
        Rows<T::kRows, T::kBodies> at_start, at_mean, at_end;
        s.constraint.evaluate(s.X, s.memory, at_start);
        s.constraint.evaluate(mean, s.memory, at_mean);
        s.constraint.evaluate(end, s.memory, at_end);
        for (int r = 0; r < T::kMeanRows; ++r) {
            Real predicted = 0;
            for (int b = 0; b < T::kBodies; ++b)
                predicted += at_mean.J[b].row(r).template head<3>().dot(way[b]) +
                             at_mean.J[b].row(r).template tail<3>().dot(turn[b]);
            // a few roundings of numbers of size 10
            ASSERT_NEAR(predicted, at_end.phi[r] - at_start.phi[r], 1e-13)
                << "row " << r
                << " is one of kMeanRows, and its J at the mean pose is not exact; seed " << kSeed;
        }
    }
}

// Where a row has no gradient it must still be a number: points that meet, axes opposed, half turns.
TYPED_TEST(Structure, SingularPosesGiveNumbers)
{
    Random random(kSeed);
    for (const Real swing : {kPi, kPi - 1e-9, kPi - 1e-15}) {
        for (const Real twist : {0.0, kPi}) {
            auto s = make_sample<TypeParam>("singular", random, {});
            const auto& frames = s.constraint.frames;
            for (int k = 1; k < TypeParam::kBodies; ++k)
                s.X[k] = placed(s.X[0], frames[2 * k - 2], frames[2 * k - 1],
                                {swing, twist, Vec3::Zero()}, {}, random);
            const Probe c = probe(s.constraint, s.X, s.memory, s.lambda);
            ASSERT_TRUE(c.here.phi.allFinite());
            ASSERT_TRUE(c.here.J.allFinite());
            ASSERT_TRUE(c.stiffness.allFinite());
            ASSERT_TRUE(c.tension.allFinite());
        }
    }
}

}  // namespace
}  // namespace taut::test

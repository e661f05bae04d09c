// What single types promise beyond the shared suites: signs, ranks, closed forms, constants.
#include "constraints/parts/dot.h"
#include "samples.h"
#include "support/derivatives.h"

namespace taut::test {
namespace {

template <class T>
VectorXd phi(const T& c, const Poses<T::kBodies>& X, const Memory<T::kMemory>& memory)
{
    return values_of(c, X, memory).phi;
}

int rank(const MatrixXd& J)
{
    Eigen::FullPivLU<MatrixXd> lu(J);
    lu.setThreshold(1e-10);
    return int(lu.rank());
}

Poses<2> apart(const Vec3& p_1, const Mat3& R_1 = Mat3::Identity()) { return {{{}, {p_1, R_1}}}; }

// Force along the lever: the tension form is then the exact stiffness.
TEST(Ball, TensionIsExactWhereForceAndLeverAreInLine)
{
    Random random(kSeed);
    for (int i = 0; i < 50; ++i) {
        Ball ball;
        const Vec3 along = random.direction();
        ball.frames[0].p = random.in(0.1, 2) * along;
        ball.frames[1].p = -random.in(0.1, 2) * along;
        const Poses<2> X = apart(ball.frames[0].p - ball.frames[1].p);
        const Vec3 lambda = random.in(0.1, 10) * along;  // pulls both bodies outwards
        const MatrixXd K = stiffness_of(ball, X, lambda);
        EXPECT_LE(relative_error(tension_of(ball, X, lambda), -(K + K.transpose()) / 2), 1e-14);
        EXPECT_EQ(tension_of(ball, X, -lambda).norm(), 0) << "compression contributes nothing";
    }
}

// Particles, i.e. points at the centres of mass: tension form = −K̃ when pulling.
TEST(Distance, TensionIsExactBetweenPullingParticles)
{
    Random random(kSeed);
    for (int i = 0; i < 50; ++i) {
        Distance link;
        link.length = 1;
        const Poses<2> X = apart(random.vector());
        const RowVector<1> pull(-random.in(0.1, 10));
        EXPECT_LE(relative_error(tension_of(link, X, pull), -stiffness_of(link, X, pull)), 1e-15);
        EXPECT_EQ(tension_of(link, X, -pull).norm(), 0);
        const MatrixXd K = stiffness_of(link, X, pull);
        EXPECT_EQ(K.middleCols(3, 3).norm() + K.middleCols(9, 3).norm(), 0) << "no rotational part";
    }
}

TEST(Distance, LengthIsTakenFromTheStartUnlessGiven)
{
    Memory<0> memory;
    Rod rod;
    rod.frames[0].p = {1, 0, 0};
    start(rod, apart({1, 3, 4}), memory);
    EXPECT_DOUBLE_EQ(rod.length, 5);
    Rod given;
    given.length = 2;
    start(given, apart({1, 3, 4}), memory);
    EXPECT_EQ(given.length, 2);
}

// u_i·n_j instead of u_i·v_j, as printed in [GS, App. A], follows from the tilt rows.
TEST(Prismatic, PrintedThirdRowLeavesATurnFreeAndOursDoesNot)
{
    Random random(kSeed);
    const auto s = make_sample<Prismatic>("holding", random, {});
    Rows<5, 2> rows;
    s.constraint.evaluate(s.X, s.memory, rows);
    MatrixXd J(5, 12);
    J << rows.J[0], rows.J[1];
    EXPECT_EQ(rank(J), 5);
    const Vec3 u_0 = parts::axis(s.X[0], s.constraint.frames[0], 0);
    const Vec3 n_1 = parts::axis(s.X[1], s.constraint.frames[1], 2);
    parts::dot_1_row(u_0, n_1, 2, rows);
    J << rows.J[0], rows.J[1];
    EXPECT_EQ(rank(J), 4);
}

TEST(Weld, HasRankSix)
{
    Random random(kSeed);
    const auto s = make_sample<Weld>("holding", random, {});
    EXPECT_EQ(rank(values_of(s.constraint, s.X, s.memory).J), 6);
}

// The rows of a bend are a rotation vector: its length is the angle, exactly, and twisting either
// frame about its own axis does not change that.
TEST(Bend, LengthOfTheRowsIsTheAngle)
{
    Random random(kSeed);
    for (int i = 0; i < 200; ++i) {
        const Real angle = random.in(0, kPi - 0.01);
        const auto s = make_sample<Bend>("bent", random, {angle, random.in(-3, 3), Vec3::Zero()});
        // acos(cos) near 0 and π loses half the digits, atan2 does not: 1e-14 / 0.01
        EXPECT_NEAR(phi(s.constraint, s.X, s.memory).norm(), std::min(angle, kPi - 0.05), 1e-12);
    }
}

TEST(Twist, PureBendingIsNotSeen)
{
    Random random(kSeed);
    for (int i = 0; i < 200; ++i) {
        const auto s = make_sample<TwistAngle>("bent", random, {random.in(0, 3), 0, Vec3::Zero()});
        EXPECT_NEAR(phi(s.constraint, s.X, s.memory)[0], 0, 1e-12);
    }
}

// An independent number: the log of twist 0.1 after bend 0.8 has 0.0946 along the axis, not 0.1.
TEST(RotationVector, DiffersFromTwistAtSecondOrder)
{
    RotationVector both;
    TwistAngle twist;
    const Mat3 turn = exp_so3(0.8 * Vec3::UnitX()) * exp_so3(0.1 * Vec3::UnitZ());
    const Poses<2> X = apart(Vec3::Zero(), turn);
    EXPECT_NEAR(phi(both, X, {})[2], 0.0946, 5e-5);
    EXPECT_NEAR(phi(twist, X, {0})[0], 0.1, 1e-15);
}

// The lock has no φ; where both axes are in line it is the rate of twist, body 0 against body 1.
TEST(AxialLock, IsTheTwistRateOfAlignedAxes)
{
    Random random(kSeed);
    for (int i = 0; i < 50; ++i) {
        const auto s =
            make_sample<AxialLock>("aligned", random, {0, random.in(-3, 3), Vec3::Zero()});
        TwistAngle twist;
        twist.frames = s.constraint.frames;
        const MatrixXd rate = jacobian_difference(probe(twist, s.X, {0}, s.lambda), 0.02);
        EXPECT_LE(relative_error(values_of(s.constraint, s.X, s.memory).J, -rate), 1e-8);
    }
}

TEST(Drives, RowsReadAsTheReadingsDo)
{
    // body 1 moved up by 2 and turned by +0.3 about z, the axis of both frames
    const Poses<2> X = apart({0, 0, 2}, exp_so3({0, 0, 0.3}));
    EXPECT_NEAR(phi(HingeMotor{}, X, {0})[0], 0.3, 1e-15);
    EXPECT_NEAR(phi(HingeServo{}, X, {0})[0], 0.3, 1e-15);
    EXPECT_NEAR(phi(SlideMotor{}, X, {})[0], 2, 1e-15);
    EXPECT_NEAR(phi(SlideServo{}, X, {})[0], 2, 1e-15);

    // positive λ drives body 1 that way
    EXPECT_EQ(values_of(SlideMotor{}, X, {}).J(0, 8), 1);
    EXPECT_EQ(values_of(HingeMotor{}, X, {0}).J(0, 11), 1);
}

TEST(Screw, PositivePitchIsARightHandThread)
{
    Screw screw;
    screw.pitch = 0.01;
    Memory<1> memory;
    start(screw, apart({0, 0, 0.5}), memory);
    // 2.25 turns on, 2.25 pitches up
    memory[0] = 2 * 2 * kPi;
    const Poses<2> X = apart({0, 0, 0.5225}, exp_so3({0, 0, kPi / 2}));
    EXPECT_NEAR(phi(screw, X, memory).norm(), 0, 1e-15);
}

TEST(Gear, WheelsOnParallelAxesTurnAgainstEachOther)
{
    Gear gear;
    gear.radius_1 = 1;
    gear.radius_2 = 2;
    Memory<2> memory;
    start(gear, {}, memory);
    const Poses<3> X = {
        {{}, {Vec3::Zero(), exp_so3({0, 0, 1})}, {Vec3::Zero(), exp_so3({0, 0, -0.5})}}};
    EXPECT_NEAR(phi(gear, X, memory)[0], 0, 1e-15);
}

TEST(RackAndPinion, RackMovesAlongItsAxisByRadiusTimesAngle)
{
    RackAndPinion rack;
    rack.radius = 0.2;
    Memory<1> memory;
    start(rack, {}, memory);
    const Poses<3> X = {
        {{}, {Vec3::Zero(), exp_so3({0, 0, 1.5})}, {{0, 0, 0.3}, Mat3::Identity()}}};
    EXPECT_NEAR(phi(rack, X, memory)[0], 0, 1e-15);
}

}  // namespace
}  // namespace taut::test

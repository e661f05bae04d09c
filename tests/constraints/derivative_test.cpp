// Every type of the list: J, K̃ and its symmetric part against differences.
#include "support/derivatives.h"

#include "samples.h"

namespace taut::test {
namespace {

void expect_within(const Worst& worst, Real bound)
{
    EXPECT_LE(worst.error, bound) << worst << ", seed " << kSeed;
    ::testing::Test::RecordProperty("worst",
                                    std::to_string(worst.error * 1e12) + "e-12 at " + worst.what);
}

template <class T>
class Derivatives : public ::testing::Test {};
TYPED_TEST_SUITE(Derivatives, TestTypes<All>, TypeNames);

template <class T>
class HolonomicDerivatives : public ::testing::Test {};
TYPED_TEST_SUITE(HolonomicDerivatives, TestTypes<Holonomic>, TypeNames);

// λ of the rows that K̃ is of: all, but for types that say otherwise (friction turns with no φ).
template <class T>
RowVector<T::kRows> geometric_part(RowVector<T::kRows> lambda)
{
    if constexpr (requires { T::kGeometricRows; })
        lambda.template tail<T::kRows - T::kGeometricRows>().setZero();
    return lambda;
}

// Worst error over all samples of a type.
template <class T, class Measure>
Worst worst_of(const Measure& error_at)
{
    Worst worst;
    for (const Sample<T>& s : make_samples<T>()) {
        const Probe c = probe(s.constraint, s.X, s.memory, geometric_part<T>(s.lambda));
        worst.see(error_at(c, s.step), s.what);
    }
    return worst;
}

MatrixXd symmetric(const MatrixXd& K) { return (K + K.transpose()) / 2; }

// Asked for: 1e-8. Differences themselves are good to 1e-10 (see derivatives.h).
TYPED_TEST(HolonomicDerivatives, JacobianEqualsDifferencesOfPhi)
{
    const auto error_at = [](const Probe& c, Real step) {
        constexpr int rows = geometric_rows<TypeParam>();
        return relative_row_error(c.here.J.topRows(rows),
                                  jacobian_difference(c, step).topRows(rows));
    };
    expect_within(worst_of<TypeParam>(error_at), 1e-8);
}

// Asked for: 1e-7. Without levers a ball's K̃ is zero: then the scale is that of λ.
TYPED_TEST(Derivatives, StiffnessEqualsDifferencesOfForce)
{
    const auto error_at = [](const Probe& c, Real step) {
        return relative_error(c.stiffness, stiffness_difference(c, step), 1e-6 * c.lambda.norm());
    };
    expect_within(worst_of<TypeParam>(error_at), 1e-7);
}

// Second differences lose twice the digits: longer steps, and K̃ that is small beside λ (tiny
// levers) counts relative to λ.
TYPED_TEST(HolonomicDerivatives, SymmetricStiffnessIsHessianOfLambdaPhi)
{
    const auto error_at = [](const Probe& c, Real step) {
        return relative_error(symmetric(c.stiffness), hessian_difference(c, 2 * step),
                              1e-3 * c.lambda.norm());
    };
    expect_within(worst_of<TypeParam>(error_at), 1e-7);
}

// K̃ − K̃ᵀ = −blockdiag(0, [τ_b]ₓ) with τ_b the constraint torque on body b: algebra, so round-off,
// magnified by up to 1/(1 + n_0·n_1) ≈ 800 on nearly folded twists.
TYPED_TEST(HolonomicDerivatives, AntisymmetricStiffnessIsTheTorque)
{
    const auto error_at = [](const Probe& c, Real) {
        const VectorXd force = c.here.J.transpose() * c.lambda;
        MatrixXd expected = MatrixXd::Zero(c.columns(), c.columns());
        for (int b = 0; b < c.bodies; ++b)
            expected.block<3, 3>(6 * b + 3, 6 * b + 3) = -skew(force.segment<3>(6 * b + 3));
        const Real scale = std::max(c.stiffness.cwiseAbs().maxCoeff(), c.lambda.norm());
        return relative_error(c.stiffness - c.stiffness.transpose(), expected, scale);
    };
    expect_within(worst_of<TypeParam>(error_at), 1e-11);
}

// Rows without φ: J of friction is the slip of the material of both bodies at the point where they
// touch, moved as parts of their bodies.
TEST(ContactDerivatives, TangentRowsAreTheSlipOfTheMaterial)
{
    Worst worst;
    for (const Sample<Contact>& s : make_samples<Contact>()) {
        const Probe c = probe(s.constraint, s.X, s.memory, s.lambda);
        const Mat3 Q = s.constraint.axes(s.X);
        const Vec3 centre = s.X[1].p + s.constraint.centres(s.X).at.s_j;
        Vec3 x = centre - s.constraint.radius_1 * Q.col(2);
        if (s.constraint.rim > 0) {  // down the slope of the disk
            const Vec3 axis = s.X[1].R * s.constraint.frames[1].R.col(2);
            x -= s.constraint.rim * (Q.col(2) - axis * axis.dot(Q.col(2))).normalized();
        }
        const auto slipped = [&](const VectorXd& w) {
            std::vector<BodyPose> Y = c.X;
            move(Y, w);
            const auto carried = [&](int b) {
                return Vec3(Y[b].p + Y[b].R * (c.X[b].R.transpose() * (x - c.X[b].p)));
            };
            return VectorXd(Q.leftCols<2>().transpose() * (carried(1) - carried(0)));
        };
        MatrixXd slip(2, c.columns());
        for (int k = 0; k < c.columns(); ++k) {
            const VectorXd e = VectorXd::Unit(c.columns(), k);
            slip.col(k) = first_derivative([&](Real t) { return slipped(t * e); }, s.step);
        }
        worst.see(relative_row_error(c.here.J.bottomRows(2), slip), s.what);
    }
    expect_within(worst, 1e-8);
}

// The suites of all types see centres that slide, one and both.
TEST(ContactDerivatives, SamplesHaveCentresThatSlide)
{
    int count[3] = {};
    for (const Sample<Contact>& s : make_samples<Contact>()) {
        const auto at = s.constraint.centres(s.X);
        ++count[at.slides_i + at.slides_j];
    }
    EXPECT_GT(count[1], 20);
    EXPECT_GT(count[2], 5);
}

// φ is the distance of two segments: no pair of points on them is nearer, and the nearest of a fine grid is as near.
TEST(ContactDerivatives, CentresThatSlideAreTheNearestOfTheirAxes)
{
    Random random(kSeed);
    for (int i = 0; i < 300; ++i) {
        Contact c;
        c.radius_0 = c.radius_1 = 0.1;
        Poses<2> X;
        for (auto& pose : X) pose = {random.vector(), random.rotation()};
        for (auto& slide : c.slides)
            slide = {random.direction(), -random.in(0, 1), random.in(0, 1)};
        const Vec3 axis_0 = X[0].R * c.slides[0].axis, axis_1 = X[1].R * c.slides[1].axis;
        const Real distance = c.centres(X).at.d.norm();
        Real nearest = 1e9;
        constexpr int kGrid = 100;
        for (int a = 0; a <= kGrid; ++a)
            for (int b = 0; b <= kGrid; ++b) {
                const auto on = [&](int k, int body) {
                    const auto& slide = c.slides[body];
                    return slide.low + (slide.high - slide.low) * k / kGrid;
                };
                const Vec3 d = X[0].p + on(a, 0) * axis_0 - X[1].p - on(b, 1) * axis_1;
                nearest = std::min(nearest, d.norm());
            }
        EXPECT_LE(distance, nearest + 1e-12);
        EXPECT_GE(distance, nearest - 2.0 / kGrid);  // points of the grid are 0.02 apart at most
    }
}

// … and K̃ does not ask for their λ.
TEST(ContactDerivatives, StiffnessIsThatOfTheNormalForce)
{
    for (const Sample<Contact>& s : make_samples<Contact>())
        ASSERT_EQ(stiffness_of(s.constraint, s.X, s.lambda),
                  stiffness_of(s.constraint, s.X, geometric_part<Contact>(s.lambda)))
            << s.what;
}

}  // namespace
}  // namespace taut::test

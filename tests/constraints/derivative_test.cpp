// Every type of the list: J, K̃ and its symmetric part against differences.
#include "support/derivatives.h"

#include "samples.h"

namespace taut::test {
namespace {

template <class T>
class Derivatives : public ::testing::Test {
protected:
    void expect_within(const Worst& worst, Real bound)
    {
        EXPECT_LE(worst.error, bound) << worst << ", seed " << kSeed;
        this->RecordProperty("worst", std::to_string(worst.error * 1e12) + "e-12 at " + worst.what);
    }
};

TYPED_TEST_SUITE(Derivatives, AsTestTypes<ConstraintTypes>::type, TypeNames);

// The required 1e-8. Differences themselves are good to 1e-11 or so (see derivatives.h).
TYPED_TEST(Derivatives, JacobianEqualsDifferencesOfPhi)
{
    if constexpr (TypeParam::kHolonomic) {
        Worst worst;
        for (const auto& s : make_samples<TypeParam>(kSeed)) {
            const MatrixXd J = jacobian_of(s.constraint, s.X, s.memory);
            const MatrixXd difference = jacobian_difference(s.constraint, s.X, s.memory, s.step);
            worst.see(relative_row_error(J, difference), s.what);
        }
        this->expect_within(worst, 1e-8);
    } else {
        GTEST_SKIP() << "has no φ";
    }
}

// The required 1e-7. Without levers a ball's K̃ is zero: then the scale is that of λ.
TYPED_TEST(Derivatives, StiffnessEqualsDifferencesOfForce)
{
    Worst worst;
    for (const auto& s : make_samples<TypeParam>(kSeed)) {
        const MatrixXd K = stiffness_of(s.constraint, s.X, s.lambda);
        const MatrixXd difference =
            stiffness_difference(s.constraint, s.X, s.memory, s.lambda, s.step);
        worst.see(relative_error(K, difference, 1e-6 * s.lambda.norm()), s.what);
    }
    this->expect_within(worst, 1e-7);
}

// Second differences lose twice the digits: longer steps, and K̃ that is small beside λ (tiny levers)
// counts relative to λ.
TYPED_TEST(Derivatives, SymmetricStiffnessIsHessianOfLambdaPhi)
{
    if constexpr (TypeParam::kHolonomic) {
        Worst worst;
        for (const auto& s : make_samples<TypeParam>(kSeed)) {
            const MatrixXd K = stiffness_of(s.constraint, s.X, s.lambda);
            const MatrixXd H =
                hessian_difference(s.constraint, s.X, s.memory, s.lambda, 2 * s.step);
            worst.see(relative_error((K + K.transpose()) / 2, H, 1e-3 * s.lambda.norm()), s.what);
        }
        this->expect_within(worst, 1e-7);
    } else {
        GTEST_SKIP() << "has no φ";
    }
}

// K̃ − K̃ᵀ = −blockdiag(0, [τ_b]ₓ) with τ_b the constraint torque on body b: algebra, so round-off,
// magnified by up to 1/(1 + n_0·n_1) ≈ 800 on nearly folded twists.
TYPED_TEST(Derivatives, AntisymmetricStiffnessIsTheTorque)
{
    if constexpr (TypeParam::kHolonomic) {
        Worst worst;
        for (const auto& s : make_samples<TypeParam>(kSeed)) {
            const MatrixXd K = stiffness_of(s.constraint, s.X, s.lambda);
            const VectorXd force = jacobian_of(s.constraint, s.X, s.memory).transpose() * s.lambda;
            MatrixXd expected = MatrixXd::Zero(K.rows(), K.cols());
            for (int b = 0; b < TypeParam::kBodies; ++b)
                expected.block<3, 3>(6 * b + 3, 6 * b + 3) = -skew(force.segment<3>(6 * b + 3));
            const Real scale = std::max(K.cwiseAbs().maxCoeff(), s.lambda.norm());
            worst.see(relative_error(K - K.transpose(), expected, scale), s.what);
        }
        this->expect_within(worst, 1e-11);
    } else {
        GTEST_SKIP() << "has no φ, the identity does not hold";
    }
}

}  // namespace
}  // namespace taut::test

// Rotations against closed forms in long double, and against each other.
#include "math/so3.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>
#include <vector>

namespace taut::test {
namespace {

constexpr unsigned kSeed = 20240229;
constexpr Real kPi = std::numbers::pi_v<Real>;
constexpr Real kRoundOff = 1e-15;

std::vector<Real> angles()
{
    std::vector<Real> all = {0, 1e-300, 1e-160, 1e-100, 1e-20, 1e-9, 1e-8, 1e-5, 9e-3, 1.1e-2, 0.1};
    for (Real x = 0.05; x < 6.2; x += 0.05) all.push_back(x);
    return all;
}

Vec3 direction(std::mt19937& engine)
{
    std::normal_distribution<Real> normal;
    return Vec3(normal(engine), normal(engine), normal(engine)).normalized();
}

// x/sin and friends by their Taylor series in long double where they cancel.
long double series(long double x, int first_factorial)
{
    long double term = 1, sum = 0;
    for (int k = 1; k <= first_factorial; ++k) term /= k;
    for (int k = 0; k < 60; ++k) {
        sum += term;
        term *= -x * x / ((first_factorial + 2 * k + 1) * (first_factorial + 2 * k + 2));
    }
    return sum;
}

TEST(So3, RatiosAreAccurateToRoundOffForAllAngles)
{
    for (const Real x : angles()) {
        EXPECT_NEAR(sinc(x) / Real(series(x, 1)), 1, x < 3 ? 4 * kRoundOff : 4e-14)
            << x;  // zero at π
        EXPECT_NEAR(versine_ratio(x) / Real(series(x, 2)), 1, x < 6 ? 4 * kRoundOff : 1e-13) << x;
        EXPECT_NEAR(sine_gap_ratio(x) / Real(series(x, 3)), 1, 4 * kRoundOff) << x;
    }
}

TEST(So3, SkewIsTheCrossProduct)
{
    const Vec3 a(1, 2, 3), b(-4, 5, 7);
    EXPECT_EQ(Vec3(skew(a) * b), a.cross(b));
    EXPECT_EQ(skew_skew(a, b), Mat3(skew(a) * skew(b)));
}

TEST(So3, ExponentialIsARotationAndAgreesWithTheQuaternion)
{
    std::mt19937 engine(kSeed);
    for (const Real angle : angles()) {
        const Vec3 theta = angle * direction(engine);
        const Mat3 R = exp_so3(theta);
        EXPECT_LE((R * R.transpose() - Mat3::Identity()).cwiseAbs().maxCoeff(), 2 * kRoundOff)
            << angle;
        EXPECT_LE((R - exp_quat(theta).toRotationMatrix()).cwiseAbs().maxCoeff(), 2 * kRoundOff)
            << angle;
        EXPECT_LE((R - Eigen::AngleAxis<Real>(
                           angle, angle > 1e-100 ? Vec3(theta / angle) : Vec3(Vec3::UnitX()))
                           .toRotationMatrix())
                      .cwiseAbs()
                      .maxCoeff(),
                  4 * kRoundOff)
            << angle;
    }
}

// Relative accuracy near zero, and full accuracy up to π, where acos and R − Rᵀ fail.
TEST(So3, LogarithmInvertsTheExponentialUpToHalfATurn)
{
    std::mt19937 engine(kSeed);
    std::vector<Real> tested = {kPi - 1e-3, kPi - 1e-6, kPi - 1e-9, kPi - 1e-12};
    for (const Real angle : angles())
        if (angle < kPi) tested.push_back(angle);
    for (const Real angle : tested) {
        for (int i = 0; i < 20; ++i) {
            const Vec3 theta = angle * direction(engine);
            // |θ| itself rounds: π − 1e-12 from a matrix keeps 1e-15 of π
            EXPECT_LE((log_so3(exp_quat(theta)) - theta).norm(), 4 * kRoundOff * angle) << angle;
            EXPECT_LE((log_so3(exp_so3(theta)) - theta).norm(), 8 * kRoundOff * angle) << angle;
        }
    }
}

TEST(So3, LogarithmOfHalfATurnIsOneOfItsTwoValues)
{
    std::mt19937 engine(kSeed);
    for (int i = 0; i < 200; ++i) {
        const Vec3 e = i < 3 ? Vec3(Vec3::Unit(i)) : direction(engine);
        const Vec3 log = log_so3(Mat3(2 * e * e.transpose() - Mat3::Identity()));
        EXPECT_LE(log.cross(kPi * e).norm(), 1e-13) << e.transpose();
        EXPECT_NEAR(log.norm(), kPi, 1e-14) << e.transpose();
    }
    EXPECT_EQ(log_so3(Mat3(Mat3::Identity())), Vec3(Vec3::Zero()));
    EXPECT_EQ(log_so3(Quat(-1, 0, 0, 0)).norm(), 0);
}

// Differences in θ of the rotation that leads from exp(θ) to exp(θ + δ).
TEST(So3, LeftJacobianIsTheDerivativeOfTheExponential)
{
    std::mt19937 engine(kSeed);
    for (const Real angle : angles()) {
        const Vec3 theta = angle * direction(engine);
        Mat3 difference;
        const Real h = 1e-3;
        for (int k = 0; k < 3; ++k) {
            const auto central = [&](Real s) {
                const auto to = [&](Real t) {
                    return log_so3(
                        Mat3(exp_so3(theta + t * Vec3::Unit(k)) * exp_so3(theta).transpose()));
                };
                return Vec3((to(s) - to(-s)) / (2 * s));
            };
            difference.col(k) = (4 * central(h / 2) - central(h)) / 3;
        }
        EXPECT_LE((left_jacobian(theta) - difference).cwiseAbs().maxCoeff(), 1e-11) << angle;
    }
}

TEST(So3, InverseJacobianIsTheInverse)
{
    std::mt19937 engine(kSeed);
    for (const Real angle : angles()) {
        const Vec3 theta = angle * direction(engine);
        const Mat3 product = left_jacobian_inverse(theta) * left_jacobian(theta);
        // the inverse grows without bound towards 2π
        const Real bound = angle < 5 ? 1e-14 : 1e-12;
        EXPECT_LE((product - Mat3::Identity()).cwiseAbs().maxCoeff(), bound) << angle;
    }
}

TEST(So3, InverseJacobianTermsAreSmoothAcrossTheSwitch)
{
    const auto below = inverse_jacobian_terms(1 - 1e-9), above = inverse_jacobian_terms(1 + 1e-9);
    EXPECT_NEAR(below.c / above.c, 1, 1e-8);
    EXPECT_NEAR(below.c_dot / above.c_dot, 1, 1e-8);
    for (const Real x : {0.3, 0.9, 1.1, 2.0, 3.0}) {  // ċ = (dc/dφ)/φ by differences
        const Real h = 1e-3;
        const auto central = [&](Real s) {
            return (inverse_jacobian_terms(x + s).c - inverse_jacobian_terms(x - s).c) / (2 * s);
        };
        EXPECT_NEAR(inverse_jacobian_terms(x).c_dot, (4 * central(h / 2) - central(h)) / 3 / x,
                    1e-11)
            << x;
    }
}

TEST(So3, UnwrapTakesTheNearestTurn)
{
    EXPECT_NEAR(unwrap(0.1, 2 * kPi * 20), 0.1 + 2 * kPi * 20, 1e-13);
    EXPECT_NEAR(unwrap(-3, 3), -3 + 2 * kPi, 1e-15);
    EXPECT_EQ(unwrap(0.5, 0.2), 0.5);
}

}  // namespace
}  // namespace taut::test

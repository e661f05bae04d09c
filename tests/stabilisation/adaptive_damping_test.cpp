// The scalar theory of adaptive damping: where the scheme is stable, and which printed formulas say so.
#include <cmath>
#include <complex>
#include <random>

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "stabilisation/adaptive_damping.h"

namespace taut::test {
namespace {

using Mat2 = Eigen::Matrix2d;

Real spectral_radius(const Mat2& A)
{
    const std::complex<Real> root =
        std::sqrt(std::complex<Real>(A.trace() * A.trace() / 4 - A.determinant()));
    return std::max(std::abs(A.trace() / 2 + root), std::abs(A.trace() / 2 - root));
}

// (m + hb) v⁺ = m v − h k x, x⁺ = x + h v⁺ on (x, v).
Mat2 implicit_damping(Real h, Real m, Real k, Real b)
{
    const Real total = m + h * b;
    return Mat2{{1 - h * h * k / total, h * m / total}, {-h * k / total, m / total}};
}

// [Andrews2017, eq. 8] with the entry (1, 2) mended: h − h²b/m.
Mat2 explicit_damping(Real h, Real m, Real k, Real b)
{
    return Mat2{{1 - h * h * k / m, h - h * h * b / m}, {-h * k / m, 1 - h * b / m}};
}

struct Oscillator {
    Real h, m, k;
    Real z() const { return h * h * k / m; }
};

// z = h²k/m spread over [low, high] on a logarithmic scale.
class Oscillators {
public:
    Oscillator next(Real low, Real high)
    {
        const Real h = log_uniform(1e-4, 1), m = log_uniform(1e-3, 1e3);
        return {h, m, log_uniform(low, high) * m / (h * h)};
    }
    Real log_uniform(Real low, Real high)
    {
        return std::exp(
            std::uniform_real_distribution<Real>(std::log(low), std::log(high))(random_));
    }

private:
    std::mt19937 random_{7};
};

// det = 1 without damping: below z = 4 both eigenvalues lie on the unit circle, above it one is outside.
TEST(StabilityThreshold, IsExactlyFour)
{
    Oscillators oscillators;
    for (int i = 0; i < 2000; ++i) {
        const Oscillator below = oscillators.next(1e-6, 4 * 0.99);
        EXPECT_NEAR(spectral_radius(implicit_damping(below.h, below.m, below.k, 0)), 1, 1e-12);
        const Oscillator above = oscillators.next(4 * 1.01, 1e6);
        EXPECT_GT(spectral_radius(implicit_damping(above.h, above.m, above.k, 0)), 1.1);
    }
}

TEST(CriticalDamping, IsZeroUpToTheThresholdAndGrowsFromThere)
{
    EXPECT_EQ(critical_damping(4, 1, 1, 1), 0);
    EXPECT_EQ(critical_damping(1, 1, 1, 1), 0);
    EXPECT_DOUBLE_EQ(critical_damping(6, 1, 1, 1), 1);
    EXPECT_DOUBLE_EQ(critical_damping(6, 1, 1, 0.5), 2);
    EXPECT_EQ(critical_damping(0, 1, 0.01, 1), 0);
}

// One eigenvalue is −1: on the edge, which one percent less damping leaves and one percent more does not.
TEST(CriticalDamping, AppliedImplicitlyPutsTheOscillatorOnTheEdge)
{
    Oscillators oscillators;
    for (int i = 0; i < 2000; ++i) {
        const auto [h, m, k] = oscillators.next(4.01, 1e6);
        const Real b = critical_damping(k, m, h, 1);
        ASSERT_GT(b, 0);
        EXPECT_NEAR(spectral_radius(implicit_damping(h, m, k, b)), 1, 1e-9);
        EXPECT_GT(spectral_radius(implicit_damping(h, m, k, 0.99 * b)), 1 + 1e-6);
        EXPECT_LE(spectral_radius(implicit_damping(h, m, k, 1.01 * b)), 1);
    }
}

TEST(CriticalDamping, AlphaBelowOneIsInsideAndAboveOneOutside)
{
    Oscillators oscillators;
    for (int i = 0; i < 2000; ++i) {
        const auto [h, m, k] = oscillators.next(10, 1e5);
        EXPECT_LT(spectral_radius(implicit_damping(h, m, k, critical_damping(k, m, h, 0.5))), 1);
        EXPECT_GT(spectral_radius(implicit_damping(h, m, k, critical_damping(k, m, h, 1.5))), 1);
    }
}

// [Andrews2017, eq. 8] applies the damping explicitly: there the same b makes matters worse, every time.
TEST(PrintedFormulas, DampingOfEquation11IsUnstableInTheSchemeOfEquation8)
{
    Oscillators oscillators;
    for (int i = 0; i < 2000; ++i) {
        const auto [h, m, k] = oscillators.next(4.01, 1e6);
        const Real b = critical_damping(k, m, h, 1);
        EXPECT_GT(spectral_radius(explicit_damping(h, m, k, b)), 1);
        EXPECT_GT(spectral_radius(explicit_damping(h, m, k, b)),
                  spectral_radius(explicit_damping(h, m, k, 0)));
    }
}

// The printed entry h − h b/m adds metres and seconds: it changes with the unit of time. The eigenvalues
// printed beneath are those of the mended matrix, all negated.
TEST(PrintedFormulas, MatrixOfEquation8IsNotThatOfItsEigenvalues)
{
    const Real h = 0.1, m = 2, k = 300, b = 1.5;
    const Real root = std::sqrt(std::complex<Real>(std::pow(h, 4) * k * k + 2 * b * h * h * h * k +
                                                   b * b * h * h - 4 * h * h * k * m))
                          .real();
    const Real imaginary =
        std::sqrt(std::complex<Real>(std::pow(h, 4) * k * k + 2 * b * h * h * h * k +
                                     b * b * h * h - 4 * h * h * k * m))
            .imag();
    const std::complex<Real> printed((h * h * k + b * h - 2 * m + root) / (2 * m),
                                     imaginary / (2 * m));
    const auto distance = [&](const Mat2& A, std::complex<Real> value) {
        return std::abs(value * value - A.trace() * value + A.determinant());
    };
    const Mat2 mended = explicit_damping(h, m, k, b);
    Mat2 as_printed = mended;
    as_printed(0, 1) = h - h * b / m;
    EXPECT_LT(distance(mended, -printed), 1e-12);
    EXPECT_GT(distance(mended, printed), 1e-2);
    EXPECT_GT(distance(as_printed, -printed), 1e-2);
}

// h²k/m − √(z² − 4z) ≤ 4 is true for every z ≥ 4, stable or not; with plus it is true at z = 4 alone.
TEST(PrintedFormulas, Equation9HoldsForEveryUnstableOscillator)
{
    Oscillators oscillators;
    for (int i = 0; i < 1000; ++i) {
        const Real z = oscillators.log_uniform(4.01, 1e4);
        EXPECT_LE(z - std::sqrt(z * z - 4 * z), 4);
        EXPECT_GT(z + std::sqrt(z * z - 4 * z), 4);
    }
}

// --- rows ---

// λ⁺ = −φ⁺/C − b′φ̇⁺ with φ⁺ = φ + hφ̇⁺, solved for φ̇⁺: φ̇⁺ + Σ hλ⁺ = −Γ φ/h.
TEST(RowRelaxation, IsTheImplicitSpringAndDamper)
{
    Oscillators numbers;
    for (int i = 0; i < 1000; ++i) {
        const Real h = numbers.log_uniform(1e-3, 1), C = numbers.log_uniform(1e-6, 1e2);
        const Real b = numbers.log_uniform(1e-3, 1e3), phi = numbers.log_uniform(1e-3, 1);
        const Real rate = -numbers.log_uniform(1e-3, 1);
        const Real lambda = -(phi + h * rate) / C - b * rate;
        const Real gamma = row_relaxation(C, b, h), sigma = gamma * C / (h * h);
        const Real scale = std::abs(rate) + std::abs(sigma * h * lambda) + gamma * phi / h;
        EXPECT_NEAR(rate + sigma * h * lambda, -gamma * phi / h, 1e-12 * scale);

        const Real printed = row_relaxation_printed(C, b, h), off = printed * C / (h * h);
        const Real error = std::abs(rate + off * h * lambda + printed * phi / h);
        if (std::abs(printed / gamma - 1) > 0.1) {
            EXPECT_GT(error / (std::abs(rate) * std::abs(printed / gamma - 1)), 0.01);
        }
    }
}

// No damping and no compliance are both limits that must leave the row as it was.
TEST(RowRelaxation, LimitsLeaveTheRowAlone)
{
    EXPECT_EQ(row_relaxation(1e-6, 0, 0.01), 1);
    EXPECT_EQ(row_relaxation(0, 1e9, 0.01), 1);
    // [Andrews2017, eq. 16] instead grows beyond all bounds with b′ → 0, and depends on b′ at C = 0
    EXPECT_GT(row_relaxation_printed(1e-6, 1e-9, 0.01), 1e8);
    EXPECT_DOUBLE_EQ(row_relaxation_printed(0, 1e9, 0.01), 1e-9);
    EXPECT_EQ(row_relaxation_printed(1e-6, 0, 0.01), 1);  // undefined: left alone
}

TEST(RowInertia, RatioIsARayleighQuotient)
{
    Oscillators numbers;
    std::mt19937 random(3);
    std::normal_distribution<Real> normal;
    for (int i = 0; i < 500; ++i) {
        std::array<Real, 12> J, m, v, k;
        Real lowest = 1e300, highest = 0;
        for (int c = 0; c < 12; ++c) {
            J[c] = normal(random);
            m[c] = numbers.log_uniform(0.1, 10);
            k[c] = numbers.log_uniform(0.1, 100);
            v[c] = J[c] / m[c];
            lowest = std::min(lowest, k[c] / m[c]);
            highest = std::max(highest, k[c] / m[c]);
        }
        for (const RowInertia row : {row_inertia(J, v, k), row_inertia_printed(J, v, k)}) {
            EXPECT_GE(row.stiffness / row.mass, lowest * (1 - 1e-12));
            EXPECT_LE(row.stiffness / row.mass, highest * (1 + 1e-12));
        }
        // all freedoms of one frequency: both say what there is to say
        for (int c = 0; c < 12; ++c) k[c] = 7 * m[c];
        EXPECT_NEAR(row_inertia(J, v, k).stiffness / row_inertia(J, v, k).mass, 7, 1e-10);
        EXPECT_NEAR(row_inertia_printed(J, v, k).stiffness / row_inertia(J, v, k).mass, 7, 1e-10);
    }
}

// A ball moves translations, where its K̃ has nothing: the printed row stiffness vanishes.
TEST(RowInertia, PrintedFormIsZeroForTheRowsOfABall)
{
    const std::array<Real, 6> J = {1, 0, 0, 0, 0.5, -0.2}, k = {0, 0, 0, 10, 10, 10};
    const std::array<Real, 6> v = {0.5, 0, 0, 0, 5, -2};
    EXPECT_EQ(row_inertia_printed(J, v, k).stiffness, 0);
    EXPECT_GT(row_inertia(J, v, k).stiffness, 0);
    EXPECT_EQ(row_inertia_printed(J, v, k).mass, row_inertia(J, v, k).mass);
}

TEST(RowInertia, RowThatMovesNothingHasNone)
{
    const std::array<Real, 3> zero{};
    EXPECT_EQ(row_inertia(zero, zero, zero).mass, 0);
    EXPECT_EQ(row_inertia(zero, zero, zero).stiffness, 0);
    EXPECT_EQ(row_inertia_printed(zero, zero, zero).stiffness, 0);
}

}  // namespace
}  // namespace taut::test

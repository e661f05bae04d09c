// Projections onto the admissible sets of λ.
#include "constraints/laws/law_types.h"

#include <gtest/gtest.h>

#include "samples.h"

namespace taut::test {
namespace {

constexpr int kTrials = 2000;

// Wide enough to fall inside, outside, and on every face.
template <class Law>
void check_scalar_law(const Law& law)
{
    Random random(kSeed);
    for (int i = 0; i < kTrials; ++i) {
        const Real a = 5 * random.normal(), b = 5 * random.normal();
        const Real at_a = law.project(a), at_b = law.project(b);
        ASSERT_TRUE(law.contains(at_a)) << a;
        ASSERT_EQ(law.project(at_a), at_a) << a;
        ASSERT_LE(std::abs(at_a - at_b), std::abs(a - b)) << a << ' ' << b;
        if (law.contains(b)) {
            ASSERT_LE(std::abs(a - at_a), std::abs(a - b)) << "a nearer point: " << b;
        }
    }
}

TEST(Laws, EqualAdmitsEverything)
{
    check_scalar_law(Equal{});
    EXPECT_EQ(Equal::project(-3), -3);
}

TEST(Laws, NonNegativeIsProjectedOrthogonally)
{
    check_scalar_law(NonNegative{});
    EXPECT_EQ(NonNegative::project(-3), 0);
    EXPECT_EQ(NonNegative::project(3), 3);
}

TEST(Laws, IntervalIsProjectedOrthogonally)
{
    check_scalar_law(Interval{-1, 4});
    check_scalar_law(Interval{2, 2});
    check_scalar_law(Interval{});
    EXPECT_EQ((Interval{-1, 4}.project(9)), 4);
}

// A projected point lies on the mantle up to round-off: 1e-14 for λ of size 20.
TEST(Laws, ConeIsProjectedOrthogonally)
{
    Random random(kSeed);
    for (const Real friction : {0.0, 0.3, 1.0, 5.0}) {
        const Cone cone{friction};
        int inside = 0, tip = 0, mantle = 0;
        for (int i = 0; i < kTrials; ++i) {
            const Vec3 a = 5 * random.vector(), b = 5 * random.vector();
            const Vec3 at_a = cone.project(a), at_b = cone.project(b);
            (at_a == a ? inside : at_a.isZero(0) ? tip : mantle) += 1;
            ASSERT_TRUE(cone.contains(at_a, 1e-14)) << a.transpose();
            ASSERT_LE((cone.project(at_a) - at_a).norm(), 1e-14) << a.transpose();
            ASSERT_LE((at_a - at_b).norm(), (a - b).norm() + 1e-14)
                << a.transpose() << ", " << b.transpose();
            ASSERT_LE((a - at_a).norm(), (a - at_b).norm() + 1e-14) << "a nearer point";
            ASSERT_NEAR((a - at_a).dot(at_a), 0, 1e-12) << "not orthogonal";
        }
        EXPECT_GT(mantle, 100);
        EXPECT_GT(tip, 10);
        if (friction > 0) {
            EXPECT_GT(inside, 10);
        }
    }
}

}  // namespace
}  // namespace taut::test

#include "geometry/mass_properties.h"

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace taut::test {
namespace {

constexpr Real kPi = std::numbers::pi;
constexpr Real kRounding = 1e-13;  // a dozen operations on numbers of order one

void expect_equal(const MassProperties& a, const MassProperties& b, Real tolerance)
{
    EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
    EXPECT_LT((a.centre_of_mass - b.centre_of_mass).norm(), tolerance);
    EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm());
}

// ∫ over a box around the solid by the midpoint rule: the definition itself, on n³ cells.
MassProperties by_integration(const Vec3& half, int n,
                              const std::function<bool(const Vec3&)>& inside)
{
    const Vec3 cell = 2 * half / n;
    const Real volume = cell.prod();
    MassProperties sum;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) {
                const Vec3 x = -half + cell.cwiseProduct(Vec3(i + 0.5, j + 0.5, k + 0.5));
                if (!inside(x)) continue;
                sum.mass += volume;
                sum.inertia += volume * (x.squaredNorm() * Mat3::Identity() - x * x.transpose());
            }
    return sum;
}

TEST(MassProperties, BoxHasTheTextbookMoments)
{
    const auto box = box_properties({2, 3, 4});
    EXPECT_DOUBLE_EQ(box.mass, 24);
    EXPECT_DOUBLE_EQ(box.inertia(0, 0), 24.0 / 12 * (9 + 16));
    EXPECT_DOUBLE_EQ(box.inertia(1, 1), 24.0 / 12 * (4 + 16));
    EXPECT_DOUBLE_EQ(box.inertia(2, 2), 24.0 / 12 * (4 + 9));
    EXPECT_EQ(box.inertia(0, 1), 0);
}

TEST(MassProperties, SphereAndCylinderHaveTheTextbookMoments)
{
    const auto ball = sphere_properties(0.5);
    EXPECT_NEAR(ball.mass, kPi / 6, kRounding);
    EXPECT_NEAR(ball.inertia(1, 1), 0.4 * ball.mass * 0.25, kRounding);

    const auto rod = cylinder_properties(0.5, 3);
    EXPECT_NEAR(rod.mass, 0.75 * kPi, kRounding);
    EXPECT_NEAR(rod.inertia(2, 2), rod.mass * 0.125, kRounding);
    EXPECT_NEAR(rod.inertia(0, 0), rod.mass * (0.0625 + 0.75), kRounding);
}

TEST(MassProperties, CapsuleIsCylinderAndTwoHalfBalls)
{
    // of length zero it is a ball
    expect_equal(capsule_properties(0.7, 0), sphere_properties(0.7), kRounding);

    // a half ball z > 0: centre of mass at 3r/8, moments about it (2/5 − 9/64) m r² and 2/5 m r²
    const Real r = 0.4, length = 1.1;
    const MassProperties ball = sphere_properties(r);
    MassProperties cap;
    cap.mass = ball.mass / 2;
    cap.centre_of_mass = Vec3(0, 0, 3 * r / 8);
    const Real across = cap.mass * r * r * (0.4 - 9.0 / 64);
    cap.inertia = Vec3(across, across, 0.4 * cap.mass * r * r).asDiagonal();
    const Quat turned(0, 1, 0, 0);  // half a turn about x
    const std::array<MassProperties, 3> parts = {
        cylinder_properties(r, length), moved(cap, {Vec3(0, 0, length / 2), Quat(1, 0, 0, 0)}),
        moved(cap, {Vec3(0, 0, -length / 2), turned})};
    expect_equal(capsule_properties(r, length), combined(parts), kRounding);
}

TEST(MassProperties, ClosedFormsEqualTheIntegrals)
{
    // midpoint rule on 120³ cells: cells cut by a curved surface cost about 1/n of the surface layer,
    // and err to both sides: 8e-4 is seen at worst
    const Real r = 0.5, half = 0.6;
    const auto cylinder = by_integration(
        {r, r, half}, 120, [&](const Vec3& x) { return std::hypot(x.x(), x.y()) < r; });
    expect_equal(cylinder, cylinder_properties(r, 2 * half), 2e-3);
    const auto capsule = by_integration({r, r, half + r}, 120, [&](const Vec3& x) {
        const Real beyond = std::max(std::abs(x.z()) - half, 0.0);
        return x.x() * x.x() + x.y() * x.y() + beyond * beyond < r * r;
    });
    expect_equal(capsule, capsule_properties(r, 2 * half), 2e-3);
}

TEST(MassProperties, BoxCutInTwoAndJoinedIsTheBox)
{
    const auto half = box_properties({1, 3, 4});
    const std::array<MassProperties, 2> parts = {moved(half, {Vec3(4.5, 0, 0), Quat::Identity()}),
                                                 moved(half, {Vec3(5.5, 0, 0), Quat::Identity()})};
    auto whole = box_properties({2, 3, 4});
    whole.centre_of_mass = Vec3(5, 0, 0);
    expect_equal(combined(parts), whole, kRounding);
}

TEST(MassProperties, RotationKeepsThePrincipalMoments)
{
    std::mt19937 random(7);
    std::normal_distribution<Real> normal;
    const auto box = scaled(box_properties({0.2, 1, 3}), 7850);
    for (int i = 0; i < 20; ++i) {
        const Quat q =
            Quat(normal(random), normal(random), normal(random), normal(random)).normalized();
        const auto turned = moved(box, {Vec3(1, 2, 3), q});
        EXPECT_EQ(turned.centre_of_mass, Vec3(1, 2, 3));
        const Vec3 expected = principal_moments(box.inertia);
        EXPECT_LT((principal_moments(turned.inertia) - expected).norm(),
                  kRounding * expected.norm());
        EXPECT_EQ(why_impossible(turned.inertia), "") << "seed 7, sample " << i;
    }
}

TEST(MassProperties, ImpossibleInertiasAreExplained)
{
    EXPECT_EQ(why_impossible(Mat3::Identity()), "");
    EXPECT_EQ(why_impossible(Vec3(1, 1, 2).asDiagonal()), "");  // a flat disc
    EXPECT_NE(why_impossible(Vec3(1, 1, 2.001).asDiagonal()).find("sum of the other two"),
              std::string::npos);
    EXPECT_NE(why_impossible(Vec3(1, 0, 1).asDiagonal()).find("not above 0"), std::string::npos);
    EXPECT_NE(why_impossible(Vec3(1, -1, 1).asDiagonal()).find("not above 0"), std::string::npos);
    Mat3 lopsided = Mat3::Identity();
    lopsided(0, 1) = 0.1;
    EXPECT_NE(why_impossible(lopsided).find("symmetric"), std::string::npos);
    EXPECT_NE(why_impossible(Mat3::Constant(std::nan(""))).find("finite"), std::string::npos);
}

// Two triangles per side of a box, far from the origin: the moments are those of the box all the same.
TEST(MassProperties, APolyhedronIsTheSumOfItsTetrahedra)
{
    const Vec3 edges(2, 3, 4), at(1000, -500, 20);
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k)
        corners.push_back(at + edges.cwiseProduct(Vec3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5,
                                                       k & 4 ? 0.5 : -0.5)));
    const std::vector<std::array<int, 3>> sides = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                                   {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                                   {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    MassProperties expected = box_properties(edges);
    expected.centre_of_mass = at;
    expect_equal(polyhedron_properties(corners, sides), expected, 1e-12);

    auto inward = sides;
    for (auto& side : inward) std::swap(side[0], side[1]);
    EXPECT_NEAR(polyhedron_properties(corners, inward).mass, -24, 1e-11);
    EXPECT_EQ(polyhedron_properties({}, {}).mass, 0);
}

// A tetrahedron at the corner of a cube: volume 1/6, centre at a quarter, ∫x² = 1/60, ∫xy = 1/120.
TEST(MassProperties, ATetrahedronHasTheTextbookMoments)
{
    const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::vector<std::array<int, 3>> sides = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    const auto solid = polyhedron_properties(corners, sides);
    EXPECT_NEAR(solid.mass, 1.0 / 6, kRounding);
    EXPECT_LT((solid.centre_of_mass - Vec3::Constant(0.25)).norm(), kRounding);
    EXPECT_NEAR(solid.inertia(0, 0), 2 * (1.0 / 60 - 1.0 / 6 / 16), kRounding);
    EXPECT_NEAR(solid.inertia(0, 1), -(1.0 / 120 - 1.0 / 6 / 16), kRounding);
}

}  // namespace
}  // namespace taut::test

// Rays against an oracle of another formulation, and the tree of boxes against all boxes one by one.
#include <gtest/gtest.h>

#include "collision/cast_ray.h"
#include "collision/query_tree.h"
#include "ray_oracle.h"

namespace taut::collision::test {
namespace {

constexpr unsigned kSeed = 20261;
constexpr int kRays = 100000;  // per kind of shape
constexpr int kShapes = 50;    // of each kind, in turn

class RayOfKind : public testing::TestWithParam<int> {};

Sample ray_sample(ColliderShapeKind which, int variant, Random& random)
{
    Sample s = sample(which, variant, random);
    if (which == kKindOf<Shape::HeightField>) s.shape = hilly_field(random, 7, 0.4);
    return s;
}

bool is_surface(ColliderShapeKind k)
{
    return k == kKindOf<Shape::Mesh> || k == kKindOf<Shape::HeightField>;
}

// Rays of up to 8 m that begin up to 4 m away, half of them aimed near the shape; some begin inside it. Tolerance: round-off
// of coordinates of 10 m is 1e-15 m, which a ray at a slope of 1e-3 to the surface turns into 1e-12 m and a tangent one into
// its root; 1e-9 m leaves a tangent ray 1e-18 m² of the square of the radius.
TEST_P(RayOfKind, MeetsTheShapeWhereTheSurfacesThatBoundItSay)
{
    const auto which = static_cast<ColliderShapeKind>(GetParam());
    Random random(kSeed + GetParam());
    int hits = 0, inside = 0;
    Real worst = 0;
    for (int i = 0; i < kShapes; ++i) {
        const Sample s = ray_sample(which, i, random);
        const Transform X = random_frame(random, 1);
        const auto triangles = triangles_of(s.shape);
        for (int k = 0; k < kRays / kShapes; ++k) {
            const Vec3 from = X.p + uniform(random, 0, 4) * random_direction(random);
            const Vec3 target = X.p + uniform(random, 0, 1.2) * random_direction(random);
            const Vec3 way = k % 2 ? Vec3(uniform(random, 0, 8) * random_direction(random))
                                   : Vec3(uniform(random, 0, 2) * (target - from));
            RayHit hit;
            const bool met = cast_ray(s.shape, X, {from, way}, 1, hit);
            if (!is_surface(which) && height_over(s.shape, X.point_to_local(from)) <= 0) {
                ++inside;
                ASSERT_TRUE(met) << s.name << " ray " << k << " seed " << kSeed;
                EXPECT_EQ(hit.fraction, 0) << s.name << " ray " << k;
                EXPECT_LT((hit.normal + way.normalized()).norm(), 1e-12);
                continue;
            }
            const Long expected = ray_oracle(s.shape, triangles, X, from, way);
            ASSERT_EQ(met, expected <= 1) << s.name << " ray " << k << " seed " << kSeed << ": "
                                          << static_cast<Real>(expected);
            if (!met) continue;
            ++hits;
            const Real off = std::abs(hit.fraction - static_cast<Real>(expected)) * way.norm();
            worst = std::max(worst, off);
            ASSERT_LT(off, 1e-9) << s.name << " ray " << k << " seed " << kSeed;
            // the normal is of unit length, against the ray, and across the surface: a little way out the shape is left
            ASSERT_NEAR(hit.normal.norm(), 1, 1e-12);
            ASSERT_LE(hit.normal.dot(way), 0) << s.name << " ray " << k;
            if (is_surface(which)) continue;
            const Vec3 at = X.point_to_local(from + hit.fraction * way);
            const Vec3 n = X.vector_to_local(hit.normal);
            ASSERT_NEAR(height_over(s.shape, at), 0, 1e-9) << s.name << " ray " << k;
            ASSERT_NEAR(height_over(s.shape, at + 1e-4 * n), 1e-4, 1e-8) << s.name << " ray " << k;
        }
    }
    EXPECT_GT(hits, kRays / 20);
    if (!is_surface(which)) {
        EXPECT_GT(inside, kRays / 100);
    }
    std::printf("%d rays, %d hits, %d begin inside; largest error %.1e m\n", kRays, hits, inside,
                worst);
}

INSTANTIATE_TEST_SUITE_P(AllShapes, RayOfKind, testing::Range(0, kShapeKinds), [](const auto& one) {
    return kind_name(static_cast<ColliderShapeKind>(one.param));
});

TEST(Ray, WithoutLengthMeetsOnlyWhatItIsIn)
{
    RayHit hit;
    EXPECT_TRUE(cast_ray(Shape::Sphere{1}, {}, {{0.5, 0, 0}, Vec3::Zero()}, 1, hit));
    EXPECT_EQ(hit.fraction, 0);
    Random random(kSeed);
    for (int k = 0; k < kShapeKinds; ++k) {
        const Sample s = ray_sample(static_cast<ColliderShapeKind>(k), 0, random);
        EXPECT_FALSE(cast_ray(s.shape, {}, {{0, 0, 9}, Vec3::Zero()}, 1, hit)) << s.name;
    }
}

// Straight down on every corner and along every line of a grid: no ray passes between two triangles.
TEST(Ray, FindsNoHoleBetweenTriangles)
{
    Random random(kSeed);
    const HeightFieldShape field = hilly_field(random, 9, 0.3);
    std::vector<Vec3> points;
    std::vector<std::array<int, 3>> triangles;
    for (const auto& c : triangles_of(field)) {
        const int first = static_cast<int>(points.size());
        points.insert(points.end(), c.begin(), c.end());
        triangles.push_back({first, first + 1, first + 2});
    }
    const MeshShape mesh = make_mesh(points, triangles).mesh;
    for (int i = 0; i <= 160; ++i)
        for (int j = 0; j <= 160; ++j) {
            const Vec3 from(std::min(0.015 * i, 0.3 * 8), std::min(0.015 * j, 0.3 * 8), 3);
            RayHit a, b;
            ASSERT_TRUE(cast_ray(field, {}, {from, {0, 0, -6}}, 1, a)) << from.transpose();
            ASSERT_TRUE(cast_ray(mesh, {}, {from, {0, 0, -6}}, 1, b)) << from.transpose();
            EXPECT_NEAR(a.fraction, b.fraction, 1e-12);
        }
}

TEST(QueryTree, FindsWhatALookAtEveryBoxFinds)
{
    Random random(kSeed);
    QueryTree tree;
    for (const int count : {0, 1, 2, 3, 17, 300}) {
        std::vector<Aabb> boxes;
        for (int i = 0; i < count; ++i) {
            const Vec3 p(uniform(random, -5, 5), uniform(random, -5, 5), uniform(random, -5, 5));
            boxes.push_back(i % 10 == 9 ? Aabb{}
                                        : Aabb{p, p + Vec3(1, 0.5, uniform(random, 0, 1))});
        }
        tree.build(boxes);
        for (int k = 0; k < 500; ++k) {
            const Vec3 from = 8 * random_direction(random), way = 10 * random_direction(random);
            const Sweep sweep(from, way, Vec3::Constant(k % 2 ? 0.3 : 0));
            const Real limit = uniform(random, 0, 1);
            std::vector<int> expected, found;
            Real enter = 0, most = limit;
            for (int i = 0; i < count; ++i)
                if (!boxes[i].empty() && sweep.meets(boxes[i], limit, enter)) expected.push_back(i);
            tree.visit_swept(sweep, most, [&](int i, Real&) { found.push_back(i); });
            std::sort(found.begin(), found.end());
            EXPECT_EQ(found, expected) << count << " boxes, sweep " << k << ", seed " << kSeed;

            const Aabb box{from, from + Vec3::Constant(1)};
            Real within = 2;
            expected.clear(), found.clear();
            for (int i = 0; i < count; ++i)
                if (!boxes[i].empty() && box_distance(boxes[i], box) <= within)
                    expected.push_back(i);
            tree.visit_near(box, within, [&](int i, Real&) { found.push_back(i); });
            std::sort(found.begin(), found.end());
            EXPECT_EQ(found, expected) << count << " boxes, query " << k << ", seed " << kSeed;
        }
    }
}

}  // namespace
}  // namespace taut::collision::test

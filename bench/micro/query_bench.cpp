// Time of queries of a world, in processor time of this thread; the fastest of several rounds counts.
//
//   1000 bodies of five shapes, some touching, in a cube of 20 m over a plane; rays of 10 m and boxes of 0.5 m that start
//   anywhere in it. `update` reads all poses and builds the tree, once after each step that is followed by a query.
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <vector>

#include <taut/world.h>

#include "random_poses.h"

namespace {

using namespace taut;
using namespace taut::bench;

constexpr int kBodies = 1000, kRays = 100000, kRounds = 5;

double now()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double fastest(const std::function<void()>& work)
{
    double best = 1e9;
    for (int i = 0; i < kRounds; ++i) {
        const double start = now();
        work();
        best = std::min(best, now() - start);
    }
    return best;
}

Vec3 random_point(Random& random)
{
    return {uniform(random, -10, 10), uniform(random, -10, 10), uniform(random, 0, 20)};
}

World make_world(Random& random, std::vector<BodyId>& bodies)
{
    World world;
    world.add_collider(kWorld, {.shape = Shape::plane()}).value();
    for (int i = 0; i < kBodies; ++i) {
        BodyDef def;
        def.pose = {random_point(random), Quat(random_rotation(random))};
        bodies.push_back(world.add_body(def).value());
        ColliderDef collider;
        const Real radius = uniform(random, 0.2, 0.5);
        const Real length = uniform(random, 0.2, 1);
        const Vec3 size = Vec3::Constant(uniform(random, 0.4, 1));
        std::vector<Vec3> points;
        if (i % 5 == 4)
            for (int k = 0; k < 24; ++k) points.push_back(0.5 * random_direction(random));
        collider.shape = i % 5 == 0   ? Shape::sphere(radius)
                         : i % 5 == 1 ? Shape::box(size)
                         : i % 5 == 2 ? Shape::capsule(radius, length)
                         : i % 5 == 3 ? Shape::cylinder(radius, length)
                                      : Shape::hull(std::move(points));
        world.add_collider(bodies.back(), collider).value();
    }
    return world;
}

}  // namespace

int main()
{
    Random random(1);
    std::vector<BodyId> bodies;
    World world = make_world(random, bodies);
    std::vector<Vec3> from, way;
    for (int i = 0; i < kRays; ++i) {
        from.push_back(random_point(random));
        way.push_back(10 * random_direction(random));
    }
    const QueryShape box = QueryShape::make(Shape::box(Vec3::Constant(0.5))).value();
    std::array<CastHit, 64> hits;
    std::array<OverlapHit, 64> overlaps;
    std::size_t found = 0;
    const auto report = [&](const char* name, int count, double time) {
        std::printf("%-22s %7d in %8.4f s  %8.2f us each  %8.3f hits each\n", name, count, time,
                    1e6 * time / count, static_cast<double>(found) / kRounds / count);
        found = 0;
    };
    const Pose away{{0, 0, 30}, Quat::Identity()};
    report("update", 100, fastest([&] {
               for (int i = 0; i < 100; ++i) {
                   if (!world.set_pose(bodies[0], away).ok()) return;
                   world.update_queries();
               }
           }));
    report("ray, nearest", kRays, fastest([&] {
               for (int i = 0; i < kRays; ++i) found += world.cast_ray(from[i], way[i]).has_value();
           }));
    report("ray, all", kRays, fastest([&] {
               for (int i = 0; i < kRays; ++i) found += world.cast_ray_all(from[i], way[i], hits);
           }));
    const int casts = kRays / 10;
    report("box cast, nearest", casts, fastest([&] {
               for (int i = 0; i < casts; ++i)
                   found += world.cast_shape(box, {from[i], Quat::Identity()}, way[i]).has_value();
           }));
    report("box overlap", casts, fastest([&] {
               for (int i = 0; i < casts; ++i)
                   found += world.overlap(box, {from[i], Quat::Identity()}, overlaps);
           }));
    report("nearest to a point", casts, fastest([&] {
               for (int i = 0; i < casts; ++i) found += world.nearest(from[i], 10).has_value();
           }));
}

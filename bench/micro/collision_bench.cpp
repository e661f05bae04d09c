// Time of collision detection, in processor time of this thread; the fastest of several rounds counts.
//
//   pairs         ns for a pair at rest on each other, and in random poses within reach
//   broad phase   the tree of the engine, a sweep along one axis and a grid, for N boxes in a cloud, in
//                 a layer and moving; exponents are those of power laws fitted to N = 100 … 10 000 and
//                 to N = 1000 … 10 000
//   search        all of it: bodies of five shapes in a heap
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <unordered_map>
#include <vector>

#include "collision/contact_finder.h"
#include "random_poses.h"

namespace taut::collision {
namespace {

using namespace bench;

Real now()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<Real>(t.tv_sec) + 1e-9 * static_cast<Real>(t.tv_nsec);
}

Real fastest(int rounds, const std::function<void()>& work)
{
    Real best = 1e9;
    for (int i = 0; i < rounds; ++i) {
        const Real start = now();
        work();
        best = std::min(best, now() - start);
    }
    return best;
}

HullShape random_hull(Random& random, int points)
{
    std::vector<Vec3> p;
    for (int i = 0; i < points; ++i) p.push_back(0.5 * random_direction(random));
    return make_hull(p).hull;
}

// ------------------------------------------------------------------ pairs

struct Named {
    const char* name;
    ColliderShape shape;
    Real lowest;  // of the shape as it stands, below its origin
};

void time_pairs()
{
    Random random(1);
    std::vector<Real> hills;
    for (int i = 0; i < 400; ++i) hills.push_back(0.02 * std::sin(i * 0.7));
    const HeightFieldShape field = make_height_field(20, 20, 0.5, 0.5, hills).field;
    const std::vector<Named> shapes{{"sphere", Shape::Sphere{0.5}, 0.5},
                                    {"capsule", Shape::Capsule{0.3, 1}, 0.8},
                                    {"box", Shape::Box{Vec3::Constant(1)}, 0.5},
                                    {"cylinder", Shape::Cylinder{0.5, 1}, 0.5},
                                    {"hull 32", random_hull(random, 32), 0.5}};
    const std::vector<Named> grounds{{"plane", Shape::Plane{}, 0}, {"field", field, 0}};
    std::printf("%-10s %-10s %12s %12s %8s\n", "a", "b", "rest [ns]", "random [ns]", "points");
    SurfaceScratch scratch;
    SurfacePoints out;
    const auto report = [&](const Named& a, const Named& b, const std::vector<Transform>& rest,
                            const std::vector<Transform>& thrown, const Transform& X_WB) {
        Real time[2] = {0, 0};
        std::size_t points = 0;
        for (int k = 0; k < 2; ++k) {
            const auto& frames = k ? thrown : rest;
            time[k] = fastest(9,
                              [&] {
                                  points = k ? points : 0;
                                  for (const Transform& X : frames) {
                                      out.clear();
                                      collide(a.shape, X, b.shape, X_WB, 0.05, scratch, out);
                                      if (!k) points += out.size();
                                  }
                              }) /
                      static_cast<Real>(frames.size());
        }
        std::printf("%-10s %-10s %12.0f %12.0f %8.1f\n", a.name, b.name, 1e9 * time[0],
                    1e9 * time[1], static_cast<Real>(points) / static_cast<Real>(rest.size()));
    };
    const auto poses = [&](Real rest_height, Real spread, std::vector<Transform>& rest,
                           std::vector<Transform>& thrown) {
        for (int i = 0; i < 500; ++i) {
            Transform X;
            X.R = Eigen::AngleAxis<Real>(uniform(random, 0, 6), Vec3::UnitZ()).toRotationMatrix();
            X.p = Vec3(uniform(random, -0.2, 0.2), uniform(random, -0.2, 0.2),
                       rest_height + uniform(random, -1e-3, 1e-3));
            rest.push_back(X);
            const Vec3 d = random_direction(random);
            thrown.push_back({random_rotation(random), d * spread});
        }
    };
    for (std::size_t i = 0; i < shapes.size(); ++i)
        for (std::size_t k = i; k < shapes.size(); ++k) {
            std::vector<Transform> rest, thrown;
            poses(shapes[i].lowest + shapes[k].lowest, 0.95, rest, thrown);
            report(shapes[i], shapes[k], rest, thrown, Transform{});
        }
    for (const Named& a : shapes)
        for (const Named& b : grounds) {
            std::vector<Transform> rest, thrown;
            poses(a.lowest, 0, rest, thrown);
            for (Transform& X : thrown) X.p.z() += 0.45;
            report(a, b, rest, thrown,
                   {Mat3::Identity(),
                    kind(b.shape) == kKindOf<Shape::Plane> ? Vec3(0, 0, 0) : Vec3(-4.7, -4.7, 0)});
        }
}

// ------------------------------------------------------------------ broad phase

std::size_t sweep(const std::vector<Aabb>& boxes, std::vector<IndexPair>& out)
{
    static std::vector<int> order;
    order.resize(boxes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return boxes[a].low.x() < boxes[b].low.x(); });
    out.clear();
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t k = i + 1;
             k < order.size() && boxes[order[k]].low.x() <= boxes[order[i]].high.x(); ++k)
            if (overlap(boxes[order[i]], boxes[order[k]]))
                out.push_back({std::min(order[i], order[k]), std::max(order[i], order[k])});
    std::sort(out.begin(), out.end());
    return out.size();
}

// Cells as wide as the largest box; each box is entered once, at its low corner, and looks at 27 cells.
std::size_t grid(const std::vector<Aabb>& boxes, std::vector<IndexPair>& out)
{
    Real cell = 0;
    for (const Aabb& b : boxes) cell = std::max(cell, (b.high - b.low).maxCoeff());
    static std::unordered_map<std::uint64_t, std::vector<int>> cells;
    for (auto& [key, list] : cells) list.clear();
    const auto key = [](long i, long j, long k) {
        return static_cast<std::uint64_t>((i + 1000000) * 73856093L ^ (j + 1000000) * 19349663L ^
                                          (k + 1000000) * 83492791L);
    };
    const auto at = [&](Real x) { return static_cast<long>(std::floor(x / cell)); };
    out.clear();
    for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
        const Vec3& p = boxes[i].low;
        for (long dx = -1; dx <= 1; ++dx)
            for (long dy = -1; dy <= 1; ++dy)
                for (long dz = -1; dz <= 1; ++dz) {
                    const auto found =
                        cells.find(key(at(p.x()) + dx, at(p.y()) + dy, at(p.z()) + dz));
                    if (found == cells.end()) continue;
                    for (int k : found->second)
                        if (overlap(boxes[i], boxes[k]))
                            out.push_back({std::min(i, k), std::max(i, k)});
                }
        cells[key(at(p.x()), at(p.y()), at(p.z()))].push_back(i);
    }
    std::sort(out.begin(), out.end());
    return out.size();
}

enum class Layout { Cloud, Layer, Mixed };

// Boxes of about a metre, each with some six neighbours; `Mixed` has one in a hundred ten times as large.
std::vector<Aabb> boxes_of(Layout layout, int n, Random& random)
{
    const Real side = layout == Layout::Layer ? 1.1 * std::sqrt(n) : 1.3 * std::cbrt(n);
    std::vector<Aabb> boxes;
    for (int i = 0; i < n; ++i) {
        const Vec3 c(uniform(random, 0, side), uniform(random, 0, side),
                     layout == Layout::Layer ? uniform(random, 0, 1) : uniform(random, 0, side));
        const Real scale = layout == Layout::Mixed && i % 100 == 0 ? 5 : 0.5;
        const Vec3 h =
            Vec3(uniform(random, 0.6, 1), uniform(random, 0.6, 1), uniform(random, 0.6, 1)) * scale;
        boxes.push_back({c - h, c + h});
    }
    return boxes;
}

// Of the power law through the sizes from `smallest` on.
Real exponent(const std::vector<Real>& n, const std::vector<Real>& t, Real smallest)
{
    Real sx = 0, sy = 0, sxx = 0, sxy = 0, m = 0;
    for (std::size_t i = 0; i < n.size(); ++i) {
        if (n[i] < smallest) continue;
        const Real x = std::log(n[i]), y = std::log(t[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y, m += 1;
    }
    return (m * sxy - sx * sy) / (m * sxx - sx * sx);
}

void time_broad_phase()
{
    const std::vector<Real> sizes{100, 300, 1000, 3000, 10000};
    std::printf("\n%-12s %8s %10s %12s %12s %12s\n", "layout", "N", "pairs", "tree [µs]",
                "sweep [µs]", "grid [µs]");
    for (int l = 0; l < 4; ++l) {
        const char* names[4] = {"cloud", "layer", "mixed", "moving"};
        std::vector<Real> times[3];
        for (Real n : sizes) {
            Random random(7);
            const bool moving = l == 3;
            auto boxes = boxes_of(moving ? Layout::Cloud : static_cast<Layout>(l),
                                  static_cast<int>(n), random);
            const std::vector<char> still(boxes.size(), 0);
            std::vector<Vec3> velocity;
            for (std::size_t i = 0; i < boxes.size(); ++i)
                velocity.push_back(0.1 * random_direction(random));
            const auto move = [&] {
                if (moving)
                    for (std::size_t i = 0; i < boxes.size(); ++i)
                        boxes[i].low += velocity[i], boxes[i].high += velocity[i];
            };
            BoxTree tree;
            std::vector<IndexPair> pairs;
            const int rounds = n > 3000 ? 7 : 15;
            times[0].push_back(
                fastest(rounds, [&] { move(), tree.find_pairs(boxes, still, pairs); }));
            const auto found = pairs.size();
            times[1].push_back(fastest(rounds, [&] { move(), sweep(boxes, pairs); }));
            times[2].push_back(fastest(rounds, [&] { move(), grid(boxes, pairs); }));
            std::printf("%-12s %8.0f %10zu %12.0f %12.0f %12.0f\n", names[l], n, found,
                        1e6 * times[0].back(), 1e6 * times[1].back(), 1e6 * times[2].back());
        }
        for (Real smallest : {100.0, 1000.0})
            std::printf("%-12s exponent from N = %4.0f %19.2f %12.2f %12.2f\n", names[l], smallest,
                        exponent(sizes, times[0], smallest), exponent(sizes, times[1], smallest),
                        exponent(sizes, times[2], smallest));
    }
}

// ------------------------------------------------------------------ everything

void time_search()
{
    std::printf("\n%-12s %8s %10s %10s %12s %12s\n", "search", "N", "pairs", "contacts",
                "time [µs]", "ns a pair");
    std::vector<Real> sizes{100, 300, 1000, 3000, 10000}, times;
    for (Real n : sizes) {
        Random random(3);
        ContactFinder finder;
        std::vector<BodyState> bodies(1);
        bodies[0].movable = false;
        Collider ground;
        ground.shape = Shape::Plane{};
        finder.add(ground);
        const HullShape hull = random_hull(random, 16);
        const Real side = 1.15 * std::cbrt(n);
        for (int i = 0; i < static_cast<int>(n); ++i) {
            BodyState b;
            b.pose.p =
                Vec3(uniform(random, 0, side), uniform(random, 0, side), uniform(random, 0, side));
            b.pose.q = Quat(random_rotation(random));
            b.velocity.linear = random_direction(random);
            bodies.push_back(b);
            Collider c;
            c.body = i + 1;
            const ColliderShape shapes[5] = {Shape::Sphere{0.5}, Shape::Capsule{0.25, 0.8},
                                             Shape::Box{Vec3::Constant(0.8)},
                                             Shape::Cylinder{0.4, 0.8}, hull};
            c.shape = shapes[i % 5];
            finder.add(c);
        }
        std::size_t contacts = 0;
        times.push_back(fastest(5, [&] { contacts = finder.find(bodies, {0.01, 0.005}).size(); }));
        std::printf("%-12s %8.0f %10zu %10zu %12.0f %12.0f\n", "heap", n, finder.pairs().size(),
                    contacts, 1e6 * times.back(),
                    1e9 * times.back() / static_cast<Real>(finder.pairs().size()));
    }
    for (Real smallest : {100.0, 1000.0})
        std::printf("%-12s exponent from N = %4.0f %.2f\n", "heap", smallest,
                    exponent(sizes, times, smallest));
}

}  // namespace
}  // namespace taut::collision

int main()
{
    taut::collision::time_pairs();
    taut::collision::time_broad_phase();
    taut::collision::time_search();
}

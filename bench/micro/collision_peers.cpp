// Our narrow phase beside libccd and Bullet (collision_contestants.h), in one run on the same pairs.
//
//   pairs   at random poses, apart by 1e-3 … 1e-1 and overlapping by 1e-6 … 1e-2 of the size (1 m), evenly in
//           the logarithm; errors against polytope_reference.h. Time: processor time of this thread, all
//           poses in a row, the contestants in turn, median of the rounds
//   rest    a box laid flat on a larger one, drifting and trembling for some frames: points a frame, how many
//           of them are known to continue one of the frame before, and how far their middle jumps
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "collision_contestants.h"
#include "polytope_reference.h"
#include "random_poses.h"

namespace taut::collision {
namespace {

constexpr int kPoses = 500;
constexpr int kRounds = 41;
constexpr int kFrames = 200;

struct Query : Poses {
    ReferenceGap reference;
};

struct Contestant {
    std::string name;
    Ask ask;
};

// ------------------------------------------------------------------ pairs

using namespace bench;

// Pushes a towards b along a random line until they nearly touch, then along the normal to `gap`. Inside,
// another way out may be shorter, so that the depth comes out as asked or less.
Query place(const ColliderShape& a, const ColliderShape& b, Real gap, Random& random)
{
    const Vec3 u = random_direction(random);
    Query q;
    q.X_WA = {random_rotation(random), 3 * u};
    q.X_WB.R = random_rotation(random);
    const Real near = std::max(gap, Real(1e-7));
    for (int i = 0; i < 30; ++i) {  // Newton on a convex function, from the side where it is safe
        q.reference = reference_gap(a, q.X_WA, b, q.X_WB);
        if (std::abs(q.reference.gap - near) < 1e-9) break;
        q.X_WA.p += u * (near - q.reference.gap) / q.reference.normal.dot(u);
    }
    q.X_WA.p += q.reference.normal * (gap - q.reference.gap);
    q.reference = reference_gap(a, q.X_WA, b, q.X_WB);
    return q;
}

Real now()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<Real>(t.tv_sec) + 1e-9 * static_cast<Real>(t.tv_nsec);
}

Real quantile(std::vector<Real> v, Real share)
{
    std::sort(v.begin(), v.end());
    return v[static_cast<std::size_t>(share * static_cast<Real>(v.size() - 1))];
}

void compare(const char* name, const ColliderShape& a, const ColliderShape& b, bool apart,
             Random& random)
{
    std::vector<Query> queries;
    for (int i = 0; i < kPoses; ++i) {
        const Real power = apart ? uniform(random, -3, -1) : uniform(random, -6, -2);
        queries.push_back(place(a, b, (apart ? 1 : -1) * std::pow(10.0, power), random));
    }
    std::vector<Contestant> contestants{
        {"ours", ours(a, b, false)},
        {"ours, direction only", our_direction(a, b)},
        {"libccd EPA 1e-4", libccd(a, b, ccdGJKPenetration, 1e-4)},
        {"libccd EPA 1e-10", libccd(a, b, ccdGJKPenetration, 1e-10)},
        {"libccd MPR 1e-10", libccd(a, b, ccdMPRPenetration, 1e-10)},
        {"Bullet detector", bullet_detector(a, b)},
        {"Bullet as it comes", bullet_world(a, b, BulletShape::AsItComes, false)}};
    // apart it finds no depth, and one tolerance is as good as the other
    if (apart)
        std::erase_if(contestants, [](const auto& c) { return c.name == "libccd EPA 1e-10"; });
    std::vector<std::vector<Real>> times(contestants.size());
    volatile Real sink = 0;
    for (int round = 0; round < kRounds; ++round)
        for (std::size_t c = 0; c < contestants.size(); ++c) {
            const Real start = now();
            for (const Query& q : queries) sink = sink + contestants[c].ask(q).gap;
            times[c].push_back((now() - start) / kPoses);
        }
    const Real own = quantile(times[0], 0.5);
    for (std::size_t c = 0; c < contestants.size(); ++c) {
        std::vector<Real> gap, angle;
        for (const Query& q : queries) {
            const Answer answer = contestants[c].ask(q);
            if (!answer.found) continue;
            const Vec3& n = q.reference.normal;
            gap.push_back(std::abs(answer.gap - q.reference.gap));
            angle.push_back(std::atan2(answer.normal.cross(n).norm(), answer.normal.dot(n)));
        }
        const Real time = quantile(times[c], 0.5);
        std::printf("| %s | %s | %s | %.0f | %.2f | %.1f %% |", name, apart ? "apart" : "overlap",
                    contestants[c].name.c_str(), 1e9 * time, time / own,
                    100.0 * static_cast<Real>(gap.size()) / kPoses);
        if (gap.empty()) {
            std::printf(" – | – | – | – | – |\n");
            continue;
        }
        const auto leaning =
            std::count_if(angle.begin(), angle.end(), [](Real x) { return x > 1e-3; });
        std::printf(" %.0e | %.0e | %.0e | %.0e | %.1f %% |\n", quantile(gap, 0.99),
                    quantile(gap, 1), quantile(angle, 0.99), quantile(angle, 1),
                    100.0 * static_cast<Real>(leaning) / static_cast<Real>(angle.size()));
    }
    std::fflush(stdout);
}

// ------------------------------------------------------------------ rest

HullShape hull_of(const Shape::Box& box)
{
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k)
        corners.push_back(
            box.size.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)) / 2);
    return make_hull(corners).hull;
}

void rest()
{
    const Shape::Box small{Vec3(1, 0.8, 0.6)}, large{Vec3(2, 2, 1)};
    const ColliderShape a = small, b = large, ha = hull_of(small), hb = hull_of(large);
    const std::vector<Contestant> contestants{
        {"ours, boxes", ours(a, b, true)},
        {"ours, hulls of 8", ours(ha, hb, true)},
        {"libccd EPA 1e-10", libccd(a, b, ccdGJKPenetration, 1e-10)},
        {"libccd MPR 1e-10", libccd(a, b, ccdMPRPenetration, 1e-10)},
        {"Bullet, boxes", bullet_world(a, b, BulletShape::AsItComes, true)},
        {"Bullet, hulls of 8", bullet_world(ha, hb, BulletShape::AsItComes, true)},
        {"Bullet, hulls of 8, polyhedral", bullet_world(ha, hb, BulletShape::Polyhedral, true)}};
    std::printf(
        "\n| box at rest | points, first frame | fewest | mean | continued | largest jump |\n");
    std::printf("|---|---|---|---|---|---|\n");
    for (const Contestant& c : contestants) {
        Random random(5);
        int first = 0, fewest = 1000, all = 0, continued = 0, later = 0;
        Real jump = 0;
        Vec3 last = Vec3::Zero();
        for (int f = 0; f < kFrames; ++f) {
            const Vec3 tremble = 1e-5 * random_direction(random);
            Poses q;
            q.X_WA.R = (Eigen::AngleAxis<Real>(0.3 + 1e-4 * f, Vec3::UnitZ()) *
                        Eigen::AngleAxis<Real>(tremble.norm(), tremble.normalized()))
                           .toRotationMatrix();
            q.X_WA.p = Vec3(0.1 + 1e-4 * f, 0.05, 0.8 - 1e-4 + uniform(random, -1e-5, 1e-5));
            const Answer answer = c.ask(q);
            const int points = answer.found ? answer.points : 0;
            fewest = std::min(fewest, points);
            all += points;
            if (f == 0) first = points;
            if (f > 0) later += points, continued += answer.continued;
            if (f > 0 && points > 0) jump = std::max(jump, (answer.middle - last).norm());
            last = answer.middle;
        }
        const bool named = !c.name.starts_with("libccd");
        std::printf("| %s | %d | %d | %.1f | ", c.name.c_str(), first, fewest,
                    static_cast<Real>(all) / kFrames);
        if (named) std::printf("%.1f %%", 100.0 * continued / std::max(later, 1));
        std::printf("%s | %.0e |\n", named ? "" : "–", jump);
    }
}

void compare_all()
{
    Random random(11);
    std::vector<Vec3> points[2];
    for (auto& list : points)
        for (int i = 0; i < 20; ++i) list.push_back(0.5 * random_direction(random));
    const ColliderShape box = Shape::Box{Vec3(1, 0.8, 0.6)}, other = Shape::Box{Vec3(0.9, 1, 0.7)};
    const ColliderShape hull = make_hull(points[0]).hull, second = make_hull(points[1]).hull;
    const ColliderShape capsule = Shape::Capsule{0.2, 0.6}, cylinder = Shape::Cylinder{0.3, 0.8};
    std::printf(
        "| pair | state | who | ns | × ours | answers | gap error 99 %% [m] | max "
        "| normal error 99 %% [rad] | max | above 1e-3 rad "
        "|\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const bool apart : {true, false}) {
        compare("box–box", box, other, apart, random);
        compare("box–hull 20", box, hull, apart, random);
        compare("hull 20–hull 20", hull, second, apart, random);
        compare("capsule–box", capsule, box, apart, random);
        compare("cylinder–box", cylinder, box, apart, random);
    }
    rest();
}

}  // namespace
}  // namespace taut::collision

int main() { taut::collision::compare_all(); }

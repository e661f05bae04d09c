// Bodies that fall and meet: time of each step, penetration as a share of the thinner half width, gaps of joints, energy.
//
// One line per scene over all of its seeds; the scenes are those of the comparison with other engines, and a heap of bodies of five
// kinds in a bin. Piles and bins of 100 to 2000 bodies tell how the time per body grows; `real time` is simulated over processor time.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include <time.h>

#include <taut/joints.h>
#include <taut/world.h>

#include "dice.h"
#include "must.h"
#include "scene.h"

using namespace taut;

namespace {

// Processor time of this process [s].
double processor_time()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

using study::must;

constexpr Real kFrame = 1.0 / 60;  // default step [s]

struct MovingScene {
    World world;
    std::vector<Real> half_width;  // per body, the smallest [m]
    std::vector<JointId> joints;
};

MovingScene from_peers(const std::string& name, int n, Real ratio, int seed)
{
    peers::SceneChoice choice;
    choice.name = name;
    choice.n = n;
    choice.ratio = ratio;
    choice.seed = seed;
    const peers::Scene scene = peers::make_scene(choice);
    MovingScene out;
    std::vector<BodyId> ids;
    for (const peers::Body& body : scene.bodies) {
        BodyDef def;
        def.mass = body.mass;
        def.inertia = body.inertia.asDiagonal();
        def.pose = body.pose;
        def.velocity = body.velocity;
        ids.push_back(must(out.world.add_body(def)));
        ColliderDef c;
        const bool box = body.shape->kind == peers::Shape::Kind::Box;
        const peers::Shape& shape = *body.shape;
        c.shape = box ? Shape::box(shape.size)
                  : shape.kind == peers::Shape::Kind::Sphere
                      ? Shape::sphere(shape.radius)
                      : Shape::capsule(shape.radius, shape.length);
        c.friction = body.shape->friction;
        must(out.world.add_collider(ids.back(), c));
        out.half_width.push_back(box ? shape.size.minCoeff() / 2 : shape.radius);
    }
    for (const peers::Joint& j : scene.joints) {
        const BodyId a = j.a < 0 ? kWorld : ids[j.a], b = ids[j.b];
        out.joints.push_back(must(out.world.add_joint(j.kind == peers::Joint::Kind::Ball
                                                          ? ball(a, b, j.point)
                                                          : hinge(a, b, j.point, j.axis))));
    }
    must(out.world.set_gravity(scene.gravity));
    must(out.world.add_collider(kWorld, {.shape = Shape::plane(), .friction = 0.5}));
    return out;
}

// As scenes/contacts/pile.yaml, with columns wide × wide of five bodies.
MovingScene bin(int wide, int seed)
{
    MovingScene out;
    World& world = out.world;
    const Real size = 0.2;
    const auto wall = [&](const Vec3& s, const Vec3& p) {
        ColliderDef c{.shape = Shape::box(s), .friction = 0.5};
        c.pose.p = p;
        must(world.add_collider(kWorld, c));
    };
    const Real side = (wide + 1) / 2.0 * size;
    for (const Real sign : {1.0, -1.0}) {
        wall({size, (wide + 2) * size, 5 * size}, {sign * side, 0, 2.5 * size});
        wall({wide * size, size, 5 * size}, {0, sign * side, 2.5 * size});
    }
    must(world.add_collider(kWorld, {.shape = Shape::plane(), .friction = 0.5}));
    study::Dice dice(static_cast<std::uint64_t>(5 + seed));
    for (int kind = 0; kind < 5; ++kind)
        for (int i = 1; i <= wide * wide; ++i) {
            const int row = (i - 1) / wide;
            ColliderDef c{.shape = Shape::box(Vec3(0.9, 0.8, 0.6) * size), .friction = 0.5};
            Real half = 0.3 * size;
            if (kind == 1) c.shape = Shape::sphere(half = 0.45 * size);
            if (kind == 2) {
                half = size / 4;
                c.shape = Shape::capsule(half, 0.4 * size);
            }
            if (kind == 3) {
                c.shape = Shape::cylinder(0.4 * size, 0.7 * size);
                half = 0.35 * size;
            }
            if (kind == 4) {
                std::vector<Vec3> points;
                for (const Real x : {-0.45, 0.45})
                    for (const Real y : {-0.45, 0.45}) points.push_back(Vec3(x, y, -0.3) * size);
                for (const Real y : {-0.45, 0.45}) points.push_back(Vec3(-0.45, y, 0.4) * size);
                c.shape = Shape::hull(std::move(points));
                half = 0.35 * size;
            }
            BodyDef def;
            def.pose.p = Vec3((i - 0.5 - wide * row - wide / 2.0) * size,
                              (row + 0.5 - wide / 2.0) * size, ((i + kind) % 5 + 0.5) * size);
            const Real turn = kind == 2 ? dice.between(-6, 6) : dice.between(-0.1, 0.1);
            def.pose.q = Quat(Eigen::AngleAxis<Real>(turn, Vec3::UnitZ()));
            if (kind == 2)
                def.pose.q = def.pose.q * Quat(Eigen::AngleAxis<Real>(M_PI / 2, Vec3::UnitY()));
            def.mass = 600 * size * size * size * 0.4;
            def.inertia = Vec3::Constant(def.mass * 0.12 * size * size).asDiagonal();
            const BodyId id = must(world.add_body(def));
            must(world.add_collider(id, c));
            out.half_width.push_back(half);
        }
    return out;
}

MovingScene make(const std::string& name, int n, Real ratio, int seed)
{
    return name == "bin" ? bin(n, seed) : from_peers(name, n, ratio, seed);
}

struct Totals {
    std::vector<Real> ms,
        depth;  // time per step [ms]; per contact: penetration over the thinner half width
    Real gap = 0, rise = 0;  // joints [m]; energy above the start, over that of the fall
    Real collision = 0, assembly = 0, solve = 0, solves = 0, contacts = 0, kinetic = 0;
    long unsettled = 0, most_solves = 0, sub_steps = 0;
    std::size_t bodies = 0;
};

void run(MovingScene scene, Real seconds, Real limit, bool trace, Totals& out)
{
    World& world = scene.world;
    out.bodies = scene.half_width.size();
    const StepSettings settings{.profile = true};
    const auto half_width = [&](BodyId b) {
        return b.index >= 0 ? scene.half_width[b.index] : Real(1e9);
    };
    const Real start = world.energy().total();
    std::set<std::pair<int, int>> overlapping;  // at the start: these are left out
    double spent = 0;
    for (int frame = 0; frame < std::lround(seconds / kFrame) && spent < limit; ++frame) {
        const double t = processor_time();
        const StepReport report = world.step(settings);
        const double own = processor_time() - t;
        spent += own;
        out.ms.push_back(1e3 * own);
        if (report.status != StepStatus::Ok) {
            std::printf("step %d: %s\n", frame, std::string(report.reason).c_str());
            return;
        }
        out.solves += report.solves;
        out.sub_steps += report.sub_steps;
        out.most_solves = std::max<long>(out.most_solves, report.solves);
        out.unsettled += !report.settled;
        out.collision += report.times.collision;
        out.assembly += report.times.assembly;
        out.solve += report.times.solve;
        const Energy energy = world.energy();
        out.rise = std::max(out.rise, (energy.total() - start) / std::max(start, Real(1e-9)));
        out.kinetic = energy.kinetic();
        Real depth = 0;
        const auto add = [&](Real of_contact) {
            out.depth.push_back(std::max(of_contact, Real(0)));
            depth = std::max(depth, of_contact);
        };
        const auto contacts = world.contacts();
        for (const ContactReading& c : contacts) {
            const std::pair pair(c.a.index, c.b.index);
            if (frame == 0 && c.gap < 0) overlapping.insert(pair);
            if (overlapping.count(pair) == 0)
                add(-c.gap / std::min(half_width(c.a), half_width(c.b)));
        }
        out.contacts += static_cast<Real>(contacts.size());
        for (const JointId joint : scene.joints)
            out.gap = std::max(out.gap, world.joint(joint).gap);
        if (trace)
            std::printf(
                "%4d %8.2f ms solves %4d sub %d islands %d settled %d halvings %d gains %d "
                "restarts %d contacts %zu depth "
                "%.4f gap %.2g kinetic %.4g energy %.6g %s\n",
                frame, 1e3 * own, report.solves, report.sub_steps, report.islands, report.settled,
                report.halvings, report.gains_refused, report.restarts, contacts.size(), depth,
                world.joint_gap(), out.kinetic, energy.total(), std::string(report.reason).c_str());
    }
}

Real quantile(std::vector<Real> x, double q)
{
    if (x.empty()) return 0;  // a run without contacts
    std::sort(x.begin(), x.end());
    return x[std::min(x.size() - 1, static_cast<std::size_t>(q * static_cast<double>(x.size())))];
}

void print(const char* name, int n, Real ratio, int seeds, const Totals& t)
{
    const Real count = static_cast<Real>(t.ms.size());
    Real sum = 0;
    for (const Real x : t.ms) sum += x;
    std::printf(
        "| %s %d %g | %zu | %d | %.0f | %.0f | %.3f | %.3f | %.2f | %.1f | %.2f | %.2f | %.2f | "
        "%ld | "
        "%.2f | %.2f | %.4f | %.1e | %ld | %.0f | %.0f | %.0f | %.2g |\n",
        name, n, ratio, t.bodies, seeds, count, t.contacts / count, sum / count,
        quantile(t.ms, 0.5), quantile(t.ms, 0.99), quantile(t.ms, 1),
        1e3 * sum / count / static_cast<Real>(t.bodies), count * kFrame * 1e3 / sum,
        t.solves / count, t.most_solves, 100 * quantile(t.depth, 0.99), 100 * quantile(t.depth, 1),
        1e3 * t.gap, t.rise, t.unsettled, 1e5 * t.collision / sum, 1e5 * t.assembly / sum,
        1e5 * t.solve / sum, t.kinetic);
    std::fflush(stdout);
}

struct Row {
    std::string name;
    int n;
    Real ratio, seconds;
    int seeds;
};

const std::vector<Row> kRows = {{"pile", 100, 1, 5, 10},   {"pile", 100, 100, 5, 5},
                                {"ragdolls", 5, 1, 5, 10}, {"ragdolls", 10, 1, 5, 5},
                                {"ragdolls", 50, 1, 5, 1}, {"bin", 4, 1, 3, 5},
                                {"bin", 10, 1, 3, 1},      {"bin", 20, 1, 3, 1},
                                {"pile", 500, 1, 5, 1},    {"pile", 2000, 1, 5, 1}};

// Piles and bins of 80 to 2000 bodies, all over the same time.
const std::vector<Row> kGrowth = {{"pile", 100, 1, 2, 4}, {"pile", 500, 1, 2, 1},
                                  {"bin", 4, 1, 2, 4},    {"bin", 10, 1, 2, 1},
                                  {"bin", 20, 1, 2, 1},   {"pile", 2000, 1, 2, 1}};

void print_growth(const Row& row, const Totals& t)
{
    const Real count = static_cast<Real>(t.ms.size());
    Real sum = 0;
    for (const Real x : t.ms) sum += x;
    std::printf("| %s | %zu | %d | %.0f | %.2f | %.1f | %.1f | %.2f | %.1f | %.2f | %.1f |\n",
                row.name.c_str(), t.bodies, row.seeds, t.contacts / count, sum / count,
                quantile(t.ms, 0.99), 1e3 * sum / count / static_cast<Real>(t.bodies),
                count * kFrame * 1e3 / sum, t.solves / count, 100 * quantile(t.depth, 0.99),
                100 * quantile(t.depth, 1));
    std::fflush(stdout);
}

constexpr const char* kHead =
    "| scene | bodies | seeds | steps | contacts | ms mean | p50 | p99 | max | us a body | "
    "x real time | solves | max | depth p99 % | max % | joints mm | energy | unsettled | "
    "collision % | assembly % | solve % | kinetic J |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|";
constexpr const char* kGrowthHead =
    "| scene | bodies | seeds | contacts | ms a step | p99 | us a body and step | x real time | "
    "solves | penetration p99 % | worst % |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|";

}  // namespace

// moving_bench [--growth | scene n ratio seconds seeds [limit [trace [first seed]]]]
int main(int count, char** words)
{
    const bool growth = count == 2 && std::string(words[1]) == "--growth";
    if (count > 1 && count < 6 && !growth) {
        std::fputs(
            "usage: moving_bench [--growth | scene n ratio seconds seeds [limit [trace "
            "[first seed]]]]\n",
            stderr);
        return 2;
    }
    std::puts(growth ? kGrowthHead : kHead);
    std::vector<Row> rows = growth ? kGrowth : kRows;
    if (count > 5)
        rows = {{words[1], std::atoi(words[2]), std::atof(words[3]), std::atof(words[4]),
                 std::atoi(words[5])}};
    const double limit = count > 6 ? std::atof(words[6]) : 1e9;
    const bool trace = count > 7 && words[7][0] == '1';
    const int first = count > 8 ? std::atoi(words[8]) : 0;
    for (const Row& row : rows) {
        Totals totals;
        for (int seed = first; seed < first + row.seeds; ++seed)
            run(make(row.name, row.n, row.ratio, seed), row.seconds, limit, trace, totals);
        if (growth)
            print_growth(row, totals);
        else
            print(row.name.c_str(), row.n, row.ratio, row.seeds, totals);
    }
    return 0;
}

#include "scene.h"

#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>

#include "dice.h"

namespace taut::peers {
namespace {

using study::Dice;

constexpr Real kLength = 0.1, kRadius = 0.02, kLoadRadius = 0.1, kGravity = 9.81;

// A rod of mass m along its own z.
Vec3 rod_inertia(Real m, Real length, Real radius)
{
    const Real across = m * (3 * radius * radius + length * length) / 12;
    return {across, across, m * radius * radius / 2};
}

Body rod(Real m, const Vec3& from, const Vec3& to, Real radius = kRadius)
{
    Body body;
    body.mass = m;
    body.inertia = rod_inertia(m, (to - from).norm(), radius);
    body.pose = {(from + to) / 2, Quat::FromTwoVectors(Vec3::UnitZ(), to - from)};
    return body;
}

Body sphere(Real m, const Vec3& at, Real radius = kLoadRadius)
{
    Body body;
    body.mass = m;
    body.inertia = Vec3::Constant(0.4 * m * radius * radius);
    body.pose.p = at;
    return body;
}

// All of it turns as one about an axis through the origin.
void turn_all(Scene& scene, const Vec3& w)
{
    for (Body& body : scene.bodies) body.velocity = {w.cross(body.pose.p), w};
}

// Energy that is set free when everything falls as far as it is from the origin.
Real drop_from(const Scene& scene)
{
    Real sum = 0;
    for (const Body& body : scene.bodies) sum += body.mass * kGravity * body.pose.p.norm();
    return sum;
}

enum class Alternate { No, Yes };

Scene chain(const SceneChoice& choice, const Vec3& along, Alternate alternate)
{
    Scene scene;
    const auto joint = [&](int k, const Vec3& at) {
        Joint j;
        j.kind = alternate == Alternate::Yes ? Joint::Kind::Hinge : Joint::Kind::Ball;
        j.a = k - 1;
        j.b = k;
        j.point = at;
        j.axis = k % 2 == 0 ? Vec3(Vec3::UnitZ()) : Vec3(Vec3::UnitY());
        return j;
    };
    for (int k = 0; k < choice.n; ++k) {
        const Vec3 from = k * kLength * along, to = (k + 1) * kLength * along;
        scene.bodies.push_back(rod(1, from, to));
        scene.joints.push_back(joint(k, from));
    }
    const Real reach = choice.n * kLength;
    scene.bodies.push_back(sphere(choice.ratio, (reach + kLoadRadius) * along));
    scene.joints.push_back(joint(choice.n, reach * along));
    scene.size = reach + kLoadRadius;
    scene.drop = drop_from(scene);
    turn_all(scene, {0, 0, choice.turn});
    return scene;
}

Scene horizontal(const SceneChoice& choice) { return chain(choice, Vec3::UnitX(), Alternate::No); }
Scene hinged(const SceneChoice& choice) { return chain(choice, Vec3::UnitX(), Alternate::Yes); }

// The push: a quarter of the drop energy, were all mass in the load; it swings to 41°.
Scene hanging(const SceneChoice& choice)
{
    Scene scene = chain(choice, -Vec3::UnitZ(), Alternate::No);
    turn_all(scene, {0, std::sqrt(kGravity / (2 * scene.size)), choice.turn});
    return scene;
}

// A ladder of parallelograms that sticks out from the ground, all hinges about y (redundant in space), R on the last rung:
//     o--=--=--
//        |  |       one degree of freedom a cell
//     o--=--=--
Scene four_bars(const SceneChoice& choice)
{
    Scene scene;
    const auto hinge = [&](int a, int b, const Vec3& at, bool closes) {
        scene.joints.push_back({Joint::Kind::Hinge, a, b, at, Vec3::UnitY(), closes});
    };
    const Vec3 down(0, 0, -kLength);
    int rung = -1;
    for (int k = 0; k < choice.n; ++k) {
        const Vec3 from(k * kLength, 0, 0), to((k + 1) * kLength, 0, 0);
        const int top = static_cast<int>(scene.bodies.size());
        const bool last = k + 1 == choice.n;
        scene.bodies.push_back(rod(1, from, to));
        scene.bodies.push_back(rod(1, from + down, to + down));
        scene.bodies.push_back(rod(last ? choice.ratio : 1, to, to + down));
        hinge(rung, top, from, false);
        hinge(rung, top + 1, from + down, false);
        hinge(top, top + 2, to, false);
        hinge(top + 1, top + 2, to + down, true);
        rung = top + 2;
    }
    scene.size = choice.n * kLength;
    scene.drop = drop_from(scene);
    return scene;
}

// A square net of n × n meshes of links with ball joints, one edge on the ground, R at the two free corners. At every
// knot one link holds all others.
Scene net(const SceneChoice& choice)
{
    Scene scene;
    const int n = choice.n;
    const auto knot = [](int i, int k) { return Vec3(i * kLength, k * kLength, 0); };
    std::vector<int> holder((n + 1) * (n + 1), -2);  // body that holds the knot
    const auto at = [&](int i, int k) -> int& { return holder[i * (n + 1) + k]; };
    for (int k = 0; k <= n; ++k) at(0, k) = -1;
    const auto tie = [&](int i0, int k0, int i1, int k1) {
        const int body = static_cast<int>(scene.bodies.size());
        scene.bodies.push_back(rod(1, knot(i0, k0), knot(i1, k1)));
        bool hangs = false;
        for (const auto& [i, k] : {std::pair{i0, k0}, std::pair{i1, k1}}) {
            int& held = at(i, k);
            if (held == -2) {
                held = body;
                continue;
            }
            scene.joints.push_back({Joint::Kind::Ball, held, body, knot(i, k), {0, 1, 0}, hangs});
            hangs = true;
        }
    };
    for (int i = 1; i <= n; ++i) {
        for (int k = 0; k <= n; ++k) tie(i - 1, k, i, k);
        for (int k = 0; k < n; ++k) tie(i, k, i, k + 1);
    }
    for (const int k : {0, n}) {
        const int body = static_cast<int>(scene.bodies.size());
        scene.bodies.push_back(sphere(choice.ratio, knot(n, k) + Vec3(kLoadRadius, 0, 0)));
        scene.joints.push_back({Joint::Kind::Ball, at(n, k), body, knot(n, k), {0, 1, 0}, false});
    }
    scene.size = n * kLength;
    scene.drop = drop_from(scene);
    return scene;
}

// Grows a limb of links with ball joints from `from`; masses shrink from link to link.
int limb(Scene& scene, int parent, Vec3 from, const Vec3& step, int links, Real mass, Real shrink)
{
    for (int k = 0; k < links; ++k, mass *= shrink) {
        const int body = static_cast<int>(scene.bodies.size());
        scene.bodies.push_back(rod(mass, from, from + step, 0.2 * step.norm()));
        scene.joints.push_back({Joint::Kind::Ball, parent, body, from, {0, 1, 0}, false});
        from += step;
        parent = body;
    }
    return parent;
}

// Spine, head, two arms with five fingers and two legs with three long toes: 60 bodies of 5 kg down to 13 g, hung up by
// the spine and shaken at 2 Hz with 10 m/s².
Scene tree(const SceneChoice& choice)
{
    Scene scene;
    const int spine = limb(scene, -1, Vec3::Zero(), {0, 0, -0.1}, 6, 5, 1);
    limb(scene, 0, {0, 0, -0.1}, {0.1, 0, 0}, 2, 2, 1);
    for (const Real side : {-1.0, 1.0}) {
        const int hand = limb(scene, 1, {0, 0, -0.2}, {0, 0.15 * side, 0}, 4, 2, 0.5);
        for (int finger = 0; finger < 5; ++finger)
            limb(scene, hand, {0, 0.6 * side, -0.2}, {0.02 * (finger - 2), 0.04 * side, 0}, 2, 0.05,
                 0.5);
        const int foot = limb(scene, spine, {0, 0, -0.6}, {0, 0.05 * side, -0.2}, 3, 4, 0.5);
        for (int toe = 0; toe < 3; ++toe)
            limb(scene, foot, {0, 0.15 * side, -1.2}, {0.06, 0.03 * (toe - 1), 0}, 3, 0.05, 0.5);
    }
    scene.shake = Vec3(10, 6, 0) * choice.ratio;
    scene.shake_rate = 4 * M_PI;
    scene.size = 1.2;
    scene.drop = drop_from(scene);
    return scene;
}

Body solid(const Shape& shape, Real mass, const Pose& pose)
{
    Body body;
    const Real r = shape.radius, l = shape.length;
    body.mass = mass;
    body.pose = pose;
    body.shape = shape;
    switch (shape.kind) {
        case Shape::Kind::Sphere: body.inertia = Vec3::Constant(0.4 * mass * r * r); break;
        case Shape::Kind::Box: {
            const Vec3 s = shape.size.cwiseProduct(shape.size);
            body.inertia = mass * (Vec3::Constant(s.sum()) - s) / 12;
            break;
        }
        case Shape::Kind::Capsule: body.inertia = rod_inertia(mass, l + r, r); break;
    }
    return body;
}

Shape box(const Vec3& size)
{
    Shape shape;
    shape.kind = Shape::Kind::Box;
    shape.size = size;
    return shape;
}

Shape round(Shape::Kind kind, Real radius, Real length = 0)
{
    Shape shape;
    shape.kind = kind;
    shape.radius = radius;
    shape.length = length;
    return shape;
}

// A tower of n boxes of 1 kg and 0.2 m that stand on each other, on top one of R kg.
Scene heavy_on_light(const SceneChoice& choice)
{
    Scene scene;
    scene.floor = true;
    for (int k = 0; k <= choice.n; ++k)
        scene.bodies.push_back(solid(box(Vec3::Constant(0.2)), k == choice.n ? choice.ratio : 1,
                                     {{0, 0, 0.1 + 0.2 * k}, Quat::Identity()}));
    scene.size = scene.width = 0.2;
    scene.calm = true;
    for (const Body& body : scene.bodies) scene.drop += body.mass * kGravity * 0.2;
    return scene;
}

// n ragdolls of 11 capsules (ball joints, elbows and knees hinges), one above the other, falling. Hinges turn by at most `limit` either
// way [rad]; 0: freely.
Scene make_ragdolls(const SceneChoice& choice, Real limit)
{
    Scene scene;
    scene.floor = true;
    Dice dice(static_cast<std::uint64_t>(7 + choice.seed));
    for (int doll = 0; doll < choice.n; ++doll) {
        const Quat q(Eigen::AngleAxis<Real>(dice.between(-3, 3), Vec3::UnitZ()));
        const Vec3 origin =
            dice.vector(0.2).cwiseProduct(Vec3(1, 1, 0)) + Vec3(0, 0, 0.3 + 0.4 * doll);
        const auto place = [&](const Vec3& p) -> Vec3 { return origin + q * p; };
        const auto part = [&](int parent, const Vec3& from, const Vec3& to, Real radius, Real mass,
                              Joint::Kind kind) {
            const Vec3 a = place(from), b = place(to);
            const Real length = (b - a).norm();
            const int body = static_cast<int>(scene.bodies.size());
            scene.bodies.push_back(
                solid(round(Shape::Kind::Capsule, radius, length - 2 * radius), mass,
                      {(a + b) / 2, Quat::FromTwoVectors(Vec3::UnitZ(), b - a)}));
            if (parent >= 0)
                scene.joints.push_back({kind, parent, body, a, q * Vec3::UnitZ(), false,
                                        kind == Joint::Kind::Hinge ? limit : 0});
            return body;
        };
        using K = Joint::Kind;
        // lies flat: spine along x, arms and legs along y
        const int hip = part(-1, {-0.3, 0, 0}, {0, 0, 0}, 0.1, 15, K::Ball);
        const int chest = part(hip, {0, 0, 0}, {0.3, 0, 0}, 0.1, 20, K::Ball);
        part(chest, {0.3, 0, 0}, {0.55, 0, 0}, 0.09, 5, K::Ball);
        for (const Real side : {-1.0, 1.0}) {
            const int arm =
                part(chest, {0.2, 0.12 * side, 0}, {0.2, 0.42 * side, 0}, 0.05, 3, K::Ball);
            part(arm, {0.2, 0.42 * side, 0}, {0.2, 0.72 * side, 0}, 0.045, 2, K::Hinge);
            const int leg =
                part(hip, {-0.32, 0.1 * side, 0}, {-0.72, 0.15 * side, 0}, 0.07, 7, K::Ball);
            part(leg, {-0.72, 0.15 * side, 0}, {-1.12, 0.15 * side, 0}, 0.06, 4, K::Hinge);
        }
    }
    scene.size = 0.6;
    for (const Body& body : scene.bodies) scene.drop += body.mass * kGravity * body.pose.p.z();
    return scene;
}

Scene ragdolls(const SceneChoice& choice) { return make_ragdolls(choice, 0); }
Scene limited(const SceneChoice& choice) { return make_ragdolls(choice, 1); }

// n spheres, boxes and capsules of about 0.1 m and 1 kg, in layers, turned at random.
Scene pile(const SceneChoice& choice)
{
    Scene scene;
    scene.floor = true;
    Dice dice(static_cast<std::uint64_t>(1 + choice.seed));
    const int side = std::max(1, static_cast<int>(std::cbrt(choice.n)));
    for (int i = 0; i < choice.n; ++i) {
        const Vec3 at(i % side, i / side % side, i / (side * side));
        const Vec3 p = 0.18 * at + dice.vector(0.02) + Vec3(0, 0, 0.18);
        const Real d = dice.between(0.06, 0.1);
        const int kind = dice.below(3);
        const Shape shape = kind == 0 ? round(Shape::Kind::Sphere, d / 2)
                            : kind == 1
                                ? box({d, d * dice.between(0.5, 1), d * dice.between(0.5, 1)})
                                : round(Shape::Kind::Capsule, d / 3, d);
        const Real mass = std::pow(choice.ratio, dice.unit());
        scene.bodies.push_back(solid(shape, mass, {p, dice.rotation()}));
    }
    scene.size = 0.1;
    for (const Body& body : scene.bodies) scene.drop += body.mass * kGravity * body.pose.p.z();
    return scene;
}

struct Entry {
    std::string_view name;
    std::function<Scene(const SceneChoice&)> make;
};

const std::vector<Entry>& entries()
{
    static const std::vector<Entry> list = {
        {"S1", horizontal},   {"S2", hinged}, {"S3", hanging},           {"fourbars", four_bars},
        {"net", net},         {"tree", tree}, {"heavy", heavy_on_light}, {"ragdolls", ragdolls},
        {"limited", limited}, {"pile", pile},
    };
    return list;
}

}  // namespace

Scene make_scene(const SceneChoice& choice)
{
    for (const Entry& entry : entries()) {
        if (entry.name != choice.name) continue;
        Scene scene = entry.make(choice);
        scene.name = choice.name;
        return scene;
    }
    throw std::invalid_argument("no scene '" + choice.name + "'");
}

std::vector<std::string_view> scene_names()
{
    std::vector<std::string_view> names;
    for (const Entry& entry : entries()) names.push_back(entry.name);
    return names;
}

}  // namespace taut::peers

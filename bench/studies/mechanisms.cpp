#include "mechanisms.h"

#include <cmath>
#include <utility>

#include <taut/joints.h>

#include "must.h"

namespace taut::study {
namespace {

constexpr Real kLength = 0.1, kRadius = 0.02, kGravity = 9.81;

Mat3 link_inertia(Real mass)
{
    const Real across = mass * (3 * kRadius * kRadius + kLength * kLength) / 12;
    return Vec3(mass * kRadius * kRadius / 2, across, across).asDiagonal();
}

BodyDef link(std::string name, Real mass, const Vec3& p, const Quat& q, const Vec3& turn)
{
    BodyDef def;
    def.name = std::move(name);
    def.mass = mass;
    def.inertia = link_inertia(mass);
    def.pose = {p, q};
    def.velocity = {turn.cross(p), turn};
    return def;
}

Vec3 axis(int k) { return k % 2 == 0 ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitZ()); }

JointDef chain_joint(Kind kind, int k, BodyId above, BodyId below, const Vec3& at)
{
    switch (kind) {
        case Kind::Hinge: return hinge(above, below, at, axis(k));
        case Kind::Universal: return universal(above, below, at, axis(k), axis(k + 1));
        case Kind::PrismaticHinge:
            return k % 2 == 0 ? hinge(above, below, at, axis(k / 2))
                              : prismatic(above, below, at, Vec3::UnitY());
        case Kind::Weld: return weld(above, below, at);
        default: return ball(above, below, at);
    }
}

// What hangs on a joint, and from it the compliance that gives the wanted stretch.
Real weight(const Cell& cell) { return (cell.ratio + cell.links) * kGravity; }
Real compliance(const Cell& cell) { return cell.stretch * kLength / weight(cell); }

World build_chain(const Cell& cell)
{
    World world;
    BodyId above = kWorld;
    for (int k = 0; k < cell.links; ++k) {
        const Real mass = k + 1 == cell.links ? cell.ratio : 1;
        const Vec3 at(k * kLength, 0, 0), middle((k + 0.5) * kLength, 0, 0);
        const BodyId below = must(world.add_body(link("link" + std::to_string(k + 1), mass, middle,
                                                      Quat::Identity(), {0, 0, cell.turn})));
        JointDef joint = chain_joint(cell.kind, k, above, below, at);
        joint.name = "joint" + std::to_string(k + 1);
        joint.compliance = compliance(cell);
        // a twentieth of the moment that the load has on one link bends a joint by one radian
        if (cell.kind == Kind::Weld) joint.angular_compliance = 20 / (weight(cell) * kLength);
        must(world.add_joint(joint));
        if (joint.type == "prismatic") {
            // holds the slide within about a link
            SpringDef spring;
            spring.name = "spring" + std::to_string(k + 1);
            spring.bodies = {above, below};
            spring.frames[0].p = at;
            spring.frames[1].p = at + Vec3(0, kLength / 2, 0);
            spring.rest = kLength / 2;
            spring.stiffness = weight(cell) / (2 * kLength);
            must(world.add_spring(spring));
        }
        above = below;
    }
    return world;
}

// Link k of a ring of n runs from angle 2πk/n to 2π(k+1)/n on a circle in the xy plane through the origin.
World build_ring(const Cell& cell)
{
    World world;
    const int n = std::max(4, cell.links);
    const Real radius = kLength / (2 * std::sin(M_PI / n));
    const auto corner = [&](int k) {
        const Real a = 2 * M_PI * k / n;
        return Vec3(radius * (1 - std::cos(a)), radius * std::sin(a), 0);
    };
    std::vector<BodyId> links;
    for (int k = 0; k < n; ++k) {
        const Vec3 from = corner(k), to = corner(k + 1);
        const Quat q = Quat::FromTwoVectors(Vec3::UnitX(), to - from);
        links.push_back(
            must(world.add_body(link("link" + std::to_string(k + 1), k == n / 2 ? cell.ratio : 1,
                                     (from + to) / 2, q, {0, 0, cell.turn}))));
    }
    for (int k = 0; k <= n; ++k) {
        JointDef joint = k == n ? ball(kWorld, links[0], corner(0))
                                : ball(links[k], links[(k + 1) % n], corner(k + 1));
        joint.name = "joint" + std::to_string(k + 1);
        joint.compliance = compliance(cell);
        must(world.add_joint(joint));
    }
    return world;
}

// Parallelograms: cranks stand at 45° and fall over; four parallel hinges each, three of them redundant.
World build_four_bars(const Cell& cell)
{
    World world;
    const int n = std::max(1, cell.links / 2);
    const Vec3 crank = kLength * Vec3(std::sqrt(0.5), 0, std::sqrt(0.5));
    const Quat tilt = Quat::FromTwoVectors(Vec3::UnitX(), crank);
    for (int k = 0; k < n; ++k) {
        const std::string number = std::to_string(k + 1);
        const Vec3 a(0, k * kLength, 0), b = a + Vec3(kLength, 0, 0);
        const BodyId left =
            must(world.add_body(link("left" + number, 1, a + crank / 2, tilt, {0, 0, 0})));
        const BodyId right =
            must(world.add_body(link("right" + number, 1, b + crank / 2, tilt, {0, 0, 0})));
        const BodyId coupler = must(world.add_body(link(
            "coupler" + number, cell.ratio, (a + b) / 2 + crank, Quat::Identity(), {0, 0, 0})));
        int j = 0;
        for (JointDef joint :
             {hinge(kWorld, left, a, Vec3::UnitY()), hinge(kWorld, right, b, Vec3::UnitY()),
              hinge(left, coupler, a + crank, Vec3::UnitY()),
              hinge(right, coupler, b + crank, Vec3::UnitY())}) {
            joint.name = "joint" + number + "." + std::to_string(++j);
            joint.compliance = compliance(cell);
            must(world.add_joint(joint));
        }
    }
    return world;
}

World build_bridge(const Cell& cell)
{
    World world;
    const int n = std::max(2, cell.links / 2);
    const Real half = 0.25;  // of the beam
    std::vector<BodyId> ends;
    const Vec3 turn(0, 0, cell.turn);
    for (const int side : {-1, 1}) {
        BodyId above = kWorld;
        for (int k = 0; k < n; ++k) {
            const std::string name = (side < 0 ? "left" : "right") + std::to_string(k + 1);
            const BodyId below = must(world.add_body(
                link(name, 1, {(k + 0.5) * kLength, side * half, 0}, Quat::Identity(), turn)));
            JointDef joint = ball(above, below, {k * kLength, side * half, 0});
            joint.name = name + ".joint";
            joint.compliance = compliance(cell);
            must(world.add_joint(joint));
            above = below;
        }
        ends.push_back(above);
    }
    BodyDef beam;
    beam.name = "beam";
    beam.mass = cell.ratio;
    const Real across = cell.ratio * (4 * half * half + kRadius * kRadius) / 12;
    beam.inertia = Vec3(across, cell.ratio * kRadius * kRadius / 6, across).asDiagonal();
    beam.pose.p = {n * kLength, 0, 0};
    beam.velocity = {turn.cross(beam.pose.p), turn};
    const BodyId body = must(world.add_body(beam));
    for (const int side : {-1, 1}) {
        JointDef joint = ball(ends[side > 0], body, {n * kLength, side * half, 0});
        joint.name = side < 0 ? "beam.left" : "beam.right";
        joint.compliance = compliance(cell);
        must(world.add_joint(joint));
    }
    return world;
}

World build_net(const Cell& cell)
{
    World world;
    const int n = std::max(2, static_cast<int>(std::lround(std::sqrt(cell.links)))) + 1;
    std::vector<BodyId> knots;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            BodyDef knot;
            knot.name = "knot" + std::to_string(i) + "." + std::to_string(k);
            const bool held =
                i == 0;  // two corners alone would hold a straight line, which no force can sag
            knot.kind = held ? BodyKind::Fixed : BodyKind::Particle;
            knot.mass = i == n - 1 && (k == 0 || k == n - 1) ? cell.ratio : 1;
            knot.pose.p = {i * kLength, k * kLength, 0};
            if (!held) knot.velocity.linear = Vec3(0, 0, cell.turn).cross(knot.pose.p);
            knots.push_back(must(world.add_body(knot)));
        }
    const auto tie = [&](int a, int b) {
        const bool both_held =
            world.kind(knots[a]) == BodyKind::Fixed && world.kind(knots[b]) == BodyKind::Fixed;
        if (both_held) return;
        JointDef joint;
        joint.type = "distance";
        joint.name = "thread" + std::to_string(a) + "." + std::to_string(b);
        joint.bodies = {knots[a], knots[b], kWorld};
        joint.frames[0].p = world.centre_of_mass(knots[a]);
        joint.frames[1].p = world.centre_of_mass(knots[b]);
        joint.compliance = compliance(cell);
        must(world.add_joint(joint));
    };
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            if (k + 1 < n) tie(i * n + k, i * n + k + 1);
            if (i + 1 < n) tie(i * n + k, (i + 1) * n + k);
        }
    return world;
}

}  // namespace

const std::vector<KindInfo>& kinds()
{
    static const std::vector<KindInfo> list = {
        {Kind::Ball, "ball", true},
        {Kind::Hinge, "hinge", true},
        {Kind::Universal, "universal", true},
        {Kind::PrismaticHinge, "prismatic and hinge", true},
        {Kind::Weld, "weld", true},
        {Kind::Ring, "ring", false},
        {Kind::FourBars, "four-bars", false},
        {Kind::Bridge, "bridge", false},
        {Kind::Net, "net", false},
    };
    return list;
}

World build(const Cell& cell)
{
    switch (cell.kind) {
        case Kind::Ring: return build_ring(cell);
        case Kind::FourBars: return build_four_bars(cell);
        case Kind::Bridge: return build_bridge(cell);
        case Kind::Net: return build_net(cell);
        default: return build_chain(cell);
    }
}

World cable_pendulum()
{
    World world;
    const Vec3 along(std::sqrt(0.5), 0, -std::sqrt(0.5));
    const Quat tilt = Quat::FromTwoVectors(Vec3::UnitX(), along);
    const Real axial = 0.5 * 0.02 * 0.02 / 2, across = 0.5 * (3 * 0.02 * 0.02 + 0.25) / 12;
    BodyId above = kWorld;
    for (int k = 0; k <= 20; ++k) {
        BodyDef def;
        def.name = "segment" + std::to_string(k + 1);
        def.mass = k < 20 ? 0.5 : 100;
        def.inertia = k < 20 ? Mat3(Vec3(axial, across, across).asDiagonal())
                             : Mat3(Mat3::Identity() * (0.4 * 100 * 0.09));
        def.pose = {along * (k < 20 ? (k + 0.5) * 0.5 : 10.3), tilt};
        const BodyId body = world.add_body(def).value();
        JointDef joint = weld(above, body, along * (0.5 * k));
        joint.name = "joint" + std::to_string(k + 1);
        joint.compliance = 1e-12;
        joint.angular_compliance = 0.1;
        world.add_joint(joint).value();
        above = body;
    }
    return world;
}

}  // namespace taut::study

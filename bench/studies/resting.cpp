#include "resting.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <taut/joints.h>

#include "contact_scenes.h"
#include "dice.h"
#include "must.h"

namespace taut::study {
namespace {

Quat about_y(Real angle) { return Quat(Eigen::AngleAxis<Real>(angle, Vec3::UnitY())); }

// A bar of length L and thickness T at an angle to the floor, its lower edge on the floor z = 0, its upper edge on the wall x = 0.
//
//     N_w ─►│\                  friction at its bound at both ends: N_w = μ N_f,  N_f + μ N_w = W, and moments about the
//           │ \                 lower edge give the least μ at which it stands:
//           │  \ W              x_f − x_c = μ (z_w + μ x_f) / (1 + μ²)
//           ┴───\──
struct LeaningBar {
    Real length, thickness, angle;

    Vec3 centre() const
    {
        const Real c = std::cos(angle), s = std::sin(angle);
        return {(length * c + thickness * s) / 2, 0, (length * s + thickness * c) / 2};
    }
    Real least_friction() const
    {
        const Real c = std::cos(angle), s = std::sin(angle);
        const Real x_f = length * c, z_w = length * s, lever = (length * c - thickness * s) / 2;
        Real low = 0, high = 1;
        for (int k = 0; k < 60; ++k) {
            const Real mu = (low + high) / 2;
            (mu * (z_w + mu * x_f) / (1 + mu * mu) < lever ? low : high) = mu;
        }
        return high;
    }
};

void add_leaning_bar(World& world, Dice& dice, const LeaningBar& bar, Real margin)
{
    const Real friction = margin * bar.least_friction();
    add_floor(world, friction);
    must(world.add_collider(kWorld, {.shape = Shape::plane(),
                                     .pose = {Vec3::Zero(), about_y(M_PI / 2)},
                                     .friction = friction}));
    add_solid(world,
              {.shape = Shape::box(Vec3(bar.length, dice.between(0.1, 0.6), bar.thickness)),
               .friction = friction},
              {bar.centre(), about_y(bar.angle)}, dice.decades(-2, 3));
}

void add_stack(World& world, Dice& dice)
{
    add_floor(world);
    Real top = 0;
    Vec3 at = Vec3::Zero();
    for (int k = 1 + dice.below(7); k >= 0; --k) {
        const Vec3 size(dice.between(0.3, 0.5), dice.between(0.3, 0.5), dice.between(0.05, 0.3));
        add_solid(world, {.shape = Shape::box(size)},
                  {at + Vec3(0, 0, top + size.z() / 2), Quat::Identity()}, dice.decades(0, 2));
        top += size.z();
        at += Vec3(dice.between(-0.01, 0.01), dice.between(-0.01, 0.01), 0);
    }
}

// Half a circle of wedges on the floor, thick enough for its line of thrust (scenes/contacts/masonry_arch.yaml).
void add_arch(World& world, Dice& dice)
{
    const int count = 5 + 2 * dice.below(5);
    const Real radius = dice.between(0.5, 3), slimness = dice.between(0.2, 0.35);
    const Real friction = dice.between(0.8, 1), half_depth = dice.between(0.1, 0.4);
    add_floor(world, friction);
    for (int k = 0; k < count; ++k) {
        const Real mid = M_PI * (k + 0.5) / count;
        const Vec3 centre = radius * Vec3(std::cos(mid), 0, std::sin(mid));
        std::vector<Vec3> points;
        for (const Real r : {radius * (1 - slimness / 2), radius * (1 + slimness / 2)})
            for (const Real angle : {M_PI * k / count, M_PI * (k + 1) / count})
                for (const Real y : {-half_depth, half_depth})
                    points.emplace_back(Vec3(r * std::cos(angle), y, r * std::sin(angle)) - centre);
        BodyDef def;
        const Vec3 size(radius * M_PI / count, 2 * half_depth, radius * slimness);
        const Vec3 s = size.cwiseProduct(size);
        def.mass = 2400 * size.prod();
        def.inertia = (def.mass / 12 * (Vec3::Constant(s.sum()) - s)).asDiagonal();
        def.pose.p = centre;
        must(world.add_collider(must(world.add_body(def)),
                                {.shape = Shape::hull(points), .friction = friction}));
    }
}

void add_drum(World& world, Real radius)
{
    must(world.add_collider(
        kWorld, {.shape = Shape::cylinder(radius, 1),
                 .pose = {Vec3::Zero(), Quat(Eigen::AngleAxis<Real>(M_PI / 2, Vec3::UnitX()))}}));
}

// A chain of links with a foot at each end, which touch the drum; the ends hang down on both sides alike. Links that touch it with
// their middles would be unstable: pulled inwards at both ends, a link turns about its only contact.
// That it rests needs no friction: both sides weigh the same, tensions grow from the hanging weight with the height, and every
// normal force, tension times turn plus weight, is positive. Friction keeps what is neutral without it.
void add_chain_over_drum(World& world, Dice& dice)
{
    const int around = 6 + dice.below(7), hanging = 1 + dice.below(4);
    const Real drum = dice.between(0.2, 0.6), foot = dice.between(0.01, 0.03);
    const Real turn = M_PI / around, reach = drum + foot;
    const Real length = 2 * reach * std::sin(turn / 2), mass = dice.decades(-1, 1);
    add_drum(world, drum);
    const auto joint = [&](int k) {
        const Real angle = std::clamp(k, 0, around) * turn;
        const int below = std::max({0, -k, k - around});
        return Vec3(reach * std::cos(angle), 0, reach * std::sin(angle) - below * length);
    };
    BodyId last = kWorld;
    for (int k = -hanging; k < around + hanging; ++k) {
        const Vec3 from = joint(k), to = joint(k + 1), middle = (from + to) / 2;
        BodyDef link;
        link.mass = mass;
        const Real across = mass * (length * length / 4 + foot * foot * 0.4);
        link.inertia = Vec3(across, across, mass * foot * foot * 0.4).asDiagonal();
        link.pose = {middle, Quat::FromTwoVectors(Vec3::UnitZ(), to - from)};
        const BodyId body = must(world.add_body(link));
        for (const Real z : {-length / 2, length / 2})
            must(world.add_collider(
                body, {.shape = Shape::sphere(foot), .pose = {Vec3(0, 0, z), Quat::Identity()}}));
        if (k > -hanging) must(world.add_joint(ball(last, body, from)));
        last = body;
    }
}

// A string of beads: rods between their centres.
void add_beads_over_drum(World& world, Dice& dice)
{
    const int around = 6 + dice.below(7), hanging = 1 + dice.below(4);
    const Real drum = dice.between(0.2, 0.6), turn = M_PI / around;
    const Real bead = drum * turn * dice.between(0.1, 0.4), reach = drum + bead;
    const Real apart = 2 * reach * std::sin(turn / 2), mass = dice.decades(-1, 1);
    add_drum(world, drum);
    BodyId last = kWorld;
    Vec3 before = Vec3::Zero();
    for (int k = -hanging; k <= around + hanging; ++k) {
        const Real angle = std::clamp(k, 0, around) * turn;
        const int below = std::max({0, -k, k - around});
        const Vec3 at(reach * std::cos(angle), 0, reach * std::sin(angle) - below * apart);
        const BodyId body =
            add_solid(world, {.shape = Shape::sphere(bead)}, {at, Quat::Identity()}, mass);
        if (k > -hanging) must(world.add_joint(rod(last, body, before, at)));
        last = body;
        before = at;
    }
}

}  // namespace

RestingScene resting_scene(std::uint64_t seed)
{
    Dice dice(seed);
    RestingScene scene;
    const Real angle = dice.between(0.9, 1.4), length = dice.between(0.5, 4);
    switch (seed % 5) {
        case 0:
            scene.story = "plank";
            add_leaning_bar(scene.world, dice, {length, length * dice.between(0.01, 0.04), angle},
                            dice.between(1.05, 2));
            break;
        case 1:
            scene.story = "ladder near its friction limit";
            add_leaning_bar(scene.world, dice, {length, length * dice.between(0.002, 0.01), angle},
                            1 + dice.decades(-3, -1.5));
            break;
        case 2:
            scene.story = "stack";
            add_stack(scene.world, dice);
            break;
        case 3:
            scene.story = "arch";
            add_arch(scene.world, dice);
            break;
        default:
            if (seed / 5 % 2 == 0) {
                scene.story = "chain over a drum";
                add_chain_over_drum(scene.world, dice);
            } else {
                scene.story = "beads over a drum";
                add_beads_over_drum(scene.world, dice);
            }
    }
    return scene;
}

RestOutcome watch_rest(World& world, const StepSettings& settings, Real seconds, long most)
{
    constexpr int kFirstSteps = 10, kRepeats = 20;
    const long steps = std::min(most, std::lround(seconds / settings.dt));
    RestOutcome out;
    std::vector<int> solves;
    std::vector<Vec3> start, before;
    int repeats = 0;
    const auto places = [&] {
        std::vector<Vec3> p;
        for (int b = 0; b < world.body_count(); ++b) p.push_back(world.centre_of_mass(BodyId{b}));
        return p;
    };
    start = before = places();
    for (long k = 0; k < steps + kFirstSteps && repeats < kRepeats; ++k) {
        const StepReport report = world.step(settings);
        const std::vector<Vec3> now = places();
        for (std::size_t b = 0; b < now.size(); ++b)
            out.moved = std::max(out.moved, (now[b] - start[b]).norm());
        if (k < kFirstSteps) {
            before = now;
            continue;
        }
        ++out.steps;
        if (!report.settled || report.status != StepStatus::Ok) ++out.unsettled;
        solves.push_back(report.solves);
        repeats = now == before && world.energy().kinetic() == 0 ? repeats + 1 : 0;
        before = now;
    }
    out.still = repeats == kRepeats;
    // a state that repeats itself goes on with the solves of its last step
    const int later = solves.back();
    const long more = out.still ? std::max(0L, std::lround(seconds / settings.dt) - out.steps) : 0;
    std::sort(solves.begin(), solves.end());
    const auto at_most = [&](int count) {
        return std::upper_bound(solves.begin(), solves.end(), count) - solves.begin() +
               (later <= count ? more : 0);
    };
    const auto quantile = [&](Real part) {
        const auto enough = [&](int count) {
            return Real(at_most(count)) >= part * Real(out.steps + more);
        };
        return *std::find_if(solves.begin(), solves.end(), enough);
    };
    out.median_solves = quantile(0.5);
    out.high_solves = quantile(0.999);
    out.most_solves = solves.back();
    return out;
}

}  // namespace taut::study

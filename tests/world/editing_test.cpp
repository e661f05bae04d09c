// Removing and changing things in a running world: ids, bits of what is not concerned, history, snapshots.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "support/bodies.h"
#include "support/boxes.h"
#include "support/sanitized.h"
#include "world/id_table.h"

namespace taut::test {
namespace {

constexpr Real kG = 9.81;

// --- ids ---

TEST(IdTable, StaleIdIsNeverAnotherItem)
{
    world::IdTable<BodyId> table;
    const BodyId a = table.add(), b = table.add(), c = table.add();
    EXPECT_EQ(b, (BodyId{1, 0}));
    table.renumber({0, -1, 1});
    EXPECT_EQ(table.find(a), 0);
    EXPECT_EQ(table.find(b), -1);
    EXPECT_EQ(table.find(c), 1);
    EXPECT_TRUE(table.is_stale(b));
    const BodyId d = table.add();
    EXPECT_EQ(d, (BodyId{1, 1})) << "the slot is used again";
    EXPECT_EQ(table.find(b), -1);
    EXPECT_EQ(table.find(d), 2);
    EXPECT_EQ(table.id_at(2), d);
    table.exchange(a, d);
    EXPECT_EQ(table.find(a), 2);
    EXPECT_EQ(table.id_at(0), d);
    EXPECT_EQ(table.find(BodyId{}), -1);
    EXPECT_EQ(table.find(kWorld), -1);
    EXPECT_EQ(table.find(BodyId{7, 0}), -1);
}

TEST(Ids, InvalidIdIsNotTheGround)
{
    static_assert(BodyId{} != kWorld && !BodyId{}.valid() && !kWorld.valid());
    World world;
    const BodyId body = add(world, {.name = "b"});
    EXPECT_TRUE(world.contains(kWorld));
    EXPECT_FALSE(world.contains(BodyId{}));
    EXPECT_EQ(world.name(kWorld), "world");
    EXPECT_THROW((void)world.name(BodyId{}), BadAccess);
    const auto lost = world.add_joint(ball(BodyId{}, body, {0, 0, 0}));
    ASSERT_FALSE(lost.ok());
    EXPECT_NE(lost.error().message.find("kWorld for the ground"), std::string::npos);
    EXPECT_FALSE(world.add_collider(BodyId{}, {}).ok());
    EXPECT_FALSE(world.add_load(push(BodyId{}, Vec3::UnitX())).ok());
    const JointId joint = must(world.add_joint(ball(kWorld, body, {0, 0, 0})));
    EXPECT_EQ(world.bodies(joint)[0], kWorld);
}

TEST(Ids, EveryFunctionRefusesAStaleOne)
{
    World world;
    const BodyId gone = add(world, {.name = "gone"});
    const JointId joint = must(world.add_joint(ball(kWorld, gone, {0, 0, 1})));
    must(world.remove(gone));
    const BodyId next = add(world, {.name = "next"});
    EXPECT_EQ(next.index, gone.index);
    const auto refused = [](const auto& result) {
        ASSERT_FALSE(result.ok());
        EXPECT_NE(result.error().message.find("was removed"), std::string::npos)
            << result.error().message;
    };
    refused(world.remove(gone));
    refused(world.remove(joint));
    refused(world.set_pose(gone, {}));
    refused(world.set_velocity(gone, {}));
    refused(world.set_wrench(gone, {}));
    refused(world.apply_impulse(gone, Vec3::UnitX()));
    refused(world.set_mass(gone, 1));
    refused(world.set_enabled(gone, false));
    refused(world.set_target(joint, 1));
    refused(world.add_collider(gone, {}));
    EXPECT_FALSE(world.add_joint(ball(kWorld, gone, {0, 0, 0})).ok());
    EXPECT_THROW((void)world.mass(gone), BadAccess);
    EXPECT_THROW((void)world.name(gone), BadAccess);
    EXPECT_THROW((void)world.joint(joint), BadAccess);
    EXPECT_FALSE(world.find_body("gone").has_value());
    EXPECT_EQ(world.find_body("next"), next);
}

// --- what goes with a body ---

TEST(Remove, TakesWhatIsAttachedAndCountsIt)
{
    World world;
    add_floor(world);
    std::array<BodyId, 3> bodies;
    for (int k = 0; k < 3; ++k) bodies[k] = add_box(world, 0.5, 1, {2.0 * k, 0, 3});
    const JointId first = must(world.add_joint(ball(bodies[0], bodies[1], {1, 0, 3})));
    const JointId second = must(world.add_joint(ball(bodies[1], bodies[2], {3, 0, 3})));
    const JointId kept = must(world.add_joint(ball(kWorld, bodies[2], {5, 0, 3})));
    SpringDef spring;
    spring.kind = SpringDef::Kind::Torsional;
    spring.bodies = {bodies[0], bodies[1]};
    spring.stiffness = 1;
    const SpringId twist = must(world.add_spring(spring));
    spring.bodies = {kWorld, bodies[2]};
    const SpringId other = must(world.add_spring(spring));
    const LoadId load = must(world.add_load(push(bodies[1], {1, 0, 0})));
    world.step({});
    const Removed removed = must(world.remove(bodies[1]));
    EXPECT_EQ(removed.bodies, 1);
    EXPECT_EQ(removed.joints, 2);
    EXPECT_EQ(removed.springs, 1);
    EXPECT_EQ(removed.loads, 1);
    EXPECT_EQ(removed.colliders, 1);
    EXPECT_FALSE(world.contains(first) || world.contains(second) || world.contains(twist));
    EXPECT_FALSE(world.contains(load));
    EXPECT_TRUE(world.contains(kept) && world.contains(other));
    EXPECT_EQ(world.body_count(), 2);
    EXPECT_EQ(world.joint_count(), 1);
    EXPECT_EQ(world.bodies(kept)[1], bodies[2]);
    EXPECT_EQ(world.bodies(other)[1], bodies[2]);
    EXPECT_EQ(world.body_at(1), bodies[2]);
    EXPECT_EQ(world.body_at(2), BodyId{});
    for (int i = 0; i < 200; ++i) ASSERT_EQ(world.step({}).status, StepStatus::Ok);
    EXPECT_NEAR(world.centre_of_mass(bodies[0]).z(), 0.25, 1e-3);
    EXPECT_LT(world.joint_gap(), 1e-6);
}

TEST(Remove, SeveralBodiesOrNone)
{
    World world;
    std::vector<BodyId> bodies;
    for (int k = 0; k < 5; ++k) bodies.push_back(add(world, {}));
    const std::array wrong = {bodies[1], BodyId{}, bodies[2]};
    EXPECT_FALSE(world.remove(wrong).ok());
    EXPECT_EQ(world.body_count(), 5);
    const std::array right = {bodies[3], bodies[0], bodies[3]};
    EXPECT_EQ(must(world.remove(right)).bodies, 2);
    EXPECT_TRUE(world.contains(bodies[1]) && world.contains(bodies[2]) &&
                world.contains(bodies[4]));
    EXPECT_EQ(must(world.remove(std::span<const BodyId>())).bodies, 0);
}

TEST(Remove, EverythingAndBeginAgain)
{
    World world;
    for (int round = 0; round < 3; ++round) {
        const BodyId body = add(world, {.pose = {{1, 0, 0}, Quat::Identity()}});
        must(world.add_joint(ball(kWorld, body, {0, 0, 0})));
        for (int i = 0; i < 20; ++i) ASSERT_EQ(world.step({.dt = 0.01}).status, StepStatus::Ok);
        EXPECT_LT(world.joint_gap(), 1e-6);
        must(world.remove(body));
        ASSERT_EQ(world.step({}).status, StepStatus::Ok);
        EXPECT_EQ(world.energy().total(), 0);
    }
}

// --- what is not concerned ---

struct Witness {
    std::vector<BodyId> bodies;
    bool same(const World& a, const World& b) const
    {
        return std::all_of(bodies.begin(), bodies.end(), [&](BodyId id) {
            const Pose p = a.pose(id), q = b.pose(id);
            const Twist v = a.velocity(id), w = b.velocity(id);
            return p.p == q.p && p.q.coeffs() == q.q.coeffs() && v.linear == w.linear &&
                   v.angular == w.angular;
        });
    }
};

// A chain, a pile and a motor: the first bodies of a world.
Witness add_witness(World& world)
{
    Witness out;
    BodyId previous = kWorld;
    for (int k = 0; k < 4; ++k) {
        const BodyId link =
            add(world, {.mass = 1.0 + 5 * k, .pose = {{0.5 * k + 0.25, -50, 0}, Quat::Identity()}});
        must(world.add_joint(ball(previous, link, {0.5 * k, -50, 0})));
        out.bodies.push_back(previous = link);
    }
    for (int k = 0; k < 3; ++k)
        out.bodies.push_back(add_box(world, 0.5, 1, {0.02 * k, 50, 0.26 + 0.51 * k}));
    const BodyId wheel = add(world, {.pose = {{0, 60, 2}, Quat::Identity()}});
    const JointDef axle = hinge(kWorld, wheel, {0, 60, 2}, Vec3::UnitX());
    must(world.add_joint(axle));
    must(world.add_joint(motor(axle, Schedule::sine(0, 5, 1))));
    out.bodies.push_back(wheel);
    return out;
}

TEST(Untouched, BitsAreTheSameWhateverIsAddedAndRemovedElsewhere)
{
    for (const bool sleep : {false, true})
        for (const bool alone : {true, false}) {
            StepSettings s;
            s.sleep = sleep;
            World edited, quiet;
            for (World* world : {&edited, &quiet}) {
                must(world->add_collider(kWorld, {.shape = Shape::plane()}));
                if (alone) continue;
                add(*world, {.pose = {{20, 0, 5}, Quat::Identity()}});
            }
            const Witness witness = add_witness(edited);
            add_witness(quiet);
            std::vector<BodyId> others;
            for (int i = 0; i < 150; ++i) {
                if (i % 5 == 2) {
                    const Vec3 p(0.7 * (i % 4), 0.1, 1 + 0.6 * (i % 3));
                    others.push_back(add_box(edited, 0.5, 1, p));
                    if (others.size() > 2)
                        must(edited.add_joint(ball(others[others.size() - 2], others.back(), p)));
                }
                if (i % 7 == 6) {
                    const std::size_t which = i % others.size();
                    must(edited.remove(others[which]));
                    others.erase(others.begin() + static_cast<std::ptrdiff_t>(which));
                }
                if (i % 20 == 13) must(edited.set_mass(others.back(), 1 + i));
                edited.step(s);
                quiet.step(s);
                ASSERT_TRUE(witness.same(edited, quiet)) << "step " << i << " sleep " << sleep;
            }
        }
}

// A single mechanism is stepped as one; what is added makes it an island among others.
TEST(Untouched, MechanismThatWasAloneGoesOnWithItsBits)
{
    Chain edited = make_chain({.links = 5, .ratio = 100}),
          quiet = make_chain({.links = 5, .ratio = 100});
    std::optional<BodyId> extra;
    for (int i = 0; i < 120; ++i) {
        if (i == 20) extra = add(edited.world, {.pose = {{0, 9, 0}, Quat::Identity()}});
        if (i == 50) must(edited.world.remove(*extra));
        edited.world.step({});
        quiet.world.step({});
        for (const BodyId link : quiet.links) {
            ASSERT_EQ(edited.world.pose(link).p, quiet.world.pose(link).p) << i;
            ASSERT_EQ(edited.world.velocity(link).angular, quiet.world.velocity(link).angular) << i;
        }
    }
}

TEST(Untouched, RefusedAdditionChangesNothing)
{
    Chain chain = make_chain({.links = 4});
    for (int i = 0; i < 20; ++i) chain.world.step({});
    const std::uint64_t before = chain.world.hash();
    BodyDef bad;
    bad.mass = -1;
    EXPECT_FALSE(chain.world.add_body(bad).ok());
    EXPECT_FALSE(chain.world.add_joint(ball(kWorld, BodyId{}, {0, 0, 0})).ok());
    EXPECT_FALSE(chain.world.add_collider(chain.links[0], {.shape = Shape::sphere(-1)}).ok());
    EXPECT_EQ(chain.world.hash(), before);
}

// --- history ---

// After the lower half is cut off, the upper one goes on with its two-step memory: no step begins afresh.
TEST(History, SurvivesWhereAJointIsRemoved)
{
    Chain chain = make_chain({.links = 6});
    for (int i = 0; i < 60; ++i) chain.world.step({});
    const Vec3 v = chain.world.velocity(chain.links[5]).linear;
    must(chain.world.remove(chain.world.joint_at(3)));
    EXPECT_EQ(chain.world.velocity(chain.links[5]).linear, v);
    StepReport report = chain.world.step({});
    EXPECT_EQ(report.islands, 2);
    EXPECT_EQ(report.restarts, 0);
    EXPECT_TRUE(report.settled);
    // energy is that of both parts, and is kept as well as before
    const Real energy = chain.world.energy().total();
    for (int i = 0; i < 120; ++i) report = chain.world.step({});
    EXPECT_NEAR(chain.world.energy().total(), energy, 0.02 * chain.drop);
}

TEST(History, PendulumKeepsItsPeriodThroughEdits)
{
    // small swings of a point mass on a rod; every 20 steps its passenger comes or goes, at rest relative to nothing else
    World world;
    constexpr Real kLength = 2, kAngle = 0.05;
    const BodyId bob = add(
        world,
        {.kind = BodyKind::Particle,
         .mass = 1,
         .pose = {{kLength * std::sin(kAngle), 0, -kLength * std::cos(kAngle)}, Quat::Identity()}});
    must(world.add_joint(rod(kWorld, bob, {0, 0, 0}, world.centre_of_mass(bob))));
    const Real period = 2 * std::numbers::pi * std::sqrt(kLength / kG) * (1 + kAngle * kAngle / 16);
    const int steps = 1000;
    const Real dt = period / steps;
    std::optional<BodyId> other;
    for (int i = 0; i < 3 * steps; ++i) {
        if (i % 20 == 5) other = add(world, {.pose = {{9, 9, 9}, Quat::Identity()}});
        if (i % 20 == 15) must(world.remove(*other));
        ASSERT_EQ(world.step({.dt = dt}).status, StepStatus::Ok);
    }
    // three periods; a scheme that began afresh at every edit would lose a tenth of the swing
    EXPECT_NEAR(world.centre_of_mass(bob).x(), kLength * std::sin(kAngle), 1e-3 * kLength * kAngle);
}

// --- changes ---

TEST(Change, MassGivesTheAcceleration)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    const BodyId body = add(world, {.mass = 2});
    must(world.set_wrench(body, {{6, 0, 0}, {0, 0, 4}}));
    for (int i = 0; i < 10; ++i) world.step({.dt = 0.01});
    EXPECT_NEAR(world.velocity(body).linear.x(), 0.3, 1e-9);
    const Twist before = world.velocity(body);
    must(world.set_mass(body, 4, Mat3::Identity() * 8));
    EXPECT_EQ(world.mass(body), 4);
    for (int i = 0; i < 10; ++i) world.step({.dt = 0.01});
    EXPECT_NEAR(world.velocity(body).linear.x() - before.linear.x(), 0.15, 1e-9);
    EXPECT_NEAR(world.velocity(body).angular.z() - before.angular.z(), 0.05, 1e-9);
    EXPECT_FALSE(world.set_mass(body, 0).ok());
    EXPECT_FALSE(world.set_mass(body, 1, Vec3(1, 1, 5).asDiagonal()).ok());
}

TEST(Change, ShapeAndMaterialOfACollider)
{
    World world;
    const ColliderId floor = must(world.add_collider(kWorld, {.shape = Shape::plane()}));
    const BodyId ball = add(world, {.mass = 1, .pose = {{0, 0, 1}, Quat::Identity()}});
    const ColliderId shape = must(world.add_collider(ball, {.shape = Shape::sphere(0.3)}));
    for (int i = 0; i < 120; ++i) world.step({});
    EXPECT_NEAR(world.centre_of_mass(ball).z(), 0.3, 1e-4);
    must(world.set_collider(shape, {.shape = Shape::sphere(0.2)}));
    for (int i = 0; i < 120; ++i) world.step({});
    EXPECT_NEAR(world.centre_of_mass(ball).z(), 0.2, 1e-4);
    // a box on a slope of 20°: it holds at μ = 0.5, and slides without friction
    const Quat slope(Eigen::AngleAxis<Real>(20 * std::numbers::pi / 180, Vec3::UnitY()));
    must(world.set_collider(floor, {.shape = Shape::plane(), .pose = {Vec3::Zero(), slope}}));
    must(world.remove(ball));
    const BodyId box = add_box(world, 0.4, 1, slope * Vec3(0, 0, 0.2), slope);
    for (int i = 0; i < 60; ++i) world.step({.dt = 0.01});
    const Vec3 rest = world.centre_of_mass(box);
    EXPECT_LT((rest - slope * Vec3(0, 0, 0.2)).norm(), 1e-3);
    must(world.set_collider(
        floor, {.shape = Shape::plane(), .pose = {Vec3::Zero(), slope}, .friction = 0}));
    for (int i = 0; i < 60; ++i) world.step({.dt = 0.01});
    const Real slid = (world.centre_of_mass(box) - rest).norm();
    const Real expected = kG * std::sin(20 * std::numbers::pi / 180) / 2 * 0.36;
    EXPECT_NEAR(slid, expected, 0.03 * expected);  // h/t of the first order of its start
    EXPECT_FALSE(world.set_collider(floor, {.shape = Shape::plane(), .friction = -1}).ok());
    EXPECT_FALSE(world.set_collider(shape, {}).ok()) << "it went with the ball";
}

TEST(Change, JointKeepsItsIdAndConnectsOthers)
{
    World world;
    const BodyId a = add(world, {.pose = {{1, 0, 0}, Quat::Identity()}});
    const BodyId b = add(world, {.pose = {{1, 5, 0}, Quat::Identity()}});
    JointDef def = ball(kWorld, a, {0, 0, 0});
    def.name = "hook";
    const JointId hook = must(world.add_joint(def));
    const JointId other = must(world.add_joint(ball(kWorld, b, {1, 5, 1})));
    for (int i = 0; i < 20; ++i) world.step({.dt = 0.01});
    JointDef wrong = def;
    wrong.type = "no such type";
    EXPECT_FALSE(world.set_joint(hook, wrong).ok());
    EXPECT_EQ(world.find_joint("hook"), hook) << "a refused change changes nothing";
    JointDef next = hinge(kWorld, b, {0, 5, 0}, Vec3::UnitY());
    next.name = "hook";
    must(world.remove(other));
    must(world.set_joint(hook, next));
    EXPECT_EQ(world.find_joint("hook"), hook);
    EXPECT_EQ(world.type(hook), "hinge");
    EXPECT_EQ(world.bodies(hook)[1], b);
    EXPECT_EQ(world.joint_count(), 1);
    const Vec3 v = world.velocity(a).linear, p = world.centre_of_mass(a);
    for (int i = 0; i < 20; ++i) ASSERT_EQ(world.step({.dt = 0.01}).status, StepStatus::Ok);
    EXPECT_NEAR((world.centre_of_mass(a) - p - 0.2 * v - Vec3(0, 0, -kG / 2 * 0.04)).norm(), 0,
                1e-3);
    EXPECT_LT(world.joint_gap(), 1e-6);
}

TEST(Change, ContactsAgainAfterTheJointBetweenTwoBodiesIsRemoved)
{
    World world;
    add_floor(world);
    const BodyId lower = add_box(world, 1, 1, {0, 0, 0.5}), upper = add_box(world, 1, 1, {0, 0, 2});
    const JointId link = must(world.add_joint(rod(lower, upper, {0, 0, 0.5}, {0, 0, 2})));
    must(world.remove(link));
    for (int i = 0; i < 120; ++i) world.step({});
    EXPECT_NEAR(world.centre_of_mass(upper).z(), 1.5, 1e-3);
}

TEST(Change, WhatSleptOnARemovedFloorFalls)
{
    World world;
    const ColliderId floor = must(world.add_collider(kWorld, {.shape = Shape::plane()}));
    const BodyId box = add_box(world, 1, 1, {0, 0, 0.5});
    StepSettings s;
    s.sleep = true;
    for (int i = 0; i < 120; ++i) world.step(s);
    ASSERT_TRUE(world.asleep(box));
    must(world.remove(floor));
    for (int i = 0; i < 60; ++i) world.step(s);
    EXPECT_LT(world.centre_of_mass(box).z(), -4);
}

// --- snapshots ---

TEST(EditSnapshot, ImageOfBeforeIsRefusedUnlessAllIsThereAgain)
{
    World world;
    add_floor(world);
    const BodyId a = add_box(world, 1, 1, {0, 0, 0.5});
    const BodyId b = add_box(world, 1, 1, {3, 0, 0.5});
    for (int i = 0; i < 10; ++i) world.step({});
    const std::vector<std::byte> image = world.snapshot();
    const std::uint64_t hash = world.hash();
    const BodyId extra = add_box(world, 1, 1, {6, 0, 0.5});
    const Status more = world.restore(image);
    ASSERT_FALSE(more.ok());
    EXPECT_NE(more.error().message.find("'body' is 2 in the image, 3 in this world"),
              std::string::npos)
        << more.error().message;
    world.step({});
    must(world.remove(extra));
    must(world.restore(image));
    EXPECT_EQ(world.hash(), hash);
    must(world.set_mass(a, 2, Mat3::Identity()));
    const Status heavier = world.restore(image);
    ASSERT_FALSE(heavier.ok());
    EXPECT_NE(heavier.error().message.find("mass, inertia"), std::string::npos);
    must(world.remove(b));
    EXPECT_FALSE(world.restore(image).ok());
    must(world.restore(world.snapshot()));
}

// --- very many ---

class RandomEdits {
public:
    explicit RandomEdits(std::uint32_t seed) : random_(seed)
    {
        for (World* world : {&edited_, &quiet_}) {
            must(world->add_collider(kWorld, {.shape = Shape::plane()}));
            witness_ = add_witness(*world);
        }
    }

    void run(int edits)
    {
        for (int k = 0; k < edits && !testing::Test::HasFatalFailure(); ++k) {
            edit();
            if (k % 25 == 24) step();
            if (k % 500 == 499) check_snapshot();
            if (k % 100 == 99) check_ids();
        }
    }

private:
    int draw(std::size_t count)
    {
        return static_cast<int>(std::uniform_int_distribution<std::size_t>(0, count - 1)(random_));
    }
    template <class IdType>
    IdType take(std::vector<IdType>& ids)
    {
        const int which = draw(ids.size());
        const IdType id = ids[which];
        ids.erase(ids.begin() + which);
        return id;
    }
    Vec3 place() { return {Real(draw(12)), Real(draw(12)), 0.5 + draw(4)}; }

    void edit();
    void add();
    void remove_body();
    void forget_removed();
    void step();
    void check_ids();
    void check_snapshot();

    std::mt19937 random_;
    World edited_, quiet_;
    Witness witness_;
    std::vector<BodyId> bodies_, gone_;
    std::vector<JointId> joints_, gone_joints_;
    std::vector<SpringId> springs_;
    std::vector<ColliderId> colliders_;
    std::vector<LoadId> loads_;
};

void RandomEdits::add()
{
    const Real kind = draw(10);
    if (kind < 5 || bodies_.size() < 3) {
        BodyDef def;
        def.kind = draw(8) == 0 ? BodyKind::Kinematic : BodyKind::Rigid;
        def.pose.p = place();
        def.mass = 1 + draw(5);
        bodies_.push_back(must(edited_.add_body(def)));
        if (draw(3) > 0)
            colliders_.push_back(
                must(edited_.add_collider(bodies_.back(), {.shape = Shape::sphere(0.2)})));
        return;
    }
    const BodyId a = draw(3) == 0 ? kWorld : bodies_[draw(bodies_.size())];
    const BodyId b = bodies_[draw(bodies_.size())];
    const Vec3 p = edited_.pose(b).p + Vec3(0.1, 0.2, 0.3);
    if (kind < 8) {
        JointDef def = draw(2) == 0 ? ball(a, b, p) : hinge(a, b, p, Vec3::UnitX());
        def.compliance = 1e-4;  // loops of such joints need not contradict each other
        def.angular_compliance = 1e-3;
        if (auto made = edited_.add_joint(def)) joints_.push_back(*made);
    } else if (kind < 9) {
        SpringDef def;
        def.kind = SpringDef::Kind::Torsional;
        def.bodies = {a, b};
        def.stiffness = 1;
        if (auto made = edited_.add_spring(def)) springs_.push_back(*made);
    } else if (auto made = edited_.add_load(push(b, {1, 0, 0}))) {
        loads_.push_back(*made);
    }
}

void RandomEdits::forget_removed()
{
    std::erase_if(joints_, [&](JointId id) {
        if (edited_.contains(id)) return false;
        gone_joints_.push_back(id);
        return true;
    });
    std::erase_if(springs_, [&](SpringId id) { return !edited_.contains(id); });
    std::erase_if(colliders_, [&](ColliderId id) { return !edited_.contains(id); });
    std::erase_if(loads_, [&](LoadId id) { return !edited_.contains(id); });
}

void RandomEdits::remove_body()
{
    gone_.push_back(take(bodies_));
    const std::size_t joints = joints_.size(), springs = springs_.size();
    const Removed removed = must(edited_.remove(gone_.back()));
    forget_removed();
    EXPECT_EQ(joints - joints_.size(), static_cast<std::size_t>(removed.joints));
    EXPECT_EQ(springs - springs_.size(), static_cast<std::size_t>(removed.springs));
}

void RandomEdits::edit()
{
    if (bodies_.size() < 4 || (bodies_.size() < 30 && draw(2) == 0)) return add();
    switch (draw(8)) {
        case 0:
            if (!joints_.empty()) {
                gone_joints_.push_back(take(joints_));
                must(edited_.remove(gone_joints_.back()));
            }
            break;
        case 1:
            if (!springs_.empty()) must(edited_.remove(take(springs_)));
            break;
        case 2:
            if (!colliders_.empty()) must(edited_.remove(take(colliders_)));
            break;
        case 3:
            if (!loads_.empty()) must(edited_.remove(take(loads_)));
            break;
        case 4: {
            const BodyId b = bodies_[draw(bodies_.size())];
            must(edited_.set_enabled(b, !edited_.enabled(b)));
            break;
        }
        default: remove_body();
    }
}

void RandomEdits::step()
{
    edited_.step({.max_solves = 20});
    quiet_.step({.max_solves = 20});
    ASSERT_TRUE(witness_.same(edited_, quiet_)) << "at " << edited_.steps();
}

void RandomEdits::check_ids()
{
    for (const BodyId id : gone_) {
        ASSERT_FALSE(edited_.contains(id));
        ASSERT_FALSE(edited_.set_velocity(id, {}).ok());
    }
    for (const JointId id : gone_joints_) ASSERT_FALSE(edited_.contains(id));
    for (const BodyId id : bodies_) ASSERT_TRUE(edited_.contains(id));
    for (const JointId id : joints_)
        for (const BodyId b : edited_.bodies(id)) ASSERT_TRUE(b == BodyId{} || edited_.contains(b));
    EXPECT_EQ(edited_.body_count(), static_cast<int>(bodies_.size() + witness_.bodies.size()));
}

void RandomEdits::check_snapshot()
{
    const std::vector<std::byte> image = edited_.snapshot();
    const std::uint64_t before = edited_.hash();
    edited_.step({.max_solves = 20});
    const std::uint64_t after = edited_.hash();
    must(edited_.restore(image));
    ASSERT_EQ(edited_.hash(), before);
    edited_.step({.max_solves = 20});
    quiet_.step({.max_solves = 20});
    ASSERT_EQ(edited_.hash(), after);
}

TEST(RandomEdits, TenThousandLeaveTheRestAloneAndNoIdComesBack)
{
    RandomEdits(11).run(kSanitized ? 2'500 : 10'000);
}

}  // namespace
}  // namespace taut::test

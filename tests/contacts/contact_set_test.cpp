// From colliders to rows: where they are, what they start from, what they may keep of a penetration.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "contacts/contact_set.h"
#include "model/builder.h"
#include "support/mechanisms.h"

namespace taut::test {
namespace {

struct Scene {
    Model model;
    State state = make_state();
    StepRows rows;
    contacts::ContactSet contacts;

    BodyIndex add_ball(const Vec3& p, const ColliderDef& collider)
    {
        BodyDef def;
        def.inertia = 0.4 * Mat3::Identity();
        def.pose.p = p;
        const BodyIndex b = must(add_body(model, state, def));
        must(contacts.add(model, state, b, collider));
        return b;
    }
    void add_floor(Real friction)
    {
        must(contacts.add(model, state, kGround, {.shape = Shape::plane(), .friction = friction}));
    }
    void update(Real dt) { contacts.update(model, dt, state, rows); }
    bool penetrates_anew()
    {
        const auto found = contacts.find_penetration(model, state);
        return std::any_of(found.begin(), found.end(),
                           [](const contacts::Penetration& one) { return one.is_new(); });
    }
};

ColliderDef sphere(Real friction) { return {.shape = Shape::sphere(0.5), .friction = friction}; }

TEST(ContactSet, RowsFollowTheJointsAndTheModelStays)
{
    Scene scene;
    scene.add_floor(0.9);
    ColliderDef shape = sphere(0.4);
    scene.add_ball({0, 0, 0.5}, shape);
    const BodyIndex hanging = scene.add_ball({5, 0, 9}, shape);
    must(add_joint(scene.model, scene.state, ball(kWorld, BodyId{hanging - 1}, {5, 0, 9})));
    const std::uint64_t topology = scene.model.topology;
    scene.update(0.01);
    ASSERT_EQ(scene.contacts.contacts().size(), 1u);
    EXPECT_EQ(scene.rows.table.joint_rows, 3);
    EXPECT_EQ(scene.rows.table.count, 6);
    EXPECT_EQ(scene.state.lambda.size(), 6u);
    EXPECT_NEAR(scene.rows.coefficients_of(1).friction, 0.6, 1e-15);  // √(0.9·0.4)
    EXPECT_EQ(scene.model.rows.count, 3);
    EXPECT_EQ(scene.model.topology, topology);

    // the same contacts again: no other layout
    const std::uint64_t before = scene.rows.topology;
    scene.update(0.01);
    EXPECT_EQ(scene.rows.topology, before);
    contacts::ContactSet::drop(scene.rows, scene.state);
    EXPECT_EQ(scene.state.lambda.size(), 3u);
}

TEST(ContactSet, RefusalsNameTheBodyAndTheNumber)
{
    Scene scene;
    BodyDef def;
    def.name = "sledge";
    const BodyIndex b = must(add_body(scene.model, scene.state, def));
    const auto refusal = [&](const ColliderDef& collider) {
        const auto added = scene.contacts.add(scene.model, scene.state, b, collider);
        return added ? std::string() : added.error().message;
    };
    ColliderDef bouncing = sphere(0.4), sticky = sphere(0.4);
    bouncing.restitution = 1.25;
    sticky.static_friction = 0.3;
    EXPECT_EQ(refusal(sphere(-2)),
              "collider of 'sledge': a coefficient of friction is -2; it must be finite and not "
              "negative");
    EXPECT_EQ(refusal(bouncing),
              "collider of 'sledge': restitution is 1.25; it must be between 0 and 1");
    EXPECT_EQ(
        refusal(sticky),
        "collider of 'sledge': static friction is 0.3; it must not be below that of sliding, 0.4");
    ColliderDef belt = sphere(0.4);
    belt.surface_velocity.y() = std::numeric_limits<Real>::infinity();
    EXPECT_EQ(refusal(belt), "collider of 'sledge': its surface velocity must be finite");
}

TEST(ContactSet, RollingResistanceFollowsItsContact)
{
    Scene scene;
    ColliderDef floor{.shape = Shape::plane()};
    ColliderDef shape = sphere(0.5);
    floor.rolling_friction = shape.rolling_friction = 0.02;
    must(scene.contacts.add(scene.model, scene.state, kGround, floor));
    scene.add_ball({0, 0, 0.5}, shape);
    scene.update(0.01);
    ASSERT_EQ(scene.rows.table.groups.size(), 2u);
    const ContactCoefficients& of = scene.rows.coefficients_of(1);
    EXPECT_EQ(of.normal_row, scene.rows.table.groups[0].first_row);
    EXPECT_NEAR(of.rolling, 0.02, 1e-15);
    EXPECT_EQ(scene.rows.table.units[3], constraints::RowUnit::Angle);
}

// The force that a contact had is where its multipliers start, whichever body carries the normal.
TEST(ContactSet, WarmStartIsCarriedByFeature)
{
    Scene scene;
    scene.add_floor(0.5);
    ColliderDef cube{.shape = Shape::box(Vec3::Constant(1)), .friction = 0.5};
    const BodyIndex b = scene.add_ball({0, 0, 0.5}, cube);
    scene.update(0.01);
    const std::size_t count = scene.contacts.contacts().size();
    ASSERT_EQ(count, 4u);
    for (std::size_t k = 0; k < count; ++k) {
        Real* lambda = &scene.state.lambda[3 * k];
        lambda[0] = 10 + static_cast<Real>(k);
        lambda[1] = 1;
        lambda[2] = -2;
    }
    const std::vector<Real> forces = scene.state.lambda;
    scene.contacts.remember(scene.rows, scene.state);
    for (const ContactMemory& memory : scene.state.contacts)
        EXPECT_NEAR(std::abs(memory.force.z()), memory.force.norm(), 3) << "mostly upwards";

    scene.state.p[b].x() += 1e-3;  // it moved a little: the same corners
    scene.update(0.01);
    ASSERT_EQ(scene.state.lambda.size(), forces.size());
    for (std::size_t r = 0; r < forces.size(); ++r)
        EXPECT_NEAR(scene.state.lambda[r], forces[r], 1e-12) << r;

    scene.state.contacts.clear();  // nothing remembered: starts from zero
    scene.update(0.01);
    for (const Real force : scene.state.lambda) EXPECT_EQ(force, 0);
}

// A penetration may stay but for the share that a step is to recover.
TEST(ContactSet, PenetrationIsRecoveredOverATimeThatIsNotTheStep)
{
    for (const Real dt : {0.001, 0.01}) {
        Scene scene;
        scene.add_floor(0.5);
        ColliderDef shape = sphere(0.5);
        scene.add_ball({0, 0, 0.49}, shape);
        scene.update(dt);
        ASSERT_EQ(scene.rows.contacts.items.size(), 1u);
        EXPECT_NEAR(scene.rows.contacts.items[0].rest, -0.01 * std::exp(-dt / 0.1), 1e-12);
    }
}

TEST(ContactSet, NewPenetrationIsSeenAndOldOneIsNot)
{
    Scene scene;
    scene.add_floor(0.5);
    ColliderDef shape = sphere(0.5);
    const BodyIndex b = scene.add_ball({0, 0, 0.45}, shape);
    scene.update(0.01);
    scene.state.p[b].x() += 0.3;  // as deep as it was
    EXPECT_FALSE(scene.penetrates_anew());
    ASSERT_EQ(scene.contacts.find_penetration(scene.model, scene.state).size(), 1u);
    EXPECT_NEAR(scene.contacts.find_penetration(scene.model, scene.state)[0].share, 0.1, 1e-12);
    scene.update(0.01);
    scene.state.p[b].z() -= 0.1;
    EXPECT_TRUE(scene.penetrates_anew());
}

// An attempt at a step ends in the floor, which nothing announced at its start: the next attempt knows where.
TEST(ContactSet, ContactsThatAnAttemptEndedWithServeTheNextOne)
{
    Scene scene;
    scene.add_floor(0.5);
    ColliderDef shape = sphere(0.5);
    const BodyIndex b = scene.add_ball({0, 0, 1}, shape);
    scene.update(0.01);
    ASSERT_TRUE(scene.contacts.contacts().empty());
    scene.state.p[b].z() = 0.4;
    ASSERT_TRUE(scene.penetrates_anew());
    const std::vector<collision::ContactPoint> late(scene.contacts.late().begin(),
                                                    scene.contacts.late().end());
    ASSERT_EQ(late.size(), 1u);
    scene.state.p[b].z() = 1;
    scene.contacts.update(scene.model, 0.01, scene.state, scene.rows, {}, late);
    ASSERT_EQ(scene.contacts.contacts().size(), 1u);
    EXPECT_NEAR(scene.contacts.contacts()[0].gap, 0.5, 1e-12);
    EXPECT_EQ(scene.rows.contacts.items.size(), 1u);
    scene.update(0.01);
    EXPECT_TRUE(scene.contacts.contacts().empty());
}

}  // namespace
}  // namespace taut::test

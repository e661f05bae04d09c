// What the builder refuses, what it adds, and that no array of a state is left out by the visitor.
#include <gtest/gtest.h>

#include "model/builder.h"
#include "model/kinematic.h"
#include "model/step_model.h"
#include "support/mechanisms.h"

namespace taut::test {
namespace {

struct Draft {
    Model model;
    State state = make_state();

    BodyIndex add(const BodyDef& def) { return must(add_body(model, state, def)); }
};

BodyDef box(const char* name, const Vec3& p)
{
    BodyDef def;
    def.name = name;
    def.mass = 2;
    def.inertia = Vec3(1, 2, 2.5).asDiagonal();
    def.pose.p = p;
    return def;
}

// Every vector that is a member of State is visited, or is one of the two lists that for_each_array names as exceptions:
// a new array that is not visited makes the State larger than the sum of the parts.
// A number of a joint or a row is not taken for that of a body.
static_assert(!std::is_convertible_v<int, BodyIndex> && !std::is_convertible_v<long, BodyIndex>);
static_assert(index_of(kWorld) == kGround && id_of(BodyIndex(3)) == BodyId{2});

TEST(StateArrays, VisitorReachesEveryArray)
{
    State state = make_state();
    std::size_t bytes = 0;
    std::vector<const void*> seen;
    for_each_array(
        [&](const auto& array) {
            bytes += sizeof array;
            seen.push_back(&array);
        },
        state);
    const std::size_t others = sizeof state.time + sizeof state.clock + sizeof state.steps +
                               sizeof state.last_step + sizeof state.contacts +
                               sizeof state.division + sizeof state.commands;
    EXPECT_EQ(bytes + others, sizeof(State));
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end()) << "an array is visited twice";
}

TEST(StateArrays, BodyArraysHaveAnEntryPerBody)
{
    Draft draft;
    draft.add(box("a", {0, 0, 1}));
    draft.add(box("b", {0, 0, 2}));
    for_each_body_array([](const auto& array) { EXPECT_EQ(array.size(), 3u); }, draft.state);
    for_each_row_array([](const auto& array) { EXPECT_TRUE(array.empty()); }, draft.state);
    EXPECT_EQ(draft.model.bodies.size(), draft.model.body_details.size());
}

TEST(RowTable, GroupsFollowEachOtherAndKnowTheirBodies)
{
    Draft draft;
    draft.add(box("a", {0, 0, 1}));
    draft.add(box("b", {0, 0, 2}));
    JointDef first = hinge(kWorld, BodyId{0}, {0, 0, 1}, Vec3::UnitX());
    first.compliance = 1e-4;
    JointDef second = ball(BodyId{0}, BodyId{1}, {0, 0, 1.5});
    second.damping_time = 0.1;
    must(add_joint(draft.model, draft.state, first));
    must(add_joint(draft.model, draft.state, second));
    const RowTable& rows = draft.model.rows;
    ASSERT_EQ(rows.groups.size(), 2u);
    EXPECT_EQ(rows.groups[0].rows, 5);
    EXPECT_EQ(rows.groups[1].first_row, 5);
    EXPECT_EQ(rows.count, 8);
    EXPECT_TRUE(rows.groups[0].compliant);
    EXPECT_FALSE(rows.groups[0].damped);
    EXPECT_TRUE(rows.groups[1].damped);
    const auto bodies = rows.bodies(rows.groups[1]);
    ASSERT_EQ(bodies.size(), 2u);
    EXPECT_EQ(bodies[0], 1);
    EXPECT_EQ(bodies[1], 2);
    EXPECT_FALSE(rows.has_contacts());
    EXPECT_EQ(draft.state.lambda.size(), 8u);
}

TEST(StepRows, ContactsFollowTheJointsAndCanBeDropped)
{
    Draft draft;
    draft.add(box("a", {0, 0, 1}));
    JointDef limited = rope(kWorld, BodyId{0}, {0, 0, 3}, {0, 0, 1});
    must(add_joint(draft.model, draft.state, limited));
    StepRows rows;
    rows.load_joints(draft.model);
    const std::uint64_t before = rows.topology;
    const int contact = rows.append_contact();
    const int resistance = rows.append_resistance(rows.table.groups[contact].first_row);
    const StepModel step(draft.model, rows);
    EXPECT_FALSE(step.rows.is_contact(0));
    EXPECT_TRUE(step.rows.is_contact(contact));
    EXPECT_TRUE(step.rows.is_contact_row(1));
    EXPECT_EQ(step.rows.inequalities, (std::vector<int>{0, contact, resistance}));
    EXPECT_EQ(rows.coefficients_of(resistance).normal_row, 1);
    EXPECT_EQ(draft.model.rows.count, 1) << "the model does not change";
    EXPECT_EQ(step.pool<Contact>().items.size(), 1u);

    rows.drop_contacts();
    EXPECT_EQ(rows.table.count, 1);
    EXPECT_EQ(rows.table.inequalities, std::vector<int>{0});
    EXPECT_TRUE(rows.contacts.items.empty() && rows.coefficients.empty());
    EXPECT_GT(rows.topology, before);
}

TEST(Builder, RefusesWhatIsNoBody)
{
    Draft draft;
    draft.add(box("a", Vec3::Zero()));
    const auto why = [&](auto&& change) {
        BodyDef def = box("b", Vec3::Zero());
        change(def);
        const auto added = add_body(draft.model, draft.state, def);
        return added ? std::string() : added.error().message;
    };
    EXPECT_NE(why([](BodyDef& d) { d.name = "a"; }).find("of that name"), std::string::npos);
    EXPECT_NE(why([](BodyDef& d) { d.mass = -1; }).find("mass"), std::string::npos);
    EXPECT_NE(why([](BodyDef& d) { d.inertia = Vec3(1, 1, 3).asDiagonal(); }).find("no real body"),
              std::string::npos);
    EXPECT_EQ(draft.model.bodies.size(), 2u) << "nothing was added";
    for_each_body_array([](const auto& array) { EXPECT_EQ(array.size(), 2u); }, draft.state);
}

TEST(Builder, RefusedJointChangesNothing)
{
    Draft draft;
    draft.add(box("a", Vec3::Zero()));
    JointDef self = ball(BodyId{0}, BodyId{0}, Vec3::Zero());
    EXPECT_FALSE(add_joint(draft.model, draft.state, self));
    JointDef unknown = ball(kWorld, BodyId{0}, Vec3::Zero());
    unknown.type = "contact";  // made by the collision search alone
    EXPECT_FALSE(add_joint(draft.model, draft.state, unknown));
    EXPECT_EQ(draft.model.rows.count, 0);
    EXPECT_TRUE(draft.model.joints.empty());
    EXPECT_TRUE(draft.state.lambda.empty() && draft.state.broken.empty());
}

// A body that turns about an axis beside its centre of mass, at 2 rad/s.
TEST(KinematicMotion, PoseAndMeanVelocityAreThoseOfTheSchedule)
{
    Draft draft;
    BodyDef def;
    def.kind = BodyKind::Kinematic;
    def.centre_of_mass = {1, 0, 0};
    def.motion.angle = Schedule::through({{0, 0}, {10, 20}}, Schedule::Kind::Linear);
    def.motion.shift[2] = Schedule::through({{0, 0}, {10, 5}}, Schedule::Kind::Linear);
    const BodyIndex b = draft.add(def);
    const Real time = 0.3, dt = 0.1;
    apply_kinematic_motion(draft.model, b, time, draft.state);
    const Vec3 p(std::cos(0.6), std::sin(0.6), 0.15);
    EXPECT_LT((draft.state.p[b] - p).norm(), 1e-14);
    const Twist mean = kinematic_velocity(draft.model, b, draft.state.p[b], time, dt);
    const Vec3 to(std::cos(0.8), std::sin(0.8), 0.2);
    EXPECT_LT((mean.linear - (to - p) / dt).norm(), 1e-12);
    EXPECT_LT((mean.angular - Vec3(0, 0, 2)).norm(), 1e-12);
    // bodies of other kinds stay
    const Vec3 ground = draft.state.p[kGround];
    apply_kinematic_motion(draft.model, kGround, time, draft.state);
    EXPECT_EQ(draft.state.p[kGround], ground);
}

}  // namespace
}  // namespace taut::test

// Joint types that the caller's program brings along.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>

#include <taut/joints.h>
#include <taut/world.h>

#include "constraints/curved_joint.h"

namespace taut::test {
namespace {

// What the engine has as `ball`: φ = p_0 − p_1 in world axes, without K̃ of its own.
class OwnBall : public CustomJoint {
public:
    std::string_view name() const noexcept override { return "own_ball"; }
    int rows() const noexcept override { return 3; }
    void evaluate(const FramePair& X, CustomRows& out) const noexcept override
    {
        out.phi.head<3>() = X[0].p - X[1].p;
        out.J[0].topRows<3>().setZero();
        out.J[1].topRows<3>().setZero();
        out.J[0].topLeftCorner<3, 3>().setIdentity();
        out.J[1].topLeftCorner<3, 3>() = -Mat3::Identity();
    }
    void geometric_stiffness(const FramePair&, std::span<const Real>,
                             CustomStiffness& K) const noexcept override
    {
        for (auto& row : K)
            for (auto& block : row) block.setZero();
    }
};

// The origin of frame 1 stays above the plane u, v of frame 0.
class Above : public CustomJoint {
public:
    explicit Above(Real height = 0) : height_(height) {}
    std::string_view name() const noexcept override { return "above"; }
    int rows() const noexcept override { return 1; }
    RowLaw law() const noexcept override { return RowLaw::NonNegative; }
    std::span<const Real> parameters() const noexcept override { return {&height_, 1}; }
    void evaluate(const FramePair& X, CustomRows& out) const noexcept override
    {
        const Vec3 d = X[1].p - X[0].p, n = X[0].R.col(2);
        out.phi[0] = d.dot(n) - height_;
        out.J[0].row(0) << -n.transpose(), n.cross(d).transpose();
        out.J[1].row(0) << n.transpose(), 0, 0, 0;
    }

private:
    Real height_;
};

// A chain of rods, each held by the one before.
struct Chain {
    World world;
    std::vector<BodyId> links;

    explicit Chain(const std::shared_ptr<const CustomJoint>& custom, int count = 4)
    {
        BodyId above = kWorld;
        for (int i = 0; i < count; ++i) {
            BodyDef link;
            link.mass = 1 + i;
            link.inertia = Vec3(0.02, 0.03, 0.04).asDiagonal();
            link.pose.p = {0.3 * i + 0.15, 0, 0};
            link.velocity.angular = {0.5, 0.2 * i, -0.3};
            links.push_back(world.add_body(link).value());
            JointDef joint = ball(above, links.back(), {0.3 * i, 0, 0});
            joint.custom = custom;
            EXPECT_TRUE(world.add_joint(joint).ok());
            above = links.back();
        }
    }
};

Real distance(const Chain& a, const Chain& b)
{
    Real worst = 0;
    for (std::size_t i = 0; i < a.links.size(); ++i)
        worst = std::max(worst, (a.world.pose(a.links[i]).p - b.world.pose(b.links[i]).p).norm());
    return worst;
}

class CustomBall : public ::testing::TestWithParam<Scheme> {};

// J, K̃ and tension form are those of `ball`, so that every solve has the same numbers but for the order of some sums.
TEST_P(CustomBall, MovesAsTheBallOfTheEngine)
{
    Chain own(std::make_shared<OwnBall>()), engine(nullptr);
    const StepSettings settings{
        .dt = 0.005, .tolerance = 1e-10, .research = {.scheme = GetParam()}};
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(own.world.step(settings).status, StepStatus::Ok);
        ASSERT_EQ(engine.world.step(settings).status, StepStatus::Ok);
    }
    EXPECT_GT((own.world.pose(own.links[3]).p - Vec3(1.05, 0, 0)).norm(), 0.1) << "it moved";
    EXPECT_LT(distance(own, engine), 1e-12);
}
INSTANTIATE_TEST_SUITE_P(Schemes, CustomBall,
                         ::testing::Values(Scheme::Bdf2, Scheme::Adams, Scheme::BackwardEuler,
                                           Scheme::AlphaBeta, Scheme::Shake, Scheme::Lagrange),
                         [](const auto& of) {
                             return std::string(choice_name(schemes(), of.param));
                         });

// The midpoint scheme takes rows from outside at the end of the step and corrects them, those of `ball` at the mean: both are of
// second order, so that the difference falls with the square of the step.
TEST(CustomJoint, OfTheDefaultSchemeConvergesToTheBallOfTheEngine)
{
    const auto difference = [](int steps) {
        Chain own(std::make_shared<OwnBall>()), engine(nullptr);
        const StepSettings settings{.dt = 0.5 / steps, .tolerance = 1e-10};
        for (int i = 0; i < steps; ++i) {
            EXPECT_EQ(own.world.step(settings).status, StepStatus::Ok);
            EXPECT_EQ(engine.world.step(settings).status, StepStatus::Ok);
        }
        return distance(own, engine);
    };
    const Real coarse = difference(100), fine = difference(200);
    EXPECT_LT(coarse, 2e-3);
    EXPECT_LT(fine, std::max(0.35 * coarse, 1e-9));
}

TEST(CustomJoint, IsRefusedByTheReducedScheme)
{
    Chain own(std::make_shared<OwnBall>());
    const StepReport report = own.world.step({.research = {.scheme = Scheme::Reduced}});
    EXPECT_EQ(report.status, StepStatus::Refused);
    EXPECT_FALSE(report.reason.empty());
}

TEST(CustomJoint, WithAOneSidedRowStopsABodyAndLetsItGo)
{
    World world;
    BodyDef stone;
    stone.kind = BodyKind::Particle;
    stone.pose.p = {0, 0, 1};
    const BodyId body = world.add_body(stone).value();
    JointDef def;
    def.bodies = {kWorld, body};
    def.frames[1].p = stone.pose.p;
    def.custom = std::make_shared<Above>(0.2);
    const JointId joint = world.add_joint(def).value();
    for (int i = 0; i < 100; ++i) ASSERT_EQ(world.step({.dt = 0.01}).status, StepStatus::Ok);
    EXPECT_NEAR(world.pose(body).p.z(), 0.2, 1e-3);
    EXPECT_NEAR(world.joint(joint).force.z(), 9.81, 0.1);
    ASSERT_TRUE(world.set_gravity({0, 0, 9.81}).ok());
    for (int i = 0; i < 50; ++i) ASSERT_EQ(world.step({.dt = 0.01}).status, StepStatus::Ok);
    EXPECT_NEAR(world.pose(body).p.z(), 0.2 + 9.81 / 8, 0.1);
}

TEST(CustomJoint, IsCalledByItsName)
{
    Chain own(std::make_shared<OwnBall>());
    EXPECT_EQ(own.world.type(own.world.joint_at(0)), "own_ball");

    JointDef twice = ball(kWorld, own.links[0], {0, 0, 0});
    twice.custom = std::make_shared<OwnBall>();
    twice.parameters = {{"length", 1}};
    const auto refused = own.world.add_joint(twice);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("own_ball: has no parameter 'length'"),
              std::string::npos)
        << refused.error().message;
}

TEST(CustomJoint, CannotBeNamedLikeAnEntryOfTheList)
{
    Chain own(nullptr);
    JointDef def = ball(kWorld, own.links[0], {0, 0, 0});
    def.type = "custom_3";
    EXPECT_FALSE(own.world.add_joint(def).ok());
    EXPECT_EQ(find_joint_type("custom_3"), nullptr);
}

TEST(CustomJoint, OfTooManyRowsIsRefused)
{
    struct Seven : OwnBall {
        int rows() const noexcept override { return 7; }
    };
    World world;
    const BodyId body = world.add_body({}).value();
    JointDef def = ball(kWorld, body, {0, 0, 0});
    def.custom = std::make_shared<Seven>();
    const auto refused = world.add_joint(def);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("has 7 rows; allowed are 1 to 6"), std::string::npos);
}

// With rows of all sizes and both units: the same bits after restore().
TEST(CustomJoint, IsPartOfSnapshots)
{
    World world;
    std::vector<BodyId> bodies;
    std::vector<std::shared_ptr<CurvedJoint>> types;
    for (int rows = 1; rows <= kMostCustomRows; ++rows) {
        BodyDef def;
        def.pose.p = {Real(rows), 0, 0};
        def.velocity.angular = {0.3, -0.2, 0.5};
        bodies.push_back(world.add_body(def).value());
        JointDef joint;
        joint.bodies = {kWorld, bodies.back()};
        for (int k = 0; k < 2; ++k) joint.frames[static_cast<std::size_t>(k)].p = def.pose.p;
        joint.custom = std::make_shared<CurvedJoint>(rows);
        const auto added = world.add_joint(joint);
        ASSERT_TRUE(added.ok()) << added.error().message;
    }
    const auto advance = [&](int steps) {
        for (int i = 0; i < steps; ++i) ASSERT_EQ(world.step({.dt = 0.01}).status, StepStatus::Ok);
    };
    advance(20);
    const auto snapshot = world.snapshot();
    advance(20);
    const std::uint64_t hash = world.hash();
    ASSERT_TRUE(world.restore(snapshot).ok());
    EXPECT_NE(world.hash(), hash);
    advance(20);
    EXPECT_EQ(world.hash(), hash);
}

TEST(CustomJoint, OfOtherParametersDoesNotTakeASnapshot)
{
    const auto make = [](Real height) {
        World world;
        BodyDef stone;
        stone.pose.p = {0, 0, 1};
        const BodyId body = world.add_body(stone).value();
        JointDef def;
        def.bodies = {kWorld, body};
        def.frames[1].p = stone.pose.p;
        def.custom = std::make_shared<Above>(height);
        EXPECT_TRUE(world.add_joint(def).ok());
        return world;
    };
    World one = make(0.2), same = make(0.2), other = make(0.3);
    EXPECT_TRUE(same.restore(one.snapshot()).ok());
    EXPECT_FALSE(other.restore(one.snapshot()).ok());
}

TEST(CheckDerivatives, AcceptsRightOnesAndMeasuresThem)
{
    for (int rows = 1; rows <= kMostCustomRows; ++rows) {
        const auto errors = check_derivatives(curved_joint(rows));
        ASSERT_TRUE(errors.ok()) << errors.error().message;
        EXPECT_LT(errors->jacobian, 1e-9);
        EXPECT_LT(errors->stiffness, 1e-9);
    }
    // K̃ by the differences of the default
    const auto errors = check_derivatives(Above(0.1));
    ASSERT_TRUE(errors.ok()) << errors.error().message;
    EXPECT_GT(errors->stiffness, 0);
}

TEST(CheckDerivatives, FindsAWrongSignAnEntryThatIsNotWrittenAndAWrongStiffness)
{
    struct WrongSign : Above {
        void evaluate(const FramePair& X, CustomRows& out) const noexcept override
        {
            Above::evaluate(X, out);
            out.J[0].row(0).tail<3>() *= -1;
        }
    };
    struct NotWritten : Above {
        void evaluate(const FramePair& X, CustomRows& out) const noexcept override
        {
            const Real before = out.J[1](0, 4);
            Above::evaluate(X, out);
            out.J[1](0, 4) = before;
        }
    };
    struct NoStiffness : CurvedJoint {
        NoStiffness() : CurvedJoint(1) {}
        void geometric_stiffness(const FramePair&, std::span<const Real>,
                                 CustomStiffness& K) const noexcept override
        {
            for (auto& row : K)
                for (auto& block : row) block.setZero();
        }
    };
    const auto message = [](const CustomJoint& joint) {
        const auto errors = check_derivatives(joint);
        return errors.ok() ? std::string("none") : errors.error().message;
    };
    EXPECT_NE(message(WrongSign()).find("J of row 0, frame 0, rotation about"), std::string::npos)
        << message(WrongSign());
    EXPECT_NE(message(NotWritten()).find("J of row 0, frame 1, rotation about y: nan is written"),
              std::string::npos)
        << message(NotWritten());
    EXPECT_NE(message(NoStiffness()).find("geometric stiffness"), std::string::npos)
        << message(NoStiffness());
}

}  // namespace
}  // namespace taut::test

// What the comparison with other engines measures of contacts and limits, on bodies that are placed by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "measure.h"

namespace taut::peers {
namespace {

// Poses are exact here; what is left is rounding of lengths below 1 m.
constexpr Real kRounding = 1e-12;

Body ball_at(Real radius, const Vec3& p)
{
    Body body;
    body.shape = Shape{.kind = Shape::Kind::Sphere, .radius = radius};
    body.pose.p = p;
    return body;
}

// Two balls of 50 and 20 mm above the floor, apart from each other and from it.
Scene two_balls()
{
    Scene scene;
    scene.floor = true;
    scene.bodies = {ball_at(0.05, {0, 0, 1}), ball_at(0.02, {0, 0, 2})};
    return scene;
}

TEST(ContactMonitor, MeasuresPenetrationByTheThinnerHalfWidth)
{
    const Scene scene = two_balls();
    ContactMonitor monitor(scene);
    std::vector<Body> bodies = scene.bodies;
    bodies[1].pose.p = {0, 0, 1.069};  // 1 mm into the other one
    EXPECT_TRUE(monitor.see(bodies));
    EXPECT_EQ(monitor.contacts(), 1);
    EXPECT_NEAR(monitor.worst(), 0.001 / 0.02, kRounding);
    bodies[1].pose.p = {1, 0, 0.015};  // 5 mm into the floor
    EXPECT_TRUE(monitor.see(bodies));
    EXPECT_EQ(monitor.contacts(), 2);
    EXPECT_NEAR(monitor.worst(), 0.005 / 0.02, kRounding);
}

TEST(ContactMonitor, CountsContactsOfThinGapsAndNoOthers)
{
    const Scene scene = two_balls();
    ContactMonitor monitor(scene);
    std::vector<Body> bodies = scene.bodies;
    bodies[1].pose.p.z() = 1.07 + 0.009 * 0.02;  // less than 1 % of the half width
    EXPECT_TRUE(monitor.see(bodies));
    EXPECT_EQ(monitor.contacts(), 1);
    bodies[1].pose.p.z() = 1.07 + 0.011 * 0.02;
    EXPECT_TRUE(monitor.see(bodies));
    EXPECT_EQ(monitor.contacts(), 1);
    EXPECT_EQ(monitor.worst(), 0);
}

TEST(ContactMonitor, ClassesBoundThePenetrationToAHundredthOfADecade)
{
    const Scene scene = two_balls();
    ContactMonitor monitor(scene);
    std::vector<Body> bodies = scene.bodies;
    for (const Real share : {0.003, 0.04, 0.5}) {
        bodies[1].pose.p.z() = 1.07 - share * 0.02;
        EXPECT_TRUE(monitor.see(bodies));
        const int last = monitor.classes().rbegin()->first;
        EXPECT_LE(1e-6 * std::pow(10, (last - 1) / 100.0), share * (1 + kRounding)) << share;
        EXPECT_GT(1e-6 * std::pow(10, last / 100.0), share * (1 - 1e-9)) << share;
    }
    EXPECT_EQ(monitor.classes().size(), 3u);
}

TEST(ContactMonitor, LeavesOutPairsThatOverlapAtTheStart)
{
    Scene scene = two_balls();
    scene.bodies[1].pose.p = {0, 0, 1.06};
    ContactMonitor monitor(scene);
    EXPECT_TRUE(monitor.see(scene.bodies));
    EXPECT_EQ(monitor.contacts(), 0);
    std::vector<Body> bodies = scene.bodies;
    bodies[1].pose.p = {1, 0, 0.01};  // the floor is another pair
    EXPECT_TRUE(monitor.see(bodies));
    EXPECT_EQ(monitor.contacts(), 1);
}

TEST(ContactMonitor, EndsARunThatIsNotFiniteOrFullOfEnergy)
{
    const Scene scene = two_balls();
    std::vector<Body> bodies = scene.bodies;
    bodies[0].pose.p.x() = std::numeric_limits<Real>::quiet_NaN();
    ContactMonitor lost(scene);
    EXPECT_FALSE(lost.see(bodies));
    EXPECT_EQ(lost.failure(), "not finite");

    bodies = scene.bodies;
    bodies[0].velocity.linear.x() = 4;  // 8 J of 1 J, which is the drop energy unless given
    ContactMonitor fast(scene);
    EXPECT_TRUE(fast.see(bodies));
    EXPECT_NEAR(fast.rise(), 8, 8 * kRounding);
    bodies[0].velocity.linear.x() = 5;
    EXPECT_FALSE(fast.see(bodies));
    EXPECT_EQ(fast.failure(), "energy");
}

TEST(Monitor, MeasuresTheAngleBeyondALimitFromTheStart)
{
    // Bodies that begin turned against each other: the angle counts from there.
    const Quat start(Eigen::AngleAxis<Real>(0.7, Vec3(1, 2, 3).normalized()));
    Scene scene;
    scene.bodies = {ball_at(0.05, {0, 0, 1}), ball_at(0.05, {0, 0, 2})};
    scene.bodies[1].pose.q = start;
    Joint hinge;
    hinge.kind = Joint::Kind::Hinge;
    hinge.a = 0;
    hinge.b = 1;
    hinge.point = {0, 0, 1.5};
    hinge.axis = Vec3::UnitX();
    hinge.limit = 1;
    scene.joints = {hinge};
    Monitor monitor(scene, 1);
    for (const Real angle : {0.9, 1.2, -1.3, 3.0}) {
        std::vector<Body> bodies = scene.bodies;
        bodies[1].pose.q = Quat(Eigen::AngleAxis<Real>(angle, Vec3::UnitX())) * start;
        EXPECT_NEAR(monitor.read(bodies).beyond_limit, std::max(0.0, std::abs(angle) - 1),
                    kRounding)
            << angle;
    }
}

}  // namespace
}  // namespace taut::peers

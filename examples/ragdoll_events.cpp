// A ragdoll falls down a flight of stairs, and what happens to it is printed: contacts that begin and end, joints at their
// stops, a sensor at the foot of the stairs, and the bodies that come to rest.
#include <cstdio>
#include <set>
#include <string>
#include <utility>

#include <taut/joints.h>
#include <taut/world.h>

using namespace taut;

namespace {

constexpr int kSteps = 8;                         // of the stairs
constexpr double kTread = 0.3, kRise = 0.2;       // [m]
constexpr double kTop = kSteps * kRise;           // [m]
constexpr double kShoulder = 0.55, kHip = 0.05;   // above the middle of the hips [m]
constexpr std::uint32_t kLimbs = 2, kGround = 1;  // collision groups

void add_stairs(World& world)
{
    world.add_collider(kWorld, {.shape = Shape::plane()}).value();
    for (int i = 0; i < kSteps; ++i) {
        const double height = kRise * (kSteps - i);
        ColliderDef step{.shape = Shape::box({kTread, 2, height})};
        step.pose.p = {kTread * (i + 0.5), 0, height / 2};
        step.user_data = static_cast<std::uint64_t>(i + 1);  // its number, from the top
        world.add_collider(kWorld, step).value();
    }
    ColliderDef foot{.shape = Shape::box({1, 2, 1}), .sensor = true};
    foot.pose.p = {kTread * kSteps + 0.5, 0, 0.5};
    world.add_collider(kWorld, foot).value();
}

// A capsule from a to b.
BodyId add_limb(World& world, const std::string& name, const Vec3& a, const Vec3& b, double radius,
                double mass)
{
    const double length = (b - a).norm();
    BodyDef def;
    def.name = name;
    def.mass = mass;
    const double across = mass * (length * length / 12 + radius * radius / 4);
    def.inertia = Vec3(across, across, mass * radius * radius / 2).asDiagonal();
    def.pose = {(a + b) / 2, Quat::FromTwoVectors(Vec3::UnitZ(), b - a)};
    def.velocity.linear = {1.2, 0, 0};  // pushed from behind
    const BodyId body = world.add_body(def).value();
    world
        .add_collider(body, {.shape = Shape::capsule(radius, length),
                             .friction = 0.6,
                             .groups = kLimbs,
                             .collides_with = kGround | kLimbs})
        .value();
    return body;
}

// Bends about y, between two stops.
void add_hinge(World& world, BodyId a, BodyId b, const Vec3& point, double lower, double upper)
{
    const JointDef joint = hinge(a, b, point, Vec3::UnitY());
    world.add_joint(joint).value();
    JointDef stops = limits(joint, lower, upper);
    stops.name = "stops of " + std::string(world.name(b));
    world.add_joint(stops).value();
}

BodyId add_ragdoll(World& world, const Vec3& hips)
{
    const auto at = [&](double x, double y, double z) { return Vec3(hips + Vec3(x, y, z)); };
    const BodyId torso =
        add_limb(world, "torso", at(0, 0, kHip + 0.12), at(0, 0, kShoulder - 0.15), 0.13, 30);
    const BodyId head =
        add_limb(world, "head", at(0, 0, kShoulder + 0.2), at(0, 0, kShoulder + 0.25), 0.1, 5);
    world.add_joint(ball(torso, head, at(0, 0, kShoulder + 0.05))).value();
    for (const int side : {-1, 1}) {
        const std::string name = side < 0 ? "right " : "left ";
        const double y = 0.22 * side, hip = 0.1 * side;
        const BodyId arm = add_limb(world, name + "upper arm", at(0, y, kShoulder - 0.05),
                                    at(0, y, kShoulder - 0.25), 0.05, 2);
        const BodyId forearm = add_limb(world, name + "forearm", at(0, y, kShoulder - 0.35),
                                        at(0, y, kShoulder - 0.5), 0.045, 1.5);
        world.add_joint(ball(torso, arm, at(0, y, kShoulder))).value();
        add_hinge(world, arm, forearm, at(0, y, kShoulder - 0.3), -2.4, 0);
        const BodyId thigh =
            add_limb(world, name + "thigh", at(0, hip, -0.06), at(0, hip, -0.34), 0.08, 8);
        const BodyId shin =
            add_limb(world, name + "shin", at(0, hip, -0.46), at(0, hip, -0.78), 0.06, 4);
        world.add_joint(ball(torso, thigh, at(0, hip, 0))).value();
        add_hinge(world, thigh, shin, at(0, hip, -0.4), 0, 2.4);
    }
    return torso;
}

std::string describe(const World& world, BodyId body, ColliderId collider)
{
    if (!world.contains(body)) return {};  // an event of a joint has no bodies
    if (body != kWorld) return std::string(world.name(body));
    if (world.is_sensor(collider)) return "the foot of the stairs";
    const auto number = world.user_data(collider);
    return number == 0 ? "the floor" : "step " + std::to_string(number);
}

}  // namespace

int main()
{
    World world;
    add_stairs(world);
    const BodyId torso = add_ragdoll(world, {0.1, 0, kTop + 0.9});
    std::set<std::pair<int, int>> touching;  // as a listener keeps it, from events alone
    int arrived = 0, stops = 0;
    for (int i = 0; i < 60 * 5; ++i) {
        if (world.step({.dt = 1.0 / 60, .sleep = true}).status != StepStatus::Ok) return 1;
        // [events]
        for (const Event& event : world.events()) {
            const std::string a = describe(world, event.a, event.collider_a);
            const std::string b = describe(world, event.b, event.collider_b);
            const std::pair pair{event.collider_a.index, event.collider_b.index};
            switch (event.type) {
                case EventType::ContactPersist:
                case EventType::SensorPersist: continue;
                case EventType::ContactBegin: touching.insert(pair); break;
                case EventType::ContactEnd: touching.erase(pair); break;
                case EventType::SensorBegin: ++arrived; break;
                case EventType::LimitReached: ++stops; break;
                default: break;
            }
            double impulse = 0;  // [N s]
            for (int k = 0; k < event.point_count; ++k)
                impulse += world.contact_points()[event.first_point + k].impulse.norm();
            std::printf("%5.2f s  %-13s ", world.time(), std::string(name(event.type)).c_str());
            if (event.joint.valid())
                std::printf("%s\n", std::string(world.name(event.joint)).c_str());
            else if (event.collider_a.valid())
                std::printf("%s, %s  %.1f N s\n", a.c_str(), b.c_str(), impulse);
            else
                std::printf("%s\n", a.c_str());
        }
        // [/events]
    }
    // what the events left is what presses now
    std::set<std::pair<int, int>> pressing;
    for (const ContactReading& point : world.contact_points())
        if (point.force.norm() > 0)
            pressing.insert({point.collider_a.index, point.collider_b.index});
    const Vec3 p = world.pose(torso).p;
    std::printf("the torso is at x = %.2f m, z = %.2f m; %zu pairs touch\n", p.x(), p.z(),
                touching.size());
    const bool fell = p.z() < kTop && p.x() > kTread;
    return touching == pressing && arrived > 0 && stops > 0 && fell ? 0 : 1;
}

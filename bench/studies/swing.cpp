// How much of a swing each method keeps: the heavy chain in space, and a cable pendulum.
//
// Chain: 10 links of 1 kg and 0.1 m, ball joints, the last 1e4 kg, released horizontally while turning about the
// vertical at 0.3 rad/s, 60 Hz. Cable: 20 segments of 0.5 kg and 0.5 m welded by joints of 1e12 N/m along and
// 10 N m/rad in bending and torsion, 100 kg at the end, released at 45°, h = 0.01 s, 40 s.
#include <cmath>
#include <cstdio>
#include <string>

#include <taut/joints.h>

#include "study.h"

using namespace taut;
using namespace taut::study;

namespace {

World cable()
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

// Largest kinetic energy in the last of `seconds`/`window` parts over that in the first; −1: it failed.
Real kept(World& world, const StepSettings& settings, Real seconds, Real window)
{
    Real first = 0, last = 0;
    const long steps = std::lround(seconds / settings.dt), part = std::lround(window / settings.dt);
    const Real start = world.energy().total();
    for (long i = 0; i < steps; ++i) {
        if (world.step(settings).status != StepStatus::Ok) return -1;
        const Real kinetic = world.energy().kinetic();
        if (i < part) first = std::max(first, kinetic);
        if (i >= steps - part) last = std::max(last, kinetic);
        if (world.joint_gap() > world.size() || world.energy().total() > start + 5 * first)
            return -1;
    }
    return last / first;
}

std::string percent(Real share)
{
    char text[32];
    std::snprintf(text, sizeof text, share < 0 ? "fails" : "%.2f %%", 100 * share);
    return text;
}

}  // namespace

int main(int count, char** words)
{
    Arguments arguments(count, words,
                        "usage: swing\nPrints how much of a swing each method keeps.");
    arguments.done();
    struct Method {
        Scheme scheme;
        Stabilisation stabilisation;
    };
    std::printf(
        "| method | chain after 10 s | after 20 s | turn about the vertical after 10 s | cable "
        "after "
        "40 s |\n|---|---|---|---|---|\n");
    for (const Method& method : {Method{Scheme::Bdf2, Stabilisation::Tension},
                                 Method{Scheme::BackwardEuler, Stabilisation::Tension},
                                 Method{Scheme::BackwardEuler, Stabilisation::Exact},
                                 Method{Scheme::BackwardEuler, Stabilisation::Symmetric},
                                 Method{Scheme::BackwardEuler, Stabilisation::ConstraintDamping},
                                 Method{Scheme::BackwardEuler, Stabilisation::InertialDamping},
                                 Method{Scheme::BackwardEuler, Stabilisation::RotationalDamping},
                                 Method{Scheme::BackwardEuler, Stabilisation::BlockDamping}}) {
        StepSettings settings;
        settings.scheme = method.scheme;
        settings.stabilisation = method.stabilisation;
        const Cell chain{Kind::Ball, 10, 1e4, settings.dt, 0, 0.3};
        World ten = build(chain), twenty = build(chain), swinging = cable();
        const Real turn = ten.momentum().angular.z();
        const Real after_10 = kept(ten, settings, 10, 2);
        const Real turn_kept = after_10 < 0 ? -1 : ten.momentum().angular.z() / turn;
        const Real after_20 = kept(twenty, settings, 20, 2);
        settings.dt = 0.01;
        const Real after_40 = kept(swinging, settings, 40, 7);
        std::printf("| `%s`, `%s` | %s | %s | %s | %s |\n",
                    std::string(choice_name(schemes(), method.scheme)).c_str(),
                    std::string(choice_name(stabilisations(), method.stabilisation)).c_str(),
                    percent(after_10).c_str(), percent(after_20).c_str(),
                    percent(turn_kept).c_str(), percent(after_40).c_str());
    }
    return 0;
}

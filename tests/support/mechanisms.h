// Small mechanisms that several tests build by hand.
#pragma once

#include <gtest/gtest.h>

#include <taut/joints.h>
#include <taut/world.h>

namespace taut::test {

// Moments of a cylinder of radius r along x.
inline Mat3 rod_inertia(Real mass, Real length, Real radius)
{
    const Real across = mass * (3 * radius * radius + length * length) / 12;
    return Vec3(mass * radius * radius / 2, across, across).asDiagonal();
}

// For descriptions that are known to be good.
template <class T>
T must(Result<T> result)
{
    if (!result) {
        ADD_FAILURE() << result.error().message;
        std::abort();
    }
    return std::move(result).value();
}

struct Chain {
    World world;
    std::vector<BodyId> links;
    Real drop = 0;  // potential energy between the release and hanging straight down
};

struct ChainOptions {
    int links = 10;
    Real ratio = 1;     // mass of the last link over that of the others
    Real length = 0.1;  // of a link
    Real compliance = 0;
    Real turn = 0;  // about the vertical through the anchor [rad/s]
    bool anchored = true;
};

// Links of 1 kg along x, ball joints, the first one on the ground.
inline Chain make_chain(const ChainOptions& options)
{
    Chain chain;
    BodyId previous = kWorld;
    for (int i = 0; i < options.links; ++i) {
        const Real mass = i + 1 == options.links ? options.ratio : 1;
        const Vec3 p(options.length * (i + 0.5), 0, 0), spin(0, 0, options.turn);
        BodyDef def;
        def.name = "link" + std::to_string(i + 1);
        def.mass = mass;
        def.inertia = rod_inertia(mass, options.length, options.length / 5);
        def.pose.p = p;
        def.velocity = {spin.cross(p), spin};
        chain.links.push_back(must(chain.world.add_body(def)));
        if (i > 0 || options.anchored) {
            JointDef joint = ball(previous, chain.links.back(), {options.length * i, 0, 0});
            joint.compliance = options.compliance;
            must(chain.world.add_joint(joint));
        }
        previous = chain.links.back();
        chain.drop += 2 * mass * 9.81 * p.x();
    }
    return chain;
}

inline StepSettings settings(Real dt, Scheme scheme = Scheme::BackwardEuler,
                             Stabilisation stabilisation = Stabilisation::Tension)
{
    StepSettings s;
    s.dt = dt;
    s.research.scheme = scheme;
    s.research.stabilisation = stabilisation;
    return s;
}

}  // namespace taut::test

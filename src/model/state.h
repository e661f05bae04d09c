// All that a step changes, and all that a snapshot holds.
#pragma once

#include <cstdint>
#include <vector>

#include <taut/report.h>
#include <taut/types.h>

namespace taut {

struct State {
    Real time = 0;
    std::uint64_t steps = 0;
    std::vector<Vec3> p;  // per body: centre of mass [m]
    std::vector<Quat> q;  //           orientation, body → world, unit length
    std::vector<Vec3> v;  //           velocity of the centre of mass [m/s]
    std::vector<Vec3> w;  //           angular velocity, world axes [rad/s]
    std::vector<Vec3>
        spin_up;  //           angular acceleration of the last step beyond free rotation [rad/s²]
    std::vector<Wrench> wrench;  //           set from outside, at the centre of mass
    std::vector<Real> lambda;    // per row: multiplier of the last step [N or N m]
    std::vector<Real> stretch;   // per row: φ that the last solve reckoned with [m or rad]
    std::vector<Real> memory;    // remembered angles [rad]
    Work work;
};

}  // namespace taut

// What is measured of a run, from the states of the bodies alone and in the same way for all engines.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scene.h"

namespace taut::peers {

struct Reading {
    bool finite = true;
    Real energy = 0;      // kinetic and of gravity (the steady part of it) [J]
    Real momentum_z = 0;  // about the vertical through the origin [kg m²/s]
    Real gap =
        0;  // largest distance of two points that a joint holds together [m]; a hinge's tilt counts times 0.1 m
    Real penetration = 0;   // deepest overlap of two shapes [m]
    Real beyond_limit = 0;  // largest angle of a hinge beyond its limit [rad]
};

// Runs along with a scene and keeps the extremes.
//
//     energy(t) − energy(0) − work of shaking   > 5 % of the drop energy     → unstable: "energy"
//     a joint open by                           > 5 % of the scene's size    → unstable: "gap"
//     numbers that are none                                                  → unstable: "not finite"
//     shapes that overlap in the last second (in calm scenes: ever) by > 20 % of their width   → unstable: "sunk"
// While bodies fall and hit each other overlaps are read but no failure: engines that look at the end of a step only catch a body
// when it is in already, soft contacts are a choice; what lies in the floor at the end is neither.
// All shapes of a scene, and the contacts between those that no joint connects.
class Surfaces;

class Monitor {
public:
    Monitor(const Scene& scene, Real seconds);
    ~Monitor();

    // The bodies after a step under this gravity. False: the verdict is there, further steps do not change it.
    bool see(const std::vector<Body>& bodies, const Vec3& gravity, Real time);

    const std::string& failure() const { return failure_; }  // empty: stable
    Real rise() const
    {
        return rise_;
    }                   // most by which energy exceeded what is there, over the drop energy
    Real kept() const;  // energy kept: 1 − loss / drop energy
    Real momentum_drift() const;  // largest |ΔL_z| over |L_z(0)|; 0 where nothing turns
    Real gap() const { return gap_; }
    Real penetration() const { return penetration_; }  // deepest of all
    Real sunk() const { return sunk_; }                // deepest of the last second

    Reading read(const std::vector<Body>& bodies);
    Reading read_motion(const std::vector<Body>& bodies) const;  // without penetration

private:
    const Scene& scene_;
    Real seconds_;
    std::unique_ptr<Surfaces> surfaces_;
    std::vector<Vec3> anchors_a_, anchors_b_, axes_a_, axes_b_;
    std::vector<Quat> relative_;  // of the bodies of each joint, at the start
    Reading start_, last_;
    std::vector<Vec3> places_;  // of the bodies, at the last reading
    Real work_ = 0, rise_ = 0, gap_ = 0, penetration_ = 0, sunk_ = 0, drift_ = 0;
    std::string failure_;
};

// Penetration of all contacts of all steps of a scene, as a share of the thinner half width, and the extremes of the rest.
//
// A contact is a point where two shapes penetrate or are closer than 1 % of the thinner half width; without the latter an engine whose
// contacts open and close by rounding would have fewer of them. Pairs that overlap at the start are left out. Nothing here ends a run
// but numbers that are none and energy of ten times the drop energy above the start.
class ContactMonitor {
public:
    explicit ContactMonitor(const Scene& scene);
    ~ContactMonitor();

    // The bodies after a step. False: the run is over.
    bool see(const std::vector<Body>& bodies);

    const std::string& failure() const { return failure_; }
    long contacts() const { return contacts_; }
    Real worst() const { return worst_; }  // share of the thinner half width
    Real rise() const { return rise_; }    // energy above the start, over the drop energy
    Real gap() const { return gap_; }
    Real beyond_limit() const { return beyond_limit_; }
    // Number of contacts by share, in classes of 1/100 of a decade: class k > 0 begins at 1e-6 · 10^((k − 1)/100); class 0 is all below.
    const std::map<int, long>& classes() const { return classes_; }

private:
    const Scene& scene_;
    Monitor monitor_;
    std::unique_ptr<Surfaces> surfaces_;
    Real start_ = 0, worst_ = 0, rise_ = 0, gap_ = 0, beyond_limit_ = 0;
    long contacts_ = 0;
    std::map<int, long> classes_;
    std::string failure_;
};

}  // namespace taut::peers

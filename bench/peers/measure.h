// What is measured of a run, from the states of the bodies alone and in the same way for all engines.
#pragma once

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
    Real penetration = 0;  // deepest overlap of two shapes [m]
};

// Runs along with a scene and keeps the extremes.
//
//     energy(t) − energy(0) − work of shaking   > 5 % of the drop energy     → unstable: "energy"
//     a joint open by                           > 5 % of the scene's size    → unstable: "gap"
//     numbers that are none                                                  → unstable: "not finite"
//     shapes that overlap in the last second (in calm scenes: ever) by > 20 % of their width   → unstable: "sunk"
// While bodies fall and hit each other overlaps are read but no failure: engines that look at the end of a step only catch a body
// when it is in already, soft contacts are a choice; what lies in the floor at the end is neither.
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

private:
    struct Surfaces;
    const Scene& scene_;
    Real seconds_;
    std::unique_ptr<Surfaces> surfaces_;
    std::vector<Vec3> anchors_a_, anchors_b_, axes_a_, axes_b_;
    Reading start_, last_;
    std::vector<Vec3> places_;  // of the bodies, at the last reading
    Real work_ = 0, rise_ = 0, gap_ = 0, penetration_ = 0, sunk_ = 0, drift_ = 0;
    std::string failure_;
};

}  // namespace taut::peers

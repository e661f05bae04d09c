// What an engine is to the comparison: it is given a scene, steps, and says where its bodies are. Energy, momentum, gaps
// and penetration are none of its business (measure.h).
//
// One program per library (peer_taut, peer_bullet, …): engines bring their own copies of each other's parts, crash and print.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "scene.h"

namespace taut::peers {

struct Options {
    // Joint damping, the hand-tuned cure: torque against relative turning [N m s/rad], or for engines that know no joint
    // damping the rate at which turning of bodies fades [1/s]; the adapter says which.
    Real damping = 0;
    // Steps in a frame, for adapters that have something better to do with it than to be called so often.
    int substeps = 1;
    // Engines that compile themselves while they run: step a copy at this length for a while before time
    // counts [s]; 0: no.
    Real rehearse = 0;
};

class Engine {
public:
    virtual ~Engine() = default;
    virtual void set_gravity(const Vec3& gravity) = 0;
    // Takes `count` steps of h; returns what they took in processor time [s]. May throw: the run failed.
    virtual double step(Real h, int count) = 0;
    // Poses and velocities of centres of mass, in the scene's order.
    virtual void read(std::vector<Body>& bodies) = 0;
    virtual double solves_per_step() const { return 1; }
};

// Engines in this process: single steps, timed here.
class LocalEngine : public Engine {
public:
    double step(Real h, int count) final;

protected:
    virtual void step(Real h) = 0;
};

double thread_seconds();  // processor time of this thread

struct EngineInfo {
    std::string_view name;
    std::string_view setting;  // for the tables
    bool hinges = true;
    bool loops = true;
    bool contacts = true;
    bool own_substeps = false;  // Options::substeps is not a number of calls
    std::unique_ptr<Engine> (*make)(const Scene& scene, const Options& options) = nullptr;

    bool can(const Scene& scene) const;
};

// The engines of this program: one list per adapter file.
const std::vector<EngineInfo>& engines();

}  // namespace taut::peers

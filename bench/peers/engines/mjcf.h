// A scene as MuJoCo's XML: the tree as nested bodies, loops as `connect` equalities (a hinge that closes a loop is held by its point,
// which is all a plane mechanism needs), as stiff as MuJoCo lets them be: it raises their time constant to two steps. Body frames are those of the scene, so positions at the start are all zero.
#pragma once

#include <string>

#include "engine.h"

namespace taut::peers {

struct MjcfChoice {
    std::string integrator = "Euler";
    std::string memory;  // attributes of <size>: what versions call it differs
};

// The reader of XML refuses deep nesting, so long chains are cut: file 0 is the scene, each further one (part1.xml …) is
// included by the one before it.
std::vector<std::string> mjcf(const Scene& scene, const Options& options, const MjcfChoice& choice);

// Velocities at the start, in the order of the XML's joints: bodies depth first.
std::vector<double> mjcf_velocities(const Scene& scene);

// Bodies in the order in which the XML names them.
std::vector<int> mjcf_order(const Scene& scene);

}  // namespace taut::peers

// Named readings of the state of a world, each with a unit: what formulas of controls use, and most columns of a run.
//
//     auto reading = find_reading(world, "joint.hook.force.z@body1");
//     Real newton = reading->read(world);
//
// time · energy.* · work.* · dissipation.* · momentum.* · gap.* · contact.* · body.NAME.* · joint.NAME.*
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <taut/world.h>

#include "core/namespaces.h"

namespace taut::readings {
using namespace core;  // the table core/namespaces.h has the folders below the world

struct Reading {
    std::string name;
    std::string unit;  // "-" if dimensionless
    std::function<Real(const World&)> read;
};

// An entry of the catalogue; NAME stands for the name of any body or joint.
struct ReadingInfo {
    std::string name;
    std::string unit;
    std::string summary;
};

// Finds a reading. The error states which part of the name is unknown and suggests similar names.
Result<Reading> find_reading(const World& world, std::string_view name);

std::vector<ReadingInfo> reading_catalogue();
// All readings of this world, or only those of its first `most` bodies and joints, because long chains have millions.
std::vector<ReadingInfo> reading_list(const World& world,
                                      int most = std::numeric_limits<int>::max());

}  // namespace taut::readings

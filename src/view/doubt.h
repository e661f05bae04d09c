// Whether a motion is still to be believed, and if not, why and what to do about it, in plain words.
#pragma once

#include <optional>
#include <string>

#include <taut/world.h>

#include "core/namespaces.h"

namespace taut::view {

class Doubt {
public:
    explicit Doubt(const World& world);

    // Looks at the world after a step. The first doubt stays.
    void observe(const World& world, const StepReport& report, const StepSettings& settings);

    const std::optional<std::string>& words() const noexcept { return words_; }
    bool stopped() const noexcept { return stopped_; }  // no further step can be taken

private:
    Real energy_start_;  // less the work fed in [J]
    Real kinetic_max_;
    Real energy_floor_;  // below which a gain is none [J]
    Real gap_allowed_;
    std::optional<std::string> words_;
    bool stopped_ = false;
};

}  // namespace taut::view

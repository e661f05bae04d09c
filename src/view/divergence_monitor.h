// Detects that a simulation has become invalid (divergence, joint gaps, energy gain) and describes cause and remedy.
#pragma once

#include <optional>
#include <string>

#include <taut/world.h>

#include "core/namespaces.h"

namespace taut::view {

class DivergenceMonitor {
public:
    explicit DivergenceMonitor(const World& world);

    // Checks the world after a step. The first message is kept.
    void observe(const World& world, const StepReport& report, const StepSettings& settings);

    const std::optional<std::string>& message() const noexcept { return message_; }
    bool stopped() const noexcept { return stopped_; }  // no further step is possible

private:
    Real energy_start_;  // initial energy minus work [J]
    Real kinetic_max_;
    Real energy_floor_;  // gains below this are ignored [J]
    Real gap_allowed_;
    std::optional<std::string> message_;
    bool stopped_ = false;
};

}  // namespace taut::view

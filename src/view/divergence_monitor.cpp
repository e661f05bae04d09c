#include "view/divergence_monitor.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace taut::view {

namespace {

constexpr Real kMostRise = 0.1;  // spurious energy gain over the largest kinetic energy
constexpr Real kMostGap = 0.05;  // joint gap over the size of the scene

std::string text(const char* format, Real value)
{
    char out[64];
    std::snprintf(out, sizeof out, format, value);
    return out;
}

// Size of the scene; 1 m if it is a single point.
Real size_of(const World& world) { return world.size() > 1e-9 ? world.size() : 1; }

Real balance(const World& world) { return world.energy().total() - world.work().total(); }

std::string remedy(const StepSettings& settings)
{
    const bool guarded = (settings.research.scheme == Scheme::Automatic ||
                          settings.research.scheme == Scheme::Bdf2) &&
                         settings.research.stabilisation == Stabilisation::Tension;
    if (guarded && settings.max_solves == 0) return " Reset or rewind, and reduce the step size.";
    std::string method =
        std::string(choice_name(schemes(), settings.research.scheme)) + " with " +
        std::string(choice_name(stabilisations(), settings.research.stabilisation));
    if (guarded) method += " and at most " + std::to_string(settings.max_solves) + " solves";
    return " The cause is the method (" + method +
           "), not the mechanism: select automatic with tension and max_solves 0, then reset or "
           "rewind.";
}

}  // namespace

DivergenceMonitor::DivergenceMonitor(const World& world)
    : energy_start_(balance(world)),
      kinetic_max_(world.energy().kinetic()),
      gap_allowed_(std::max(kMostGap * size_of(world), 2 * world.joint_gap()))
{
    // a thousandth of the work needed to lift all bodies by the size of the scene
    Real mass = 0;
    for (int i = 0; i < world.body_count(); ++i) mass += world.mass(world.body_at(i));
    energy_floor_ = 1e-3 * mass * std::max(world.gravity().norm(), Real(1)) * size_of(world);
}

void DivergenceMonitor::observe(const World& world, const StepReport& report,
                                const StepSettings& settings)
{
    stopped_ = report.status != StepStatus::Ok;
    const std::string when = text("At %.2f s ", world.time());
    if (report.status == StepStatus::Refused) {
        message_ = "The engine refuses these settings: " + std::string(report.reason) + ".";
        return;
    }
    if (report.status == StepStatus::Diverged) {
        message_ = when + "the simulation diverged: " + std::string(report.reason) + "." +
                   remedy(settings);
        return;
    }
    if (report.frozen > 0 && !message_ && world.contains(report.hardest_body))
        message_ = when + "a part of the scene was frozen, because its numbers are out of range: " +
                   "body '" + std::string(world.name(report.hardest_body)) + "'." +
                   remedy(settings);
    if (message_) return;

    const Real gap = world.joint_gap(), rise = balance(world) - energy_start_;
    kinetic_max_ = std::max(kinetic_max_, world.energy().kinetic());
    if (!(gap <= gap_allowed_))
        message_ = when + "the joint gap reached " + text("%.3g m.", gap) + remedy(settings);
    else if (!(rise <= std::max(kMostRise * kinetic_max_, energy_floor_)))
        message_ = when + "the total energy exceeded the initial energy plus work by " +
                   text("%.3g J.", rise) + remedy(settings);
}

}  // namespace taut::view

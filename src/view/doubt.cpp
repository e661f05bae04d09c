#include "view/doubt.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace taut::view {

namespace {

constexpr Real kMostRise = 0.1;  // energy from nothing, over the largest kinetic energy
constexpr Real kMostGap = 0.05;  // of a joint, over the size of the scene

std::string text(const char* format, Real value)
{
    char out[64];
    std::snprintf(out, sizeof out, format, value);
    return out;
}

// A scene in one point has no size; then a metre counts.
Real size_of(const World& world) { return world.size() > 1e-9 ? world.size() : 1; }

Real balance(const World& world) { return world.energy().total() - world.work().total(); }

std::string cure(const StepSettings& settings)
{
    const bool guarded =
        settings.scheme == Scheme::Bdf2 && settings.stabilisation == Stabilisation::Tension;
    if (guarded && settings.max_solves == 0) return " Reset or rewind, and take a shorter step.";
    std::string method = std::string(choice_name(schemes(), settings.scheme)) + " with " +
                         std::string(choice_name(stabilisations(), settings.stabilisation));
    if (guarded) method += " and at most " + std::to_string(settings.max_solves) + " solves";
    return " This is the method (" + method +
           "), not the mechanism: choose bdf2 with tension and no cap on solves, then reset or "
           "rewind.";
}

}  // namespace

Doubt::Doubt(const World& world)
    : energy_start_(balance(world)),
      kinetic_max_(world.energy().kinetic()),
      gap_allowed_(std::max(kMostGap * size_of(world), 2 * world.joint_gap()))
{
    // a thousandth of what it takes to lift all of it by its own size
    Real mass = 0;
    for (int i = 0; i < world.body_count(); ++i) mass += world.mass(BodyId{i});
    energy_floor_ = 1e-3 * mass * std::max(world.gravity().norm(), Real(1)) * size_of(world);
}

void Doubt::observe(const World& world, const StepReport& report, const StepSettings& settings)
{
    stopped_ = report.status != StepStatus::Ok;
    const std::string when = text("At %.2f s ", world.time());
    if (report.status == StepStatus::Refused) {
        words_ = "The engine does not take these settings: " + std::string(report.reason) + ".";
        return;
    }
    if (report.status == StepStatus::Diverged) {
        words_ =
            when + "the step diverged: the next positions would not be finite." + cure(settings);
        return;
    }
    if (words_) return;

    const Real gap = world.joint_gap(), rise = balance(world) - energy_start_;
    kinetic_max_ = std::max(kinetic_max_, world.energy().kinetic());
    if (!(gap <= gap_allowed_))
        words_ = when + "joints have come apart by " + text("%.3g m.", gap) + cure(settings);
    else if (!(rise <= std::max(kMostRise * kinetic_max_, energy_floor_)))
        words_ =
            when + "energy has appeared from nothing: " + text("%.3g J.", rise) + cure(settings);
}

}  // namespace taut::view

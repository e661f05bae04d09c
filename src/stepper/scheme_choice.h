// Which formula a guarded step takes.
//
//     midpoint  where the step resolves the tension modes of the island: it keeps energy and momentum. Not with motors and
//               kinematic bodies that are commanded, which prescribe a velocity, nor with elastic joints that are damped within a step
//     bdf2      while contacts, limits or ropes carry force: it remembers velocities only, adams remembers forces as well, and
//               a force that ends would be felt for one step more; and for a second after a step had to be cut
//     adams     elsewhere
//
// The tension frequency of a body is that at which the forces of its joints swing it, from the tension form G of K̃:
//
//     Ω_b² = h² ½ tr G_b / (I + m s²),     s the longest arm of the body,      Ω = max over the bodies
//
// An island takes the midpoint scheme when the mean of Ω is below `midpoint_enter`, and leaves it when that is above
// `midpoint_leave`; the mean follows a rise within `tension_rise` and a fall within `tension_fall` (SchemeSettings). A single step of
// another scheme takes most of what is in modes of Ω ≥ 1, so that the choice must not alternate. A step in which Ω is above
// `midpoint_most` is taken in halves.
#pragma once

#include "stepper/newton.h"

namespace taut::stepper {

// Whether a two-step attempt takes adams, not bdf2.
bool takes_adams(const StepModel& model, const State& state, const StepSettings& settings) noexcept;

// Whether a step of length h begins with an attempt of the midpoint scheme.
bool takes_midpoint(const StepModel& model, const State& state, const StepSettings& settings,
                    Real h) noexcept;

// Whether the choice goes by what the steps were like.
inline bool chooses_scheme(Scheme scheme) noexcept
{
    return scheme == Scheme::Automatic || scheme == Scheme::Midpoint;
}
// Whether steps leave the rates that adams and midpoint go on with.
inline bool uses_rates(Scheme scheme) noexcept
{
    return chooses_scheme(scheme) || scheme == Scheme::Adams;
}

// Of the bodies and of taut ropes [rad/s]. Cayley's turn lags behind that of a body which turns far in a step, so that sub-steps of the midpoint
// scheme are short enough. Velocities at the end of midpoint steps alternate about the mean, which is the one that counts.
Real fastest_turn(const StepModel& model, const State& state) noexcept;

// How fast bodies orbit about their joints, where that goes on from step to step [rad/s]. adams takes 0.1 Ω⁴ of the energy of such
// a motion in a step.
Real orbit_turn(const StepModel& model, const State& state) noexcept;
inline bool is_braked(Real turn, Real h) noexcept
{
    const Real square = turn * turn;
    return square * square * h * h * h > kGuard.scheme.damped_rate;
}
// Whether an elastic row is damped within the step: there is no motion in it to keep.
bool any_strong_damping(const StepModel& model, Real h) noexcept;
// After a step of length h: adds the angle by which a body has moved on such an orbit. The first step of a mechanism presumes that it did so before.
void add_orbit_angle(const StepModel& model, Real h, bool first, State& state) noexcept;

// Of the bodies less the rows of the joints; redundant rows count.
int degrees_of_freedom(const StepModel& model) noexcept;
// Per body, I + m s² [kg m²], s the longest arm of its joints; `out` has one number per body. Contacts do not count: their points move.
void read_tension_inertias(const StepModel& model, std::vector<Real>& out) noexcept;

// Ω of an attempt, from the matrix that it made last.
Real tension_frequency(const StepModel& model, const Attempt& attempt,
                       const Workspace& work) noexcept;

// What the next step goes by, after an attempt that converged.
void note_scheme(const StepModel& model, const State& state, const Attempt& attempt, Real frequency,
                 bool activity_changed, State& next) noexcept;

}  // namespace taut::stepper

// Impacts: the step is cut where bodies meet, and velocities jump there.
//
//     gap │╲                    cut: the largest part of the step that ends before the gap closes
//         │  ╲        ╱         due: what closes within the shortest part meets now
//       0 ┼────╲────╱───── t    jump: ċ⁺ ≥ −e ċ⁻, by impulses that obey the same laws as forces do
//
// Several contacts that are closed at once meet one after another, as waves run through them: each pass takes those
// that approach and leaves the others out. That is what makes Newton's cradle pass its last ball on; one simultaneous
// law for all would not. Joints and stops carry impulses; whatever is soft or bounded in force does not in no time.
// A pass that would add energy (friction and restitution together can) is taken again without restitution.
//
// Contacts without restitution need no cut to be stable: the constraint at the end of the step stops them. But then the impulse is
// spread over the step and mixed with what gravity does in that time: a rocking block lost half as much again as it should.
// Where contacts are few (ImpactSettings::most_contacts) their impacts are cut out, too, all closed contacts at once.
#pragma once

#include "stepper/step.h"

namespace taut::stepper {

class Impacts {
public:
    Impacts(const StepModel& model, Workspace& work, const StepSettings& settings) noexcept;

    // Whether some contact of the model has restitution.
    bool any() const noexcept { return any_; }
    // Whether impacts are resolved although no contact has restitution.
    bool inelastic() const noexcept { return inelastic_; }
    // They are not: contacts without restitution close within a step.
    void leave_inelastic() noexcept { inelastic_ = false; }
    // Gaps and rates at the start of a part of the step.
    void measure_approach(const State& state) noexcept;
    // Of a part of length h that ends with these forces: when the first bounce is due [s]; infinite: none is.
    Real first_impact_time(Real h, std::span<const Real> lambda) const noexcept;
    // Without restitution, for an attempt of length h from `state` that ends with these forces: when the first of the contacts that
    // it closes is reached [s]; infinite: none is, or so slowly that it makes no difference.
    Real first_closing_time(const State& state, Real h,
                            std::span<const Real> lambda) const noexcept;
    // Whether something meets within `soon` that has to jump. Where contacts have restitution measure_approach() comes before.
    bool is_due(const State& state, Real soon) const noexcept;
    // Jumps the velocities of what meets within `soon`, or stops it where no contact has restitution; false if nothing jumped.
    bool resolve(State& state, Real soon, StepReport& report) noexcept;

    // The velocities that joints allow, nearest to those of the state in the metric of the masses, where that takes no more than
    // `most` of the kinetic energy; true if the state has them now. Without contacts, limits and ropes.
    bool fit_joints(State& state, Real most, StepReport& report) noexcept;

private:
    bool is_spent(const StepReport& report) const noexcept
    {
        return most_solves_ > 0 && report.solves >= most_solves_;
    }
    Real rebound_speed(int contact, Real rate) const noexcept;
    bool is_due_to_bounce(int contact, Real soon) const noexcept;
    bool is_due_to_stop(int contact, const State& state, Real soon) const noexcept;
    Twist velocity_of(BodyIndex b, const State& state) const noexcept;  // from here on
    Approach approach_of(int contact, const State& state) const noexcept;
    void linearise_at(const State& state) noexcept;
    // Which contacts take part in a pass.
    struct Pass {
        Real soon = 0;            // contacts that close within this time are closed [s]
        bool everything = false;  // closed contacts that do not approach as well
        bool bouncing = true;     // with restitution
    };

    bool resolve_pass(State& state, const Pass& pass, StepReport& report) noexcept;
    // The right-hand side and the rows of a pass; false if no contact approaches.
    bool load_rows(const State& state, const Pass& pass) noexcept;
    enum class Rate { Kept, Zero };  // of a joint: as it is, or what it prescribes
    void load_equality(const State& state, std::size_t group, Rate rate) noexcept;
    void load_stops(std::size_t group, Real soon) noexcept;
    bool load_contact(std::size_t group, const Pass& pass) noexcept;
    void leave_out(std::size_t group) noexcept;
    void leave_out_row(std::size_t group, int row) noexcept;
    bool is_closed(int row, Real soon) const noexcept;
    // Impulses and velocities of a pass to work_.context.solution; false if they are not finite.
    bool solve_impulses(StepReport& report) noexcept;
    // The velocities of the solution; false, and none of them, if a bouncing pass would add energy.
    bool apply_impulses(State& state, bool bouncing) noexcept;
    void write_velocities(State& state) const noexcept;  // of the solution
    void read_rates(const State& state) noexcept;
    void set_momentum(const State& state) noexcept;
    void put_per_body(std::span<const Vec3> linear, std::span<const Vec3> angular,
                      std::span<Real> x) const noexcept;
    Real kinetic_energy(const State& state) const noexcept;
    Real contact_work(std::span<const Real> impulse) const noexcept;

    const StepModel& model_;
    Workspace& work_;
    Real least_rebound_ = 0;      // a slower rebound is too small to outlast the step [m/s]
    Real touching_gap_ = 0;       // contacts with a smaller gap touch [m]
    int most_solves_ = 0;         // of the step; 0: any number
    Real velocity_interval_ = 0;  // of the difference quotient for kinematic velocities [s]
    bool any_ = false, inelastic_ = false;
};

}  // namespace taut::stepper

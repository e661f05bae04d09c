// What energy a step may end with: that of the recent past less the work fed in, plus a small slack.
//
//     balance = energy − work of motors, kinematic bodies and loads        constant for an exact, undamped motion
//
//     ledger │‾‾‾╲___                 follows losses with a delay of `fading`
//            │       ‾‾‾╲_______      and gains only at `rate`
//            └──────────────────── t
//
// Newton's method may converge to a solution of the discrete equations that no motion leads to, and a two-step scheme may
// return energy that an impact took away. Such a step solves its equations, and is refused because its balance lies above
// the ledger. The numbers that last (ledger, kinetic scale) belong to the State, so that a snapshot keeps them.
#pragma once

#include "model/state.h"
#include "stepper/guard_settings.h"

namespace taut::stepper {

class EnergyLedger {
public:
    // `fall_power`: kinetic energy of a fall of all bodies over the square of its time [W/s].
    EnergyLedger(const LedgerSettings& settings, Real fall_power) noexcept;

    // The start of a step. A ledger that was invalidated from outside starts at the balance of the state.
    void open(const Energy& energy, State& state) noexcept;
    // Posts the energy of a new state, which also receives its ledger and its kinetic scale. `recovery_work` is what the
    // recovery of penetration may add [J]. Returns by how much the balance exceeds what is allowed [J].
    Real post(const State& before, const Energy& energy, Real recovery_work, State& next) noexcept;
    // The excess that slowing down removes: down to the ledger itself, so that the slack is not granted again and again.
    Real with_slack(Real excess, const State& next) const noexcept;
    // The state was slowed down: its ledger is its own balance, and never above the one before with what recovery added.
    void post_slowed(const State& before, const Energy& energy, State& next,
                     Real recovery_work = 0) noexcept;
    // The state was changed without a claim on its energy.
    void set_end(const Energy& energy, const State& next) noexcept;

    Real change() const noexcept { return end_ - start_; }  // of the balance [J]

private:
    LedgerSettings settings_;
    Real fall_power_ = 0;
    Real start_ = 0, end_ = 0;  // balances [J]
};

}  // namespace taut::stepper

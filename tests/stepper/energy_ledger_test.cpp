#include "stepper/energy_ledger.h"

#include <cmath>

#include <gtest/gtest.h>

namespace taut::test {
namespace {

using stepper::EnergyLedger;
using stepper::LedgerSettings;

constexpr LedgerSettings kSettings{.slack = 0.01, .rate = 0.001, .fading = 5};

Energy kinetic(Real joules)
{
    Energy energy;
    energy.translation = joules;
    return energy;
}

// A state with a kinetic scale of 100 J whose ledger is still to be read.
State start()
{
    State state;
    state.last_step.kinetic_scale = 100;
    state.last_step.ledger_invalid = 1;
    return state;
}

State after(const State& before, Real h)
{
    State next = before;
    next.time += h;
    return next;
}

TEST(EnergyLedger, StartsAtTheBalanceOfAStateThatWasSetFromOutside)
{
    EnergyLedger ledger(kSettings, 0);
    State state = start();
    state.last_step.ledger = 7;
    state.last_step.work.motors = 30;
    ledger.open(kinetic(100), state);
    EXPECT_EQ(state.last_step.ledger, 70);
}

TEST(EnergyLedger, KeepsItsValueWhereNothingWasSetFromOutside)
{
    EnergyLedger ledger(kSettings, 0);
    State state = start();
    state.last_step.ledger = 120;
    state.last_step.ledger_invalid = 0;
    ledger.open(kinetic(100), state);
    EXPECT_EQ(state.last_step.ledger, 120);
}

TEST(EnergyLedger, AllowsTheSlackAndNoMore)
{
    EnergyLedger ledger(kSettings, 0);
    State state = start();
    ledger.open(kinetic(100), state);
    State next = after(state, 0.1);
    EXPECT_LE(ledger.post(state, kinetic(100.9), 0, next), 0);
    EXPECT_GT(ledger.post(state, kinetic(101.1), 0, next), 0);
}

TEST(EnergyLedger, CountsWorkFedInAsNoGain)
{
    EnergyLedger ledger(kSettings, 0);
    State state = start();
    ledger.open(kinetic(100), state);
    State next = after(state, 0.1);
    next.last_step.work.loads = 50;
    EXPECT_LE(ledger.post(state, kinetic(150), 0, next), 0);
    EXPECT_NEAR(ledger.change(), 0, 1e-12);
}

TEST(EnergyLedger, AllowsWhatTheRecoveryOfPenetrationTakes)
{
    EnergyLedger ledger(kSettings, 0);
    State state = start();
    ledger.open(kinetic(100), state);
    State next = after(state, 0.1);
    EXPECT_GT(ledger.post(state, kinetic(110), 0, next), 0);
    EXPECT_LE(ledger.post(state, kinetic(110), 10, next), 0);
}

TEST(EnergyLedger, CountsAFallOfOneStepAsMotionForBodiesAtRest)
{
    State state = start();
    state.last_step.kinetic_scale = 0;
    State next = after(state, 0.1);
    EnergyLedger strict(kSettings, 0);
    strict.open(kinetic(0), state);
    Energy lifted;
    lifted.gravity = 0.5;  // a hundredth of 100 J/s² ⋅ h² is 0.01 J; of 1e4 it is 1 J
    EXPECT_GT(strict.post(state, lifted, 0, next), 0);
    EnergyLedger heavy(kSettings, 1e4);
    heavy.open(kinetic(0), state);
    EXPECT_LE(heavy.post(state, lifted, 0, next), 0);
}

// Losses are followed with the delay `fading`, gains only at `rate`: many small gains do not add up.
TEST(EnergyLedger, FollowsLossesSlowlyAndGainsHardlyAtAll)
{
    EnergyLedger ledger(kSettings, 0);
    State state = start();
    ledger.open(kinetic(100), state);
    State lost = after(state, 0.5);
    ledger.post(state, kinetic(60), 0, lost);
    EXPECT_NEAR(lost.last_step.ledger, 60 + 40 * std::exp(-0.1), 1e-12);
    State gained = after(state, 0.5);
    ledger.post(state, kinetic(100.9), 0, gained);
    EXPECT_NEAR(gained.last_step.ledger, 100 + 0.001 * 0.5 * 100.9, 1e-12);
}

TEST(EnergyLedger, OfAStateThatWasSlowedDownIsItsOwnBalance)
{
    EnergyLedger ledger(kSettings, 0);
    State state = start();
    ledger.open(kinetic(100), state);
    State next = after(state, 0.1);
    ledger.post(state, kinetic(130), 0, next);
    ledger.post_slowed(state, kinetic(99), next);
    EXPECT_EQ(next.last_step.ledger, 99);
    EXPECT_NEAR(ledger.change(), -1, 1e-12);
    ledger.post_slowed(state, kinetic(130), next);
    EXPECT_EQ(next.last_step.ledger, 100);
    // what was lifted out of penetration stays allowed
    ledger.post_slowed(state, kinetic(130), next, 7);
    EXPECT_EQ(next.last_step.ledger, 107);
}

}  // namespace
}  // namespace taut::test

#include "stepper/guard.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/stopwatch.h"
#include "model/kinematic.h"
#include "model/recovery.h"
#include "stepper/lawful_solve.h"
#include "stepper/phases.h"

namespace taut::stepper {
namespace {

// --- Newton's patience ---
constexpr int kMostSolves = 8;   // an attempt that has not settled by then hardly ever does,
constexpr int kExtraSolves = 3;  // unless its gaps still shrink by half within so many
constexpr int kUtmostSolves = 30;
constexpr int kBluntSolves =
    1;  // with the tension form; then the symmetric K̃ of joints that carry torque,
constexpr int kMixedSolves = 3;      // and at last of all joints
constexpr Real kCaution = 10;        // how much worse an old matrix may be than it looks
constexpr Real kTrustworthy = 1e-9;  // relative residual of a solve with the symmetric K̃
constexpr int kBudget = 2000;        // solves of one step when the user names no cap,
constexpr int kLawfulBudget = 500;   // factorisations where some rows have laws

// --- impacts ---
constexpr Real kSoon = 1.5;                 // shortest parts: what meets within that meets now
constexpr std::uint32_t kAfterImpact = 64;  // shortest parts, of backward Euler

// --- contacts ---
// A pile is not solved to the last digit. Where laws are left unsolved and solves no longer halve the work that is left,
// or at the end of all patience, this many tolerances will do.
constexpr Real kRough = 100;
constexpr int kStalled = 2;  // solves
// What is pressed in from both sides has no way out, and laws that ask for one have no solution.
constexpr Real kJam = 0.5;         // [s] before contacts are asked again to come out
constexpr Real kPressedIn = 1e-9;  // of the size of the scene

// --- what is accepted ---
constexpr Real kGap = 1e-6;  // of the size of the scene
constexpr Real kFall = 30;   // [m/s²] times tolerance and h²: gaps feed back as forces like 1/h²
// The same for contacts, which do not feed back: what is pressed in comes out slowly, what is open falls shut.
constexpr Real kPressed = 1000;
constexpr Real kLeastGap = 1e-13;  // of the size: rounding
constexpr Real kApart = 1e-5;      // of the size: joints that are open, not inexact
constexpr Real kFading = 10;       // turnover and ledger forget a peak within that many seconds

// --- the ledger ---
constexpr Real kSlack = 3e-3;       // of the turnover, for errors that come and go within a swing
constexpr Real kLedgerRate = 5e-4;  // of the turnover per second, for errors of the work fed in
constexpr std::uint32_t kStrict = 64;  // a part of 1/64 that still gains is slowed down instead

Real balance(const Energy& energy, const State& state) noexcept
{
    return energy.total() - state.last_step.work.total();
}

}  // namespace

Guard::Guard(const StepModel& model, State& state, Workspace& work,
             const StepSettings& settings) noexcept
    : model_(model),
      state_(state),
      work_(work),
      settings_(settings),
      impacts_(model, work, settings)
{
    size_ = scene_size(model);
    work.reach = 0;
    for (const Vec3& p : state.p) work.reach = std::max(work.reach, p.cwiseAbs().maxCoeff());
    for (const BodyModel& body : model.bodies)
        if (body.dynamic()) falling_ += body.mass * model.gravity.squaredNorm() / 2;
    energy_start_ = balance(energy_of(model, state, work), state);
    ledger_before_ = state.last_step.ledger;
    open_before_ = state.last_step.ledger_open;
    if (state.last_step.ledger_open != 0) state.last_step.ledger = energy_start_;
    if (state.last_step.h == 0 || state.last_step.apart != 0) look_for_gaps();
    jammed_before_ = state.last_step.jammed;
    jammed_ = state.last_step.jammed > 0;
    part_ = longest_part();
}

bool Guard::presses() const noexcept
{
    if (jammed_) return false;
    const auto& contacts = model_.pool<Contact>().items;
    return std::any_of(contacts.begin(), contacts.end(),
                       [&](const Contact& c) { return c.rest < -kPressedIn * size_; });
}

std::uint32_t Guard::longest_part() const noexcept
{
    const std::uint32_t rest = kWhole - done_;
    if (!impacts_.any() || state_.last_step.h == 0) return rest;
    const Real units = kMostGrowth * state_.last_step.h / length(1);
    return units < rest ? std::max(1u, static_cast<std::uint32_t>(units)) : rest;
}

void Guard::look_for_gaps() noexcept
{
    inherit_gaps(model_, state_, settings_, work_);
    for (int r = 0; r < model_.rows.count; ++r) {
        const Real scale = model_.rows.units[r] == RowUnit::Length ? 1 : size_;
        apart_ = apart_ || std::abs(work_.inherited[r]) * scale > kApart * size_;
    }
    state_.last_step.apart = apart_ ? 1 : 0;
}

Real Guard::length(std::uint32_t part) const noexcept
{
    return settings_.dt * (static_cast<Real>(part) / static_cast<Real>(kWhole));
}

// One is kept back for the rest of a step that was begun in parts.
int Guard::solves_left() const noexcept
{
    const int usual = model_.rows.inequalities.empty() ? kBudget : kLawfulBudget;
    const int most = settings_.max_solves > 0 ? settings_.max_solves : usual;
    return std::max(0, most - report_.solves - (part_ < kWhole ? 1 : 0));
}

Stage Guard::stage(Look look, Real h) const noexcept
{
    const bool back = look == Look::Back && settings_.scheme == Scheme::Bdf2;
    Stage stage = back ? two_step_stage(state_, h) : euler_stage(state_, h);
    if (apart_)
        stage.lenience = std::exp(-h / kRecoveryTime);
    else if (part_ < kWhole)
        stage.lenience = 1 - h / settings_.dt;
    stage.jammed = jammed_;
    return stage;
}

// By how much what is left exceeds what is accepted: settled up to 1.
Real Guard::excess(const Unsettled& left, const Stage& stage, Real rough) const noexcept
{
    // what rests on something has the energy of a fall in one step to be measured against
    const Real in_motion =
        std::max({left.kinetic, state_.last_step.turnover, falling_ * stage.h * stage.h});
    const Real fall = kFall * settings_.tolerance * stage.h * stage.h;
    const Real gap =
        std::max(kLeastGap * std::max(size_, work_.reach), std::min(kGap * size_, fall));
    const auto over = [](Real a, Real limit) {
        if (limit > 0) return a / limit;
        return a <= limit ? 0 : std::numeric_limits<Real>::infinity();
    };
    return std::max(
        {over(left.work, rough * settings_.tolerance * stage.h * in_motion + left.rounding),
         over(left.gap, gap), over(left.pressed, kPressed / kFall * fall)});
}

// Newton's method: the tension form leads from afar, the symmetric K̃ closes in. (`sharp`; it may lead
// astray where links fold under compression, so that not every attempt goes that way.) After a solve only what is
// left is computed. Mostly that is little enough; if one more solve with the old matrix will do, it gets that, and a
// new matrix otherwise.
bool Guard::settle(const Stage& stage, bool sharp, int most_solves) noexcept
{
    begin_stage(model_, state_, stage, work_);
    Unsettled left;
    Real least_gap = std::numeric_limits<Real>::infinity();
    Real least_work = 0, before = 0;
    int patience = kMostSolves, stalled = 0;
    const bool contacts = model_.rows.has_contacts();
    const bool repeats =
        model_.rows.inequalities.empty() && settings_.stabilisation == Stabilisation::Tension;
    SystemSpace* held = nullptr;  // whose factor may be used again
    bool again = false;           // it was
    const int last_solve = report_.solves + most_solves;
    for (int i = 0;; ++i) {
        const bool close_in = sharp && i >= kBluntSolves && work_.close_in.solver;
        const auto linearise_at = [&](Depth depth, SystemSpace& system) {
            const Stopwatch watch(settings_.profile, report_.times.assembly);
            linearise_iterate(model_, stage,
                              close_in ? Stabilisation::Symmetric : settings_.stabilisation,
                              close_in && i < kMixedSolves, depth, work_, system);
        };
        SystemSpace* system = held ? held : close_in ? &work_.close_in : &work_;
        linearise_at(held ? Depth::Values : Depth::Matrix, *system);
        left = measure(model_, stage, work_, *system);
        report_.residual_work = left.work;
        report_.residual_gap = left.gap;
        const bool solved = report_.solve.residual <= system->law_settings.tolerance;
        unsolved_ = contacts && i > 0 && !solved;
        if (i <= 1 || left.work < least_work / 2) {
            least_work = left.work;
            stalled = 0;
        } else if (unsolved_ && ++stalled >= kStalled) {
            patience = i;
        }
        const Real over = excess(left, stage, contacts && i >= patience ? kRough : 1);
        if (i > 0 && left.finite && over <= 1) {
            finish_stage(model_, state_, stage, work_, *system);
            failed_ = !presentable(work_.next);
            return !failed_;
        }
        if (left.gap < least_gap / 2 && stalled < kStalled) {
            least_gap = left.gap;
            patience = std::max(patience, std::min(i + kExtraSolves, kUtmostSolves));
        }
        if (!left.finite || i >= patience || report_.solves >= last_solve) {
            finish_stage(model_, state_, stage, work_, *system);
            break;
        }

        // with an old matrix the defect shrinks as it did in the last solve, a little less
        again = held && !again && kCaution * over * over <= before &&
                report_.solves + 1 < last_solve;  // the last one that is left goes to a new matrix
        before = over;
        if (again) {
            const Stopwatch watch(settings_.profile, report_.times.solve);
            held->solver->solve_again(work_.defect_f, work_.defect_g, held->solution);
            ++report_.solves;
            correct(model_, stage, Forces::Added, work_, *held);
            continue;
        }
        if (held) {
            system = close_in ? &work_.close_in : &work_;
            linearise_at(Depth::Matrix, *system);
            held = nullptr;
        }
        {
            const Stopwatch watch(settings_.profile, report_.times.solve);
            solve_lawful(model_, stage.h_bar, work_.next.lambda, Check::WhereDoubtful, *system,
                         report_);
        }
        if (close_in)
            report_.solve.negative_pivots = -1;  // may be indefinite: the count says nothing
        if (!report_.solve.finite) {
            left.finite = false;
            break;
        }
        // an indefinite K̃ may be beyond a factorisation without pivoting: back to the positive form
        if (close_in && report_.solve.residual > kTrustworthy) {
            sharp = false;
            continue;
        }
        correct(model_, stage, Forces::Anew, work_, *system);
        if (repeats && system->solver->keeps_factor()) held = system;
    }
    report_.hardest_body = hardest_body(model_, work_) - 1;
    failed_ = !left.finite || !presentable(work_.next);
    return false;
}

Real Guard::lift(Real h) const noexcept
{
    if (jammed_) return 0;
    const auto& contacts = model_.pool<Contact>();
    const Real way =
        std::exp(settings_.dt / kRecoveryTime) - 1;  // of Contact::rest, in a whole step
    Real work = 0;
    for (std::size_t k = 0; k < contacts.items.size(); ++k)
        work -= contacts.items[k].rest * way * h / settings_.dt *
                work_.next.lambda[model_.rows.groups[contacts.groups[k]].first_row];
    return work;
}

Real Guard::energy_above_ledger() noexcept
{
    const Energy energy = energy_of(model_, work_.next, work_);
    const Real h = work_.next.time - state_.time;
    work_.next.last_step.turnover =
        std::max(energy.kinetic(), state_.last_step.turnover * std::exp(-h / kFading));
    // the ledger follows losses with delay and gains hardly at all
    const Real now = balance(energy, work_.next), before = state_.last_step.ledger + lift(h);
    energy_end_ = now;
    work_.next.last_step.ledger =
        now > before ? std::min(now, before + kLedgerRate * h * work_.next.last_step.turnover)
                     : now + (before - now) * std::exp(-h / kFading);
    // what rests under a heavy load lifts it by rounding: as in excess(), a fall of one step counts
    return now - before - kSlack * std::max(work_.next.last_step.turnover, falling_ * h * h);
}

bool Guard::attempt(Look look) noexcept
{
    Stage now = stage(look, length(part_));
    if (look == Look::Ahead) {
        // without a past the first attempt was this one already, unless it closed in by other means
        if (stage(Look::Back, length(part_)).a == 0 && !work_.close_in.solver) return false;
        if (solves_left() == 0) return false;  // the iterate at hand is the best there is
        ++report_.restarts;
    }
    do {
        now = stage(look, length(part_));
        if (now.lenience > 0 || now.jammed) inherit_gaps(model_, state_, settings_, work_);
        if (settle(now, look == Look::Back, solves_left())) continue;
        if (!unsolved_ || !presses() || solves_left() == 0) return false;
        jammed_ = true;
        now = stage(look, length(part_));
        inherit_gaps(model_, state_, settings_, work_);
        if (!settle(now, look == Look::Back, solves_left())) return false;
    } while (cut_at_impact());
    if (jammed_ && state_.last_step.jammed == 0) work_.next.last_step.jammed = kJam;
    // an impact, or a release: velocities jump, and what was before is no past to look back on
    if (activity_changed(model_, state_.lambda, work_.next.lambda)) {
        if (now.a > 0) return false;
        work_.next.last_step.h = 0;
    }
    break_joints(model_, work_.next);
    const Real excess = energy_above_ledger();
    if (excess <= 0) return true;
    ++report_.gains_refused;
    if (part_ > kWhole / kStrict && !apart_) return false;
    slow_down(excess);
    return true;
}

// The state before the step, once, for the case that the rest of it fails.
void Guard::save() noexcept
{
    if (saved_) return;
    work_.saved = state_;
    saved_ = true;
}

void Guard::bounce() noexcept
{
    if (!impacts_.any()) return;
    impacts_.look(state_);
    if (done_ == 0) save();
    if (!impacts_.meet(state_, kSoon * length(1), report_)) return;
    state_.last_step.h = 0;  // velocities jumped; a short Euler step loses little, then steps grow
    state_.last_step.power = {};
    part_ = std::min(kWhole - done_, kAfterImpact);
    ++report_.impacts;
}

bool Guard::cut_at_impact() noexcept
{
    if (!impacts_.any() || part_ == 1) return false;
    const Real time = impacts_.first(length(part_), work_.next.lambda);
    if (!(time <= length(part_))) return false;
    // a cut that came too late, because more than gravity acts, comes a little earlier
    const auto before = static_cast<std::uint32_t>(time / length(1));
    part_ = std::max(1u, std::min(before, part_ - std::max(1u, part_ / 8)));
    return true;
}

void Guard::commit() noexcept
{
    if (done_ == 0 && part_ < kWhole) save();
    std::swap(state_, work_.next);
    done_ += part_;
    if (done()) return;
    if (impacts_.any()) {
        part_ = longest_part();
        return;
    }
    while (part_ < kWhole && done_ % (2 * part_) == 0) part_ *= 2;
}

bool Guard::halve() noexcept
{
    if (part_ == 1 || solves_left() < 2) return false;
    part_ /= 2;
    ++report_.halvings;
    return true;
}

// Down to the ledger itself: the slack is not given away again and again.
void Guard::slow_down(Real excess) noexcept
{
    State& next = work_.next;
    excess += kSlack * next.last_step.turnover;
    const Real kinetic = energy_of(model_, next, work_).kinetic();
    const Real factor = kinetic > excess ? std::sqrt(1 - excess / kinetic) : 0;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
        if (!model_.bodies[b].dynamic()) continue;
        next.v[b] *= factor;
        next.w[b] *= factor;
    }
    energy_end_ = balance(energy_of(model_, next, work_), next);
    next.last_step.ledger = std::min(state_.last_step.ledger, energy_end_);
    next.last_step.h = 0;  // what was slowed down is no past to look back on
    next.last_step.power = {};
}

void Guard::hand_out_the_best() noexcept
{
    report_.settled = false;
    if (part_ < kWhole) {  // all that is left in one go
        part_ = kWhole - done_;
        settle(stage(Look::Ahead, length(part_)), false, 1);
    }
    if (failed_) {
        if (saved_) std::swap(state_, work_.saved);
        report_.status = StepStatus::Diverged;
        done_ = kWhole;
        return;
    }
    // an iterate that is torn apart or thrown about is worse than none: then the bodies wait, half as fast
    constexpr Real kTorn = 1e-4;  // of the size of the scene
    const Real excess = energy_above_ledger();
    if (report_.residual_gap > kTorn * size_ ||
        excess > energy_of(model_, work_.next, work_).kinetic()) {
        work_.next = state_;
        work_.next.time += length(kWhole - done_);
        for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
            if (!model_.bodies[b].dynamic()) {
                apply_kinematic_motion(model_, static_cast<BodyIndex>(b), work_.next.time,
                                       work_.next);
                continue;
            }
            work_.next.v[b] /= 2;
            work_.next.w[b] /= 2;
        }
    } else if (excess > 0) {
        slow_down(excess);
    }
    break_joints(model_, work_.next);
    std::swap(state_, work_.next);
    state_.last_step.h = 0;
    energy_end_ = balance(energy_of(model_, state_, work_), state_);
    done_ = kWhole;
}

StepReport Guard::finish() noexcept
{
    if (report_.status == StepStatus::Diverged) {
        report_.reason = "no finite state was found; the world was left as it was";
        state_.last_step.ledger = ledger_before_;
        state_.last_step.ledger_open = open_before_;
        state_.last_step.jammed = jammed_before_;
        return report_;
    }
    ++state_.steps;
    state_.last_step.jammed = std::max(state_.last_step.jammed - settings_.dt, Real(0));
    state_.last_step.ledger_open = 0;
    report_.energy_change = energy_end_ - energy_start_;
    if (!report_.settled)
        report_.reason =
            solves_left() == 0
                ? "the cap on solves was reached: the last iterate was handed out, slowed down "
                  "where it would have gained energy"
                : "no part of the step was short enough to settle: the last iterate was handed "
                  "out, slowed down where it would have gained energy";
    else if (report_.halvings > 0)
        report_.reason =
            "a part of the mechanism turned or snapped too fast for one step: it was taken in "
            "parts";
    else if (report_.gains_refused > 0)
        report_.reason = "two-step history would have added energy: backward Euler took over";
    else if (report_.restarts > 0)
        report_.reason = "the motion left its past behind: backward Euler took over";
    if (report_.reason.empty()) report_.hardest_body = -2;
    return report_;
}

}  // namespace taut::stepper

#include "study.h"

#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace taut::study {

namespace {

// Steps that are taken whole: by the order of the scheme, displacement and the mean of the velocities differ by no more than the
// recent changes of velocity, of which a two-step scheme forgets two thirds a step. Within sub-steps velocities may come and go,
// unseen from outside: there, and in the two steps that remember them, only a body that was and is at rest is judged.
bool is_explained(const Vec3& moved, const Vec3& old, const Vec3& now, Real recent_change, Real h,
                  bool whole, Real rounding)
{
    if (!whole && !(old.isZero(0) && now.isZero(0))) return true;
    return (moved - h / 2 * (old + now)).norm() <= h * recent_change + rounding;
}

BodyId body_of(std::size_t b) { return BodyId{static_cast<int>(b)}; }

}  // namespace

DisplacementCheck::DisplacementCheck(const World& world)
    : p_(static_cast<std::size_t>(world.body_count())), v_(p_.size()), change_(p_.size(), 0)
{
    for (std::size_t b = 0; b < p_.size(); ++b) {
        p_[b] = world.centre_of_mass(body_of(b));
        v_[b] = world.velocity(body_of(b)).linear;
    }
}

bool DisplacementCheck::explains(const World& world, const StepReport& report, Real dt)
{
    whole_steps_ = report.sub_steps <= 1 && report.impacts == 0 ? whole_steps_ + 1 : 0;
    const bool whole = whole_steps_ > 2 || whole_steps_ > taken_;
    ++taken_;
    bool explained = true;
    for (std::size_t b = 0; b < p_.size(); ++b) {
        const Vec3 at = world.centre_of_mass(body_of(b)), now = world.velocity(body_of(b)).linear;
        change_[b] = change_[b] / 2 + (now - v_[b]).norm();
        explained = explained && is_explained(at - p_[b], v_[b], now, change_[b], dt, whole,
                                              1e-9 * (world.size() + at.norm()));
        v_[b] = now;
        p_[b] = at;
    }
    return explained;
}

Outcome run(World& world, const StepSettings& settings, Real seconds)
{
    Outcome out;
    const Real start = world.energy().total() - world.work().total();
    const auto steps = static_cast<long>(std::ceil(seconds / settings.dt * (1 - 1e-9)));
    Real most = world.energy().kinetic(), late = 0, rise = 0, rounding = 0;
    long solves = 0, taken = 0;
    DisplacementCheck displacement(world);
    for (; taken < steps; ++taken) {
        const StepReport report = world.step(settings);
        solves += report.solves - report.back_substitutions;
        out.most_solves = std::max(out.most_solves, report.solves);
        out.halvings += report.halvings;
        if (!report.settled) ++out.unsettled;
        const Energy energy = world.energy();
        if (report.status != StepStatus::Ok || !std::isfinite(energy.total())) {
            out.finite = false;
            break;
        }
        rise = std::max(rise, energy.total() - world.work().total() - start);
        rounding = std::max({rounding, energy.kinetic(), std::abs(energy.gravity)});
        most = std::max(most, energy.kinetic());
        if (taken >= steps - steps / 5) late = std::max(late, energy.kinetic());
        out.gap = std::max(out.gap, world.joint_gap() / world.size());
        if (!displacement.explains(world, report, settings.dt) && report.settled) ++out.unexplained;
    }
    if (rise > 1e-12 * rounding && most > 0) out.rise = rise / most;
    out.kept = most > 0 ? late / most : 0;
    out.solves = static_cast<Real>(solves) / static_cast<Real>(std::max(taken, 1L));
    return out;
}

Outcome run(const Cell& cell, Real seconds, const StepSettings& like)
{
    World world = build(cell);
    StepSettings settings = like;
    settings.dt = cell.dt;
    return run(world, settings, seconds);
}

MotionCheck check_motion(World& world, const StepSettings& settings, int steps)
{
    MotionCheck out;
    DisplacementCheck displacement(world);
    const Real start = world.energy().total() - world.work().total();
    Real most = world.energy().kinetic(), rise = 0, rounding = 0;
    for (; out.taken < steps && out.finite; ++out.taken) {
        const StepReport report = world.step(settings);
        const Energy energy = world.energy();
        out.finite = report.status == StepStatus::Ok && std::isfinite(energy.total());
        if (!report.settled) ++out.unsettled;
        rise = std::max(rise, energy.total() - world.work().total() - start);
        rounding = std::max({rounding, energy.kinetic(), std::abs(energy.gravity)});
        most = std::max(most, energy.kinetic());
        const bool explained = displacement.explains(world, report, settings.dt);
        if (report.settled && !explained) ++out.unexplained;
    }
    out.gained = rise > 1e-12 * rounding ? rise : 0;
    out.kinetic = most;
    if (rise > 1e-12 * rounding && most > 0) out.rise = rise / most;
    return out;
}

Real kept_of_swing(World& world, const StepSettings& settings, Real seconds, Real window)
{
    Real first = 0, last = 0;
    const long steps = std::lround(seconds / settings.dt), part = std::lround(window / settings.dt);
    const Real start = world.energy().total();
    for (long i = 0; i < steps; ++i) {
        if (world.step(settings).status != StepStatus::Ok) return -1;
        const Real kinetic = world.energy().kinetic();
        if (i < part) first = std::max(first, kinetic);
        if (i >= steps - part) last = std::max(last, kinetic);
        if (world.joint_gap() > world.size() || world.energy().total() > start + 5 * first)
            return -1;
    }
    return last / first;
}

void spread(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job)
{
    std::atomic<std::size_t> next{0}, done{0};
    const auto begin = std::chrono::steady_clock::now();
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            job(i);
            ++done;
        }
    };
    std::vector<std::thread> pool;
    for (unsigned t = 0; t < std::max(1u, threads); ++t) pool.emplace_back(work);
    const bool terminal = isatty(STDERR_FILENO) != 0;
    while (terminal && done < count) {
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        const double share = static_cast<double>(done) / static_cast<double>(count);
        std::fprintf(stderr, "\r[%-40.*s] %5.1f %%  %.0f s left   ", static_cast<int>(40 * share),
                     "########################################", 100 * share,
                     share > 0 ? seconds / share - seconds : 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(250));
    }
    for (std::thread& thread : pool) thread.join();
    if (terminal) std::fprintf(stderr, "\r%70s\r", "");
}

Arguments::Arguments(int count, char** words, std::string usage)
    : words_(words + 1, words + count), usage_(std::move(usage))
{
    for (const std::string& word : words_)
        if (word == "--help" || word == "-h") {
            std::printf("%s\n", usage_.c_str());
            std::exit(0);
        }
}

std::string Arguments::text(const std::string& name, const std::string& fallback)
{
    for (std::size_t i = 0; i + 1 < words_.size(); ++i)
        if (words_[i] == name) {
            std::string value = words_[i + 1];
            words_.erase(words_.begin() + static_cast<long>(i),
                         words_.begin() + static_cast<long>(i) + 2);
            return value;
        }
    return fallback;
}

double Arguments::number(const std::string& name, double fallback)
{
    const std::string value = text(name, "");
    if (value.empty()) return fallback;
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    if (*end == '\0') return number;
    std::fprintf(stderr, "%s wants a number, not '%s'\n%s\n", name.c_str(), value.c_str(),
                 usage_.c_str());
    std::exit(2);
}

bool Arguments::flag(const std::string& name)
{
    const auto found = std::find(words_.begin(), words_.end(), name);
    if (found == words_.end()) return false;
    words_.erase(found);
    return true;
}

void Arguments::done()
{
    if (words_.empty()) return;
    std::fprintf(stderr, "'%s' is not understood\n%s\n", words_.front().c_str(), usage_.c_str());
    std::exit(2);
}

}  // namespace taut::study

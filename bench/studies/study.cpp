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

Outcome run(World& world, const StepSettings& settings, Real seconds)
{
    Outcome out;
    const Real start = world.energy().total() - world.work().total();
    const auto steps = static_cast<long>(std::ceil(seconds / settings.dt * (1 - 1e-9)));
    Real most = world.energy().kinetic(), late = 0, rise = 0, rounding = 0;
    long solves = 0, taken = 0;
    for (; taken < steps; ++taken) {
        const StepReport report = world.step(settings);
        solves += report.solves;
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

// How much energy a chain in space keeps: the cells that are asked of the default step, beside bdf2.
//
// 10 links of 1 kg and 0.1 m, ball joints, the last link R times as heavy, released horizontally while turning about the vertical;
// 10 s. Six starts, turning at 0.28 … 0.33 rad/s: light chains are chaotic, and one start says little.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <vector>

#include "study.h"

using namespace taut;
using namespace taut::study;

namespace {

constexpr Real kLinkLength = 0.1, kGravity = 9.81, kLargestRise = 0.005;
constexpr int kLinks = 10;
constexpr Real kTurns[] = {0.28, 0.29, 0.30, 0.31, 0.32, 0.33};

struct Goal {
    Real ratio, dt;
    Real kept;  // at least, mean of the starts
};
constexpr Goal kGoals[] = {
    {1, 1.0 / 60, 0.95},   {100, 1e-3, 0.99}, {100, 1.0 / 60, 0.9}, {1e4, 1.0 / 60, 0.99},
    {1e6, 1.0 / 60, 0.99}, {1e4, 0.1, 0.5},   {1e5, 0.1, 0.5},      {1e6, 0.1, 0.5},
    {1e7, 0.1, 0.5},       {1e8, 0.1, 0.5},   {1e9, 0.1, 0.5},
};

struct Kept {
    bool finite = true;
    Real energy = 0;  // share of the energy above that of the chain hanging at rest
    Real rise = 0;    // largest rise of energy over the largest kinetic energy
    Real factorisations = 0, substitutions = 0;  // per step
    long unsettled = 0;
};

Kept simulate(const Cell& cell, Scheme scheme, Real seconds)
{
    World world = build(cell);
    const Real start = world.energy().total();
    Real drop = world.energy().kinetic();
    for (int i = 0; i < cell.links; ++i)
        drop += (i + 1 == cell.links ? cell.ratio : 1) * kGravity * kLinkLength * (i + 0.5);
    const long steps = std::lround(seconds / cell.dt);
    Kept kept;
    Real most = 0, kinetic = 0;
    for (long k = 0; k < steps && kept.finite; ++k) {
        const StepReport report = world.step({.dt = cell.dt, .research = {.scheme = scheme}});
        const Energy energy = world.energy();
        kept.finite = report.status == StepStatus::Ok && std::isfinite(energy.total());
        most = std::max(most, energy.total() - start);
        kinetic = std::max(kinetic, energy.kinetic());
        kept.factorisations += report.solves - report.back_substitutions;
        kept.substitutions += report.back_substitutions;
        if (!report.settled) ++kept.unsettled;
    }
    kept.energy = 1 + (world.energy().total() - start) / drop;
    kept.rise = most / kinetic;
    kept.factorisations /= static_cast<Real>(steps);
    kept.substitutions /= static_cast<Real>(steps);
    return kept;
}

// Over the starts of a cell.
struct Summary {
    bool finite = true;
    Real mean = 0, least = 1e300, most = 0, rise = 0, factorisations = 0, substitutions = 0;
    long unsettled = 0;
};

Summary summarise(const Kept* first, const Kept* last)
{
    Summary out;
    const auto count = static_cast<Real>(last - first);
    for (const Kept* k = first; k != last; ++k) {
        out.finite = out.finite && k->finite;
        out.mean += k->energy / count;
        out.least = std::min(out.least, k->energy);
        out.most = std::max(out.most, k->energy);
        out.rise = std::max(out.rise, k->rise);
        out.factorisations += k->factorisations / count;
        out.substitutions += k->substitutions / count;
        out.unsettled += k->unsettled;
    }
    return out;
}

void print(const Summary& s)
{
    if (s.finite)
        std::printf(" %.2f %% (%.2f … %.2f) | %.3f %% | %.2f + %.2f | %ld |", 100 * s.mean,
                    100 * s.least, 100 * s.most, 100 * s.rise, s.factorisations, s.substitutions,
                    s.unsettled);
    else
        std::printf(" fails | – | – | – |");
}

}  // namespace

int main(int count, char** words)
{
    Arguments arguments(
        count, words,
        "usage: motion_kept [--seconds T] [-j THREADS]\n"
        "Prints how much energy a chain of 10 links keeps with the default step and with bdf2.\n"
        "Exit code 1 if the default step keeps less than a cell asks for, or if its energy rises "
        "by more than 0.5 %.");
    const Real seconds = arguments.number("--seconds", 10);
    const auto threads = static_cast<unsigned>(arguments.number("-j", 1));
    arguments.done();

    constexpr Scheme kSchemes[] = {Scheme::Automatic, Scheme::Bdf2};
    constexpr std::size_t kStarts = std::size(kTurns), kCells = std::size(kGoals),
                          kRuns = std::size(kSchemes) * kStarts;
    std::vector<Kept> kept(kCells * kRuns);
    spread(kept.size(), threads, [&](std::size_t i) {
        const Goal& goal = kGoals[i / kRuns];
        const Cell cell{Kind::Ball, kLinks, goal.ratio, goal.dt, 0, kTurns[i % kStarts]};
        kept[i] = simulate(cell, kSchemes[i % kRuns / kStarts], seconds);
    });

    std::printf(
        "| R | step [s] | asked | default: energy kept | largest rise | solves a step | unsettled "
        "| bdf2: energy kept | largest rise | solves a step | unsettled |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|\n");
    int missed = 0;
    for (std::size_t c = 0; c < kCells; ++c) {
        const Kept* first = kept.data() + c * kRuns;
        const Summary now = summarise(first, first + kStarts);
        if (!now.finite || now.mean < kGoals[c].kept || now.rise > kLargestRise) ++missed;
        std::printf("| %g | %.4g | %g %% |", kGoals[c].ratio, kGoals[c].dt, 100 * kGoals[c].kept);
        print(now);
        print(summarise(first + kStarts, first + kRuns));
        std::printf("\n");
    }
    std::printf("\n%zu cells, %zu starts each: %d of the default step miss what is asked.\n",
                kCells, kStarts, missed);
    return missed > 0 ? 1 : 0;
}

// The grid: every mechanism, mass ratio, step and compliance, 10 s each. Prints a Markdown table; every cell
// must be finite, gain at most 0.5 %, keep its joints together to 0.1 % of its size beyond elastic stretch, and move as its
// velocities tell.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <vector>

#include "study.h"

using namespace taut;
using namespace taut::study;

namespace {

std::vector<Cell> cells(bool quick)
{
    const std::vector<Real> ratios = {1, 1e2, 1e4, 1e6, 1e9};
    const std::vector<Real> steps = {1e-3, Real(1) / 240, Real(1) / 60, 0.02, 0.1};
    const std::vector<Real> stretches = {0, 1e-6, 1e-2};
    const std::vector<int> links =
        quick ? std::vector<int>{2, 10} : std::vector<int>{2, 5, 10, 40, 100};
    std::vector<Cell> out;
    for (const KindInfo& info : kinds())
        for (const Real dt : steps)
            for (const int n : info.chain ? links : std::vector<int>{16})
                for (const Real ratio : ratios)
                    for (const Real stretch : stretches)
                        for (const Real turn : {0.3, 0.0})
                            if (!quick || (turn > 0 && dt > 2e-3))
                                out.push_back({info.kind, n, ratio, dt, stretch, turn});
    return out;
}

std::string_view name_of(Kind kind)
{
    for (const KindInfo& info : kinds())
        if (info.kind == kind) return info.name;
    return "?";
}

struct Line {
    int cells = 0, unstable = 0;
    Real rise = 0, gap = 0, solves = 0, worst_mean = 0;
    int most = 0;
    long halvings = 0, unsettled = 0, unexplained = 0;
    std::vector<Real> kept;

    void add(const Cell& cell, const Outcome& out)
    {
        ++cells;
        if (!out.stable()) ++unstable;
        rise = std::max(rise, out.rise);
        gap = std::max(gap, out.gap);
        solves += out.solves;
        worst_mean = std::max(worst_mean, out.solves);
        most = std::max(most, out.most_solves);
        halvings += out.halvings;
        unsettled += out.unsettled;
        unexplained += out.unexplained;
        if (cell.ratio >= 1e4 && cell.stretch < 1e-3) kept.push_back(out.kept);
    }
    Real median_kept()
    {
        if (kept.empty()) return 0;
        std::nth_element(kept.begin(), kept.begin() + static_cast<long>(kept.size() / 2),
                         kept.end());
        return kept[kept.size() / 2];
    }
};

void write_csv(const std::string& file, const std::vector<Cell>& cells,
               const std::vector<Outcome>& outcomes)
{
    std::ofstream csv(file);
    csv << "mechanism,links,ratio,dt [s],stretch [-],turn [rad/s],stable,finite,energy rise "
           "[-],gap [-],"
           "kept [-],solves mean,solves max,halvings,unsettled,unexplained\n";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Cell& c = cells[i];
        const Outcome& o = outcomes[i];
        csv << name_of(c.kind) << ',' << c.links << ',' << c.ratio << ',' << c.dt << ','
            << c.stretch << ',' << c.turn << ',' << o.stable() << ',' << o.finite << ',' << o.rise
            << ',' << o.gap << ',' << o.kept << ',' << o.solves << ',' << o.most_solves << ','
            << o.halvings << ',' << o.unsettled << ',' << o.unexplained << '\n';
    }
}

}  // namespace

int main(int count, char** words)
{
    Arguments arguments(
        count, words,
        "usage: stability_grid [--quick] [-j THREADS] [--seconds T] [--csv FILE]\n"
        "Runs the grid of mechanisms with the default step; prints a Markdown table.\n"
        "Exit code 1 if a cell is unstable, or a body moves farther in a settled step than its "
        "velocities tell.");
    const bool quick = arguments.flag("--quick");
    const auto threads = static_cast<unsigned>(arguments.number("-j", 1));
    const Real seconds = arguments.number("--seconds", 10);
    const std::string csv = arguments.text("--csv", "");
    arguments.done();

    const std::vector<Cell> all = cells(quick);
    std::vector<Outcome> outcomes(all.size());
    spread(all.size(), threads, [&](std::size_t i) { outcomes[i] = run(all[i], seconds); });
    if (!csv.empty()) write_csv(csv, all, outcomes);

    std::printf(
        "| mechanism | step [s] | cells | unstable | largest energy rise | largest gap | solves a "
        "step | worst cell | worst step | kinetic energy kept |\n"
        "|---|---|---|---|---|---|---|---|---|---|\n");
    int unstable = 0, small = 0;
    long unexplained = 0;
    Real solves = 0;
    for (const KindInfo& info : kinds())
        for (const Real dt : {1e-3, Real(1) / 240, Real(1) / 60, 0.02, 0.1}) {
            Line line;
            for (std::size_t i = 0; i < all.size(); ++i)
                if (all[i].kind == info.kind && all[i].dt == dt) line.add(all[i], outcomes[i]);
            if (line.cells == 0) continue;
            unstable += line.unstable;
            unexplained += line.unexplained;
            if (dt <= Real(1) / 60) {
                solves += line.solves;
                small += line.cells;
            }
            std::printf("| %s | %.4g | %d | %d | %.1e | %.1e | %.2f | %.1f | %d | %.2f |\n",
                        std::string(info.name).c_str(), dt, line.cells, line.unstable, line.rise,
                        line.gap, line.solves / line.cells, line.worst_mean, line.most,
                        line.median_kept());
        }
    std::printf(
        "\n%zu cells, %d unstable; %.2f solves a step on average at steps up to 1/60 s; in %ld "
        "settled "
        "steps a body moved farther than its velocities tell.\n"
        "Kinetic energy kept: largest of the last two seconds over the largest of all, median of "
        "the cells with ratios from 1e4 and stretches up to 1e-6.\n",
        all.size(), unstable, solves / std::max(small, 1), unexplained);
    return unstable > 0 || unexplained > 0 ? 1 : 0;
}

// The guarded step as a user gets it, all its solves included: chains of ball joints under a load, let go horizontally. Thread
// time; of several rounds the fastest counts, because other work on the machine can only add to it.
//
//     guarded_bench [--markdown] [LOAD [TURN [LINKS]]]      load in links, turning about the vertical [rad/s]
//
// Below the table: what one factorisation with its substitutions takes (in steps of one solve, for of several some only
// substitute), and what its arithmetic would take if it were a loop of independent multiplications and additions, measured
// in the same run.
#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <taut/joints.h>
#include <taut/world.h>

using namespace taut;

namespace {

constexpr Real kLength = 0.1, kRadius = 0.02, kBall = 0.1;  // of a link and of the load [m]

World make_chain(int links, Real load, Real turn)
{
    World world;
    BodyId previous = kWorld;
    for (int i = 0; i <= links; ++i) {
        const bool last = i == links;
        BodyDef def;
        def.mass = last ? load : 1;
        const Real across = kLength * kLength / 12 + kRadius * kRadius / 4;
        def.inertia = last ? Mat3(0.4 * kBall * kBall * load * Mat3::Identity())
                           : Mat3(Vec3(kRadius * kRadius / 2, across, across).asDiagonal());
        def.pose.p = {kLength * i + (last ? kBall : kLength / 2), 0, 0};
        def.velocity = {Vec3(0, turn * def.pose.p.x(), 0), Vec3(0, 0, turn)};
        const BodyId body = world.add_body(def).value();
        world.add_joint(ball(previous, body, {kLength * i, 0, 0})).value();
        previous = body;
    }
    return world;
}

double now()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Cost {
    double step = std::numeric_limits<double>::max();       // [s]
    double solves = 0, assembly = 0, solve = 0;             // per step; shares of the time
    double one_solve = std::numeric_limits<double>::max();  // factorisation and substitutions [s]
};

enum class Kind { Whole, Inside, OneSolve };  // of a round

Cost measure(int links, Real load, Real turn)
{
    const int steps = links >= 1000 ? 120 : 600, rounds = links >= 1000 ? 9 : 30;
    double least = std::numeric_limits<double>::max();
    Cost cost;
    for (int round = 0; round < rounds; ++round) {
        World world = make_chain(links, load, turn);
        // every third round looks inside, which itself takes time, and every third at steps of one solve
        const Kind kind = std::array{Kind::Whole, Kind::Inside, Kind::OneSolve}[round % 3];
        StepSettings settings{.dt = Real(1) / 60, .profile = kind != Kind::Whole};
        if (kind == Kind::OneSolve) settings.max_solves = 1;
        StepTimes times;
        double solves = 0;
        const double start = now();
        for (int i = 0; i < steps; ++i) {
            const StepReport report = world.step(settings);
            solves += report.solves;
            times.assembly += report.times.assembly;
            times.solve += report.times.solve;
            times.whole += report.times.whole;
        }
        if (kind == Kind::OneSolve) cost.one_solve = std::min(cost.one_solve, times.solve / solves);
        if (kind == Kind::Whole) cost.step = std::min(cost.step, (now() - start) / steps);
        if (kind != Kind::Inside) continue;
        cost.solves = solves / steps;
        if (times.whole > least) continue;
        least = times.whole;
        cost.assembly = times.assembly / times.whole;
        cost.solve = times.solve / times.whole;
    }
    return cost;
}

// Multiplications and additions of eliminating a node of n unknowns with one neighbour of m, and of the way back.
constexpr int flops(int n, int m)
{
    int sum = 0;
    for (int j = 0; j < n; ++j) sum += 2 * j * (n - j + m + 1) + (n - j + m);  // columns of L
    sum += 2 * n * (m * (m + 1) / 2 + m);                                      // the neighbour
    return sum + 2 * n * m + n * (n - 1);                                      // back
}

typedef double Four __attribute__((vector_size(32)));

// One multiplication and one addition on each of twelve vectors in registers, over and over. [flops/s]
#ifdef __x86_64__
[[gnu::target("avx2"), gnu::noinline]]
#else
[[gnu::noinline]]
#endif
double
arithmetic_rate()
{
    constexpr int kVectors = 12, kRepeats = 200'000;
    double best = 0;
    for (int round = 0; round < 10; ++round) {
        Four a[kVectors];
        for (int k = 0; k < kVectors; ++k) a[k] = Four{1.0 + k, 2.0 + k, 3.0 + k, 4.0 + k};
        const Four scale = {0.999, 0.998, 0.997, 0.996}, shift = {1e-3, 2e-3, 3e-3, 4e-3};
        const double start = now();
        for (int i = 0; i < kRepeats; ++i) {
#pragma GCC unroll 12
            for (int k = 0; k < kVectors; ++k) a[k] = a[k] * scale + shift;
        }
        const double time = now() - start;
        double sum = 0;
        for (const Four& v : a) sum += v[0] + v[1] + v[2] + v[3];
        if (!std::isfinite(sum)) std::abort();
        best = std::max(best, 8.0 * kVectors * kRepeats / time);
    }
    return best;
}

}  // namespace

int main(int argc, char** argv)
{
    const bool markdown = argc > 1 && std::strcmp(argv[1], "--markdown") == 0;
    char** arg = argv + 1 + markdown;
    char** const end = argv + argc;
    const Real load = arg < end ? std::atof(*arg++) : 100;
    const Real turn = arg < end ? std::atof(*arg++) : 0;
    const int only = arg < end ? std::atoi(*arg++) : 0;

    std::printf(
        markdown
            ? "| links | step [µs] | a link [ns] | solves a step | a link and solve [ns] | of it "
              "assembly "
              "| solving | the rest |\n|---|---|---|---|---|---|---|---|\n"
            : "links  step [us]  a link [ns]  solves  a link and solve [ns]  assembly  solving\n");
    Cost longest;
    int longest_links = 0;
    for (const int links : {10, 50, 100, 1000}) {
        if (only > 0 && links != only) continue;
        const Cost c = measure(links, load, turn);
        if (links <= 100) longest = c, longest_links = links;  // what fits into the nearest cache
        const double link = 1e9 * c.step / links;
        if (markdown)
            std::printf("| %d | %.1f | %.0f | %.2f | %.0f | %.0f %% | %.0f %% | %.0f %% |\n", links,
                        1e6 * c.step, link, c.solves, link / c.solves, 100 * c.assembly,
                        100 * c.solve, 100 * (1 - c.assembly - c.solve));
        else
            std::printf("%5d  %9.1f  %11.0f  %6.2f  %21.0f  %6.0f %%  %5.0f %%\n", links,
                        1e6 * c.step, link, c.solves, link / c.solves, 100 * c.assembly,
                        100 * c.solve);
        std::fflush(stdout);
    }
#ifdef __x86_64__
    if (!__builtin_cpu_supports("avx2")) return 0;
#endif
    // long chains are cut in four pieces (linalg/stretches), which takes more operations than going along
    const int along = flops(6, 3) + flops(3, 6), pieces = flops(6, 6) + flops(3, 9);
    const double rate = arithmetic_rate(), limit = 1e9 * pieces / rate;
    const double one = 1e9 * longest.one_solve / longest_links;
    std::printf(
        "%sA factorisation with its substitutions is %d operations a link in four pieces (%d from "
        "end to end). A "
        "multiply-and-add loop of that many takes %.1f ns (%.1f ns) at %.1f Gflop/s; with %d links "
        "one took %.0f ns a "
        "link: %.1f times (%.1f times) as long.\n",
        markdown ? "\n" : "", pieces, along, limit, 1e9 * along / rate, 1e-9 * rate, longest_links,
        one, one / limit, one * rate / (1e9 * along));
    return 0;
}

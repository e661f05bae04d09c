// The whole step of a hanging chain of ball joints, per link, and where it goes. One thread, processor
// time; of several rounds the fastest counts, because other work on the machine can only add to it.
//
//   begin      poses as matrices, free rotation of every body, loads
//   linearise  φ, J, the tension form, rows; all written into the system
//   solve      factorisation, solution, residual (and refinement if it asks for it)
//   advance    new poses, multipliers, work done, check for non-finite numbers
//
// `--markdown` prints the table as it stands in the documents.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>

#include <taut/joints.h>

#include "model/builder.h"
#include "stepper/phases.h"

namespace {

using namespace taut;
using namespace taut::stepper;

double now()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Scene {
    Model model;
    State state = make_state();
    StepRows rows;

    StepModel step_model() const { return {model, rows}; }
};

// Links of 1 kg and 0.1 m with a load of 100 kg, swinging a little so that nothing is exactly zero.
Scene make_chain(int links)
{
    Scene scene;
    State& state = scene.state;
    BodyId previous = kWorld;
    for (int i = 0; i < links; ++i) {
        const Real mass = i + 1 == links ? 100 : 1;
        BodyDef def;
        def.mass = mass;
        def.inertia = mass * Vec3(9.3e-4, 9.3e-4, 2e-4).asDiagonal();
        def.pose.p = {0, 0, -0.1 * (i + 0.5)};
        def.velocity = {Vec3(0.02 * (i + 0.5) * 0.1, 0, 0), Vec3(0.01, -0.02, 0.03)};
        const BodyId body{add_body(scene.model, state, def).value() - 1};
        if (!add_joint(scene.model, state, ball(previous, body, {0, 0, -0.1 * i}))) std::abort();
        previous = body;
    }
    scene.rows.load_joints(scene.model);
    return scene;
}

struct Phases {
    double begin = 0, linearise = 0, solve = 0, advance = 0;
    double total() const { return begin + linearise + solve + advance; }
};

Phases one_round(Scene& scene, Workspace& work, const StepSettings& settings, int steps)
{
    Phases sum;
    for (int i = 0; i < steps; ++i) {
        const SchemeWeights scheme = scheme_weights(settings, scene.state.time);
        const double t0 = now();
        begin(scene.step_model(), scene.state, scheme, work);
        const double t1 = now();
        linearise(scene.step_model(), scene.state, scheme, settings.research.stabilisation,
                  work.context.layout, work.context.linear);
        const double t2 = now();
        work.context.solver->solve(work.context.linear.system, work.context.solution);
        const double t3 = now();
        advance(scene.step_model(), scene.state, scheme, work);
        if (!is_finite_and_bounded(work.next)) std::abort();
        std::swap(scene.state, work.next);
        const double t4 = now();
        sum.begin += t1 - t0;
        sum.linearise += t2 - t1;
        sum.solve += t3 - t2;
        sum.advance += t4 - t3;
    }
    return sum;
}

Phases fastest(int links)
{
    StepSettings settings;
    Scene scene = make_chain(links);
    Workspace work;
    prepare(scene.step_model(), scene.state, settings, work);
    const int steps = std::max(3, 100000 / links);
    Phases best;
    double least = std::numeric_limits<double>::max();
    for (int round = 0; round < 7; ++round) {
        const Phases p = one_round(scene, work, settings, steps);
        if (p.total() >= least) continue;
        least = p.total();
        best = p;
    }
    const double per_link = 1e9 / steps / links;
    return {best.begin * per_link, best.linearise * per_link, best.solve * per_link,
            best.advance * per_link};
}

}  // namespace

int main(int argc, char** argv)
{
    const bool markdown = argc > 1 && std::strcmp(argv[1], "--markdown") == 0;
    const char* const separator = markdown ? " | " : "  ";
    std::printf("%slinks%sstep ns/link%sbegin%slinearise%ssolve%sadvance%s\n", markdown ? "| " : "",
                separator, separator, separator, separator, separator, markdown ? " |" : "");
    if (markdown) std::printf("|---|---|---|---|---|---|\n");
    for (const int links : {10, 100, 1000, 10000, 100000}) {
        const Phases p = fastest(links);
        std::printf("%s%6d%s%8.0f%s%6.0f%s%6.0f%s%6.0f%s%6.0f%s\n", markdown ? "| " : "", links,
                    separator, p.total(), separator, p.begin, separator, p.linearise, separator,
                    p.solve, separator, p.advance, markdown ? " |" : "");
        std::fflush(stdout);
    }
    return 0;
}

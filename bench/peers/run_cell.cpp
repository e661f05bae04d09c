// peer_LIBRARY ENGINE SCENE [OPTIONS]: one engine on one scene in one process, one line of JSON on standard output.
//
// The script that runs many of them is tools/bench_peers. What an engine prints itself goes nowhere; one that hangs is ended
// by the limit on processor time, one that crashes leaves no line, and the script says so.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine.h"
#include "measure.h"
#include "study.h"

namespace {

using namespace taut;
using namespace taut::peers;
using nlohmann::json;

constexpr const char* kUsage =
    "usage: peer_LIBRARY ENGINE SCENE [OPTIONS]     peer_LIBRARY --list\n"
    "  --n N           links, or whatever the scene counts (10)\n"
    "  --ratio R       load over link (1)\n"
    "  --turn W        about the vertical [rad/s] (0)\n"
    "  --h H           length of a frame [s] (1/60)\n"
    "  --seconds T     simulated (10)\n"
    "  --substeps K    steps in a frame (1)\n"
    "  --damping C     of joints, by hand (0)\n"
    "  --limit S       processor time before the cell is too slow [s] (20)\n"
    "  --lose L        part of the energy whose loss ends the run (none)\n"
    "  --rounds K      measure time only: so many runs, whatever comes of them (0)\n"
    "  --seed K        of scenes that are drawn at random (0)\n"
    "  --contacts 1    measure time of each step and penetration of each contact (0)\n";

struct Task {
    const EngineInfo* info = nullptr;
    Scene scene;
    Options options;
    Real h = 0, seconds = 0, lose = 0;
    double limit = 0;
    int rounds = 0;
    bool contacts = false;

    int frames() const { return std::max(1, static_cast<int>(std::lround(seconds / h))); }
    int calls() const { return info->own_substeps ? 1 : options.substeps; }
};

void run(const Task& task, json& out)
{
    Monitor monitor(task.scene, task.seconds);
    const auto engine = task.info->make(task.scene, task.options);
    std::vector<Body> bodies = task.scene.bodies;
    double spent = 0, counted = 0;
    int frame = 0, counted_frames = 0;
    bool slow = false, lossy = false;
    for (; frame < task.frames() && monitor.failure().empty() && !slow && !lossy; ++frame) {
        const Vec3 gravity = task.scene.gravity_at((frame + 0.5) * task.h);
        engine->set_gravity(gravity);
        const double seconds = engine->step(task.h / task.calls(), task.calls());
        spent += seconds;
        if (frame > 0) {  // the first lays out memory
            counted += seconds;
            ++counted_frames;
        }
        engine->read(bodies);
        monitor.see(bodies, gravity, (frame + 1) * task.h);
        slow = spent > task.limit;
        lossy = monitor.kept() < 1 - task.lose;
    }
    slow = slow && frame < task.frames();
    out["verdict"] = !monitor.failure().empty() ? "unstable"
                     : lossy                    ? "lossy"
                     : slow                     ? "too slow"
                                                : "stable";
    out["failure"] = monitor.failure();
    out["reached"] = frame * task.h;
    out["rise"] = monitor.rise();
    out["kept"] = monitor.kept();
    out["drift"] = monitor.momentum_drift();
    out["gap"] = monitor.gap();
    out["penetration"] = monitor.penetration();
    out["sunk"] = monitor.sunk();
    out["us"] = 1e6 * counted / std::max(1, counted_frames);
    out["solves"] = engine->solves_per_step();
    const Vec3 p = bodies.back().pose.p;
    out["last"] = {p.x(), p.y(), p.z()};
}

// One run to the end, whatever comes of it: processor time of each step, and penetration of all contacts.
void run_contacts(const Task& task, json& out)
{
    ContactMonitor monitor(task.scene);
    Options options = task.options;
    options.rehearse = task.h / task.calls();
    const auto engine = task.info->make(task.scene, options);
    std::vector<Body> bodies = task.scene.bodies;
    std::vector<long> nanoseconds;
    double spent = 0;
    std::string failure;
    engine->set_gravity(task.scene.gravity);
    try {
        for (int frame = 0; frame < task.frames() && spent <= task.limit; ++frame) {
            const double seconds = engine->step(task.h / task.calls(), task.calls());
            spent += seconds;
            nanoseconds.push_back(std::lround(1e9 * seconds));
            engine->read(bodies);
            if (!monitor.see(bodies)) break;
        }
        failure = monitor.failure();
    } catch (const std::exception& trouble) {
        failure = std::string("gave up: ") + trouble.what();
    }
    const bool ended = static_cast<int>(nanoseconds.size()) < task.frames();
    out["verdict"] = !failure.empty() ? "failed" : ended ? "too slow" : "measured";
    out["failure"] = failure;
    out["reached"] = static_cast<double>(nanoseconds.size()) * task.h;
    out["spent"] = spent;
    out["ns"] = nanoseconds;
    out["contacts"] = monitor.contacts();
    out["worst"] = monitor.worst();
    out["rise"] = monitor.rise();
    out["gap"] = monitor.gap();
    out["beyond_limit"] = monitor.beyond_limit();
    json classes = json::object();
    for (const auto& [index, count] : monitor.classes()) classes[std::to_string(index)] = count;
    out["classes"] = classes;
}

// Time of a frame, from runs that begin at the start of the scene, so that all engines do the same motion as long as they can, in
// batches without readings. A run that has blown up is begun anew, and a last batch that threw does not count: time of nonsense is
// no time.
class Stopwatch {
public:
    explicit Stopwatch(const Task& task) : task_(task)
    {
        options_ = task.options;
        options_.rehearse = task.h / task.calls();
    }

    // Mean over so many frames [s]; nothing if not one was taken.
    std::optional<double> round()
    {
        double sum = 0;
        int frames = 0;
        for (int run = 0; run < kRuns && frames < task_.frames() && (frames == 0 || in_time());
             ++run)
            measure(sum, frames);
        return frames > 0 ? std::optional(sum / frames) : std::nullopt;
    }

    bool in_time() const { return spent_ < task_.limit; }
    double solves() const { return solves_; }

private:
    static constexpr int kWarm = 2, kBatch = 4, kRuns = 10;
    static constexpr Real kNonsense = 10;  // drop energies

    double take(Engine& engine, int frames)
    {
        const double seconds = engine.step(task_.h / task_.calls(), frames * task_.calls());
        spent_ += seconds;
        return seconds;
    }

    void measure(double& sum, int& frames)
    {
        const auto engine = task_.info->make(task_.scene, options_);
        Monitor monitor(task_.scene, task_.seconds);
        const Real start = monitor.read(task_.scene.bodies).energy;
        std::vector<Body> bodies = task_.scene.bodies;
        try {
            for (int i = 0; i < kWarm && (i == 0 || in_time()); ++i) take(*engine, 1);
            while (frames < task_.frames() && (frames == 0 || in_time())) {
                const int batch = frames == 0 ? 1 : kBatch;  // one alone tells how slow it is
                const double seconds = take(*engine, batch);
                engine->read(bodies);
                const Reading now = monitor.read(bodies);
                if (!now.finite || std::abs(now.energy - start) > kNonsense * task_.scene.drop)
                    return;
                sum += seconds;
                frames += batch;
                solves_ = engine->solves_per_step();
            }
        } catch (const std::exception&) {
            return;
        }
    }

    const Task& task_;
    Options options_;
    double spent_ = 0, solves_ = 1;
};

void time_rounds(const Task& task, json& out)
{
    Stopwatch watch(task);
    std::vector<double> rounds;
    for (int round = 0; round < task.rounds && (round == 0 || watch.in_time()); ++round)
        if (const auto mean = watch.round()) rounds.push_back(1e6 * *mean);
    if (rounds.empty()) {
        out["verdict"] = "failed";
        return;
    }
    std::sort(rounds.begin(), rounds.end());
    out["verdict"] = "timed";
    out["us"] = rounds[rounds.size() / 2];
    out["fastest"] = rounds.front();
    out["solves"] = watch.solves();
}

void list()
{
    for (const EngineInfo& info : engines()) {
        const json line = {{"engine", info.name}, {"setting", info.setting}};
        std::printf("%s\n", line.dump().c_str());
    }
}

// Standard output without what engines print: the real one.
int silence()
{
    const int real = dup(STDOUT_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    return real;
}

int run_line(int argc, char** argv)
{
    study::Arguments args(argc - 2, argv + 2, kUsage);
    SceneChoice choice;
    choice.name = argv[2];
    choice.n = static_cast<int>(args.number("--n", 10));
    choice.ratio = args.number("--ratio", 1);
    choice.turn = args.number("--turn", 0);
    choice.seed = static_cast<int>(args.number("--seed", 0));
    Task task;
    task.h = args.number("--h", 1.0 / 60);
    task.seconds = args.number("--seconds", 10);
    task.options.substeps = static_cast<int>(args.number("--substeps", 1));
    task.options.damping = args.number("--damping", 0);
    task.limit = args.number("--limit", 20);
    task.lose = args.number("--lose", std::numeric_limits<double>::infinity());
    task.rounds = static_cast<int>(args.number("--rounds", 0));
    task.contacts = args.number("--contacts", 0) != 0;
    args.done();
    for (const EngineInfo& info : engines())
        if (info.name == argv[1]) task.info = &info;
    if (!task.info || choice.n < 1 || task.options.substeps < 1 || !(task.h > 0) ||
        !(task.lose > 0)) {
        std::fputs(kUsage, stderr);
        return 2;
    }
    task.scene = make_scene(choice);

    json out = {{"engine", argv[1]},
                {"scene", choice.name},
                {"n", choice.n},
                {"ratio", choice.ratio},
                {"turn", choice.turn},
                {"h", task.h},
                {"seconds", task.seconds},
                {"substeps", task.options.substeps},
                {"damping", task.options.damping},
                {"rounds", task.rounds},
                {"seed", choice.seed}};
    // what is measured after each step is not the engine's time, but this process's
    const rlim_t cpu = static_cast<rlim_t>(task.limit * 1.5) + (task.contacts ? 60 : 5);
    const rlimit ceiling{cpu, cpu + 1};
    setrlimit(RLIMIT_CPU, &ceiling);
    const int real = silence();
    try {
        if (!task.info->can(task.scene))
            out["verdict"] = "cannot";
        else if (task.contacts)
            run_contacts(task, out);
        else if (task.rounds > 0)
            time_rounds(task, out);
        else
            run(task, out);
    } catch (const std::exception& trouble) {
        out["verdict"] = task.rounds > 0 ? "failed" : "unstable";
        out["failure"] = std::string("gave up: ") + trouble.what();
    }
    // not a number is no JSON, and null is what the writer makes of it
    dprintf(real, "%s\n", out.dump(-1, ' ', false, json::error_handler_t::replace).c_str());
    _exit(0);  // no engine's destructors
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc == 2 && std::string(argv[1]) == "--list") {
        list();
        return 0;
    }
    if (argc < 3) {
        std::fputs(kUsage, stderr);
        return 2;
    }
    try {
        return run_line(argc, argv);
    } catch (const std::exception& trouble) {
        std::fprintf(stderr, "%s\n", trouble.what());
        return 2;
    }
}

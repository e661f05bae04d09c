// Engines that exist as WebAssembly: a Node process beside this one holds the engine (node/runner.mjs says how they talk) and times
// its own steps; states come back after every call and are measured here like all others.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engines/mjcf.h"

namespace taut::peers {
namespace {

using nlohmann::json;
static_assert(std::endian::native == std::endian::little);

json list(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
json list(const Quat& q) { return {q.w(), q.x(), q.y(), q.z()}; }

json describe(const Shape& s)
{
    const char* kind = s.kind == Shape::Kind::Box       ? "box"
                       : s.kind == Shape::Kind::Capsule ? "capsule"
                                                        : "sphere";
    return {{"kind", kind},
            {"radius", s.radius},
            {"length", s.length},
            {"size", list(s.size)},
            {"friction", s.friction}};
}

json describe(const Scene& scene)
{
    json bodies = json::array(), joints = json::array();
    for (const Body& b : scene.bodies) {
        bodies.push_back({{"mass", b.mass},
                          {"inertia", list(b.inertia)},
                          {"p", list(b.pose.p)},
                          {"q", list(b.pose.q)},
                          {"v", list(b.velocity.linear)},
                          {"w", list(b.velocity.angular)}});
        if (b.shape) bodies.back()["shape"] = describe(*b.shape);
    }
    for (const Joint& j : scene.joints) {
        const Pose a = j.a < 0 ? Pose{} : scene.bodies[j.a].pose, b = scene.bodies[j.b].pose;
        joints.push_back({{"kind", j.kind == Joint::Kind::Ball ? "ball" : "hinge"},
                          {"a", j.a},
                          {"b", j.b},
                          {"point", list(j.point)},
                          {"axis", list(j.axis)},
                          {"anchor_a", list(Vec3(a.q.conjugate() * (j.point - a.p)))},
                          {"anchor_b", list(Vec3(b.q.conjugate() * (j.point - b.p)))},
                          {"axis_a", list(Vec3(a.q.conjugate() * j.axis))},
                          {"axis_b", list(Vec3(b.q.conjugate() * j.axis))},
                          {"limit", j.limit},
                          {"closes_loop", j.closes_loop}});
    }
    return {{"bodies", bodies},
            {"joints", joints},
            {"gravity", list(scene.gravity)},
            {"floor", scene.floor}};
}

class NodeEngine final : public Engine {
public:
    NodeEngine(const char* name, const Scene& scene, const Options& options)
        : gravity_(scene.gravity)
    {
        start(name);
        json task = {{"scene", describe(scene)},
                     {"options", {{"damping", options.damping}}},
                     {"warm", options.rehearse}};
        if (std::string(name) == "mujoco3") {
            task["xml"] =
                mjcf(scene, options,
                     {"implicitfast", scene.floor ? "memory=\"400M\"" : "memory=\"150M\""});
            task["velocities"] = mjcf_velocities(scene);
            task["order"] = mjcf_order(scene);
        }
        const std::string text = task.dump();
        const std::uint32_t length = static_cast<std::uint32_t>(text.size());
        send(&length, sizeof length);
        send(text.data(), text.size());
        double ready = 0;
        receive(&ready, sizeof ready);
        states_.resize(1 + 13 * scene.bodies.size());
    }

    ~NodeEngine() override
    {
        close(to_);
        close(from_);
        kill(child_, SIGKILL);
        waitpid(child_, nullptr, 0);
    }

    void set_gravity(const Vec3& gravity) override { gravity_ = gravity; }

    double step(Real h, int count) override
    {
        const double command[5] = {h, static_cast<double>(count), gravity_.x(), gravity_.y(),
                                   gravity_.z()};
        send(command, sizeof command);
        receive(states_.data(), states_.size() * sizeof(double));
        return states_[0];
    }

    void read(std::vector<Body>& bodies) override
    {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const double* s = states_.data() + 1 + 13 * i;
            bodies[i].pose = {{s[0], s[1], s[2]}, Quat(s[3], s[4], s[5], s[6]).normalized()};
            bodies[i].velocity = {{s[7], s[8], s[9]}, {s[10], s[11], s[12]}};
        }
    }

private:
    void start(const char* name)
    {
        signal(SIGPIPE, SIG_IGN);
        int in[2], out[2];
        if (pipe(in) != 0 || pipe(out) != 0) throw std::runtime_error("no pipe");
        child_ = fork();
        if (child_ == 0) {
            dup2(in[0], STDIN_FILENO);
            dup2(out[1], STDOUT_FILENO);
            for (const int end : {in[0], in[1], out[0], out[1]}) close(end);
            execlp("node", "node", TAUT_PEERS_NODE "/runner.mjs", name, nullptr);
            _exit(127);
        }
        close(in[0]);
        close(out[1]);
        to_ = in[1];
        from_ = out[0];
    }

    void send(const void* data, std::size_t size)
    {
        for (std::size_t at = 0; at < size;) {
            const ssize_t sent = write(to_, static_cast<const char*>(data) + at, size - at);
            if (sent <= 0) throw std::runtime_error("node ended");
            at += static_cast<std::size_t>(sent);
        }
    }

    void receive(void* data, std::size_t size)
    {
        for (std::size_t at = 0; at < size;) {
            const ssize_t got = ::read(from_, static_cast<char*>(data) + at, size - at);
            if (got <= 0) throw std::runtime_error("node ended");
            at += static_cast<std::size_t>(got);
        }
    }

    pid_t child_ = -1;
    int to_ = -1, from_ = -1;
    Vec3 gravity_;
    std::vector<double> states_;
};

constexpr char kJolt[] = "jolt", kJolt50[] = "jolt-50", kJoltFine[] = "jolt-fine",
               kRapier[] = "rapier", kMujoco[] = "mujoco3";

template <const char* kName>
std::unique_ptr<Engine> make(const Scene& scene, const Options& options)
{
    return std::make_unique<NodeEngine>(kName, scene, options);
}

}  // namespace

const std::vector<EngineInfo>& engines()
{
    static const std::vector<EngineInfo> list = [] {
        const auto has = [](const char* package) {
            return std::filesystem::exists(std::string(TAUT_PEERS_NODE "/node_modules/") + package);
        };
        std::vector<EngineInfo> found;
        if (has("jolt-physics")) {
            found.push_back(
                {.name = kJolt, .setting = "Jolt (WASM), default", .make = make<kJolt>});
            found.push_back(
                {.name = kJolt50, .setting = "Jolt (WASM), 50 iterations", .make = make<kJolt50>});
            found.push_back({.name = kJoltFine,
                             .setting = "Jolt (WASM), 50 iterations, slop 0.5 mm",
                             .make = make<kJoltFine>});
        }
        if (has("@dimforge/rapier3d-compat")) {
            found.push_back({.name = kRapier,
                             .setting = "Rapier (WASM), 50 iterations",
                             .make = make<kRapier>});
        }
        if (has("@mujoco/mujoco"))
            found.push_back({.name = kMujoco,
                             .setting = "MuJoCo 3.14 (WASM) implicitfast",
                             .make = make<kMujoco>});
        return found;
    }();
    return list;
}

}  // namespace taut::peers

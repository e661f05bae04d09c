#include "view_scene.h"

#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>

#include "commands.h"
#include "interrupt.h"
#include "output.h"
#include "page/page_assets.h"
#include "scene_finder.h"
#include "view/browser.h"
#include "view/server.h"
#include "view/session.h"

namespace taut::cli {

namespace {

using view::Player;
using view::Server;
using view::Session;

std::vector<ListedScene> listed_scenes()
{
    std::vector<ListedScene> list;
    for (const ShippedScene& shipped : shipped_scenes())
        if (const auto scene = load_scene(shipped.file); scene.ok())
            list.push_back({shipped.name, scene->title});
    return list;
}

Result<std::unique_ptr<Player>> open_player(const std::string& file, const ViewOptions& options)
{
    view::PlayerOptions wanted;
    wanted.file = file;
    wanted.paused = true;  // until the first client connects
    const auto overrides = parse_overrides(options.run.set);
    if (!overrides.ok()) return overrides.error();
    wanted.overrides = *overrides;
    if (!options.speed.empty()) {
        const auto speed = parse_number("--speed", options.speed);
        if (!speed.ok()) return speed.error();
        wanted.speed = *speed;
    }
    wanted.adjust = [run = options.run](Scene& scene) { return apply_settings(run, scene); };
    wanted.scenes = listed_scenes();
    wanted.find_scene = find_shipped_scene;
    return Player::open(std::move(wanted));
}

// Waits for Ctrl-C, or until `seconds` of wall-clock time have passed if that is not 0.
void wait(Real seconds)
{
    const auto begin = std::chrono::steady_clock::now();
    const std::chrono::duration<Real> limit(seconds);
    while (!interrupted() && (seconds == 0 || std::chrono::steady_clock::now() - begin < limit))
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

Json figures_json(const Session& session, const view::ServerFigures& server)
{
    const view::SessionFigures& s = session.figures();
    const auto& banner = session.player().banner();
    return {{"status", banner ? "diverged" : "ok"},
            {"scene", session.player().scene().name},
            {"steps", s.lateness.steps},
            {"simulated_seconds", s.simulated},
            {"wall_seconds", s.wall},
            {"lateness",
             {{"p50", s.lateness.p50}, {"p99", s.lateness.p99}, {"worst", s.lateness.worst}}},
            {"slips", s.slips},
            {"frames", s.frames},
            {"frames_sent", server.frames_sent},
            {"clients", server.clients},
            {"refused", server.refused},
            {"closed", server.closed_by_us},
            {"banner", banner ? Json(*banner) : Json(nullptr)}};
}

void print_figures(const Session& session)
{
    const view::SessionFigures& s = session.figures();
    std::printf(
        "%llu steps, %.1f s simulated; lateness %.3g ms (median), %.3g ms (99 %%), %.3g ms "
        "(maximum)\n",
        static_cast<unsigned long long>(s.lateness.steps), s.simulated, 1e3 * s.lateness.p50,
        1e3 * s.lateness.p99, 1e3 * s.lateness.worst);
    if (s.slips > 0)
        std::printf("slowed down %llu times because steps took longer than their simulated time\n",
                    static_cast<unsigned long long>(s.slips));
    if (const auto& banner = session.player().banner()) std::printf("%s\n", banner->c_str());
}

}  // namespace

int view_scene(const std::string& file, const ViewOptions& options)
{
    const bool json = options.run.json;
    Real seconds = 0;
    if (!options.time.empty()) {
        const auto time = parse_number("--time", options.time);
        if (!time.ok()) return fail(time.error().message, json);
        if (!(*time > 0))
            return fail("--time must be above zero, not '" + options.time + "'", json);
        seconds = *time;
    }
    auto player = open_player(file, options);
    if (!player.ok()) return fail(player.error().message, json);
    auto server = Server::open(static_cast<std::uint16_t>(options.port), page_assets());
    if (!server.ok()) return fail("--port: " + server.error().message, json);

    catch_interrupts();
    Session session(std::move(*player), **server);
    (*server)->start({[&](view::ClientId client, const std::string& name, view::Command command) {
                          session.submit(client, name, std::move(command));
                      },
                      [&](view::ClientId client) { session.leave(client); },
                      [&, seen = options.paused](view::ClientId client) mutable {
                          if (!seen) session.submit(client, "play", view::Play{});
                          seen = true;
                      }});
    session.start();
    (json ? std::cerr : std::cout) << (*server)->address() << std::endl;
    std::unique_ptr<view::BrowserPage> page;
    if (!options.no_open) page = view::open_in_browser((*server)->address());
    if (!options.no_open && !page)
        std::cerr << "no browser could be started; open the address manually" << std::endl;

    wait(seconds);
    session.stop();
    (*server)->stop();
    if (json)
        std::cout << figures_json(session, (*server)->figures())
                         .dump(2, ' ', false, Json::error_handler_t::replace)
                  << std::endl;
    else
        print_figures(session);
    return session.player().banner() ? kCheckFailed : kOk;
}

}  // namespace taut::cli

#include "view/player.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <nlohmann/json.hpp>

#include "stream/option_json.h"
#include "view/carry_over.h"

namespace taut::view {

namespace {

using Json = nlohmann::ordered_json;

constexpr Real kSlowest = 0.01, kFastest = 100;  // times real time
constexpr int kMostBodies = 20'000;
constexpr Real kShortestStep = 1e-5, kLongestStep = 1;  // [s]
// maximum number of steps from a snapshot to the requested time of a rewind
constexpr int kMostSteps = 200;
constexpr int kChecksUntilRetry = 4;  // file checks until files with an error are read again

std::int64_t change_of(const std::string& file)
{
    std::error_code missing;
    const auto time = std::filesystem::last_write_time(file, missing);
    return missing ? 0 : static_cast<std::int64_t>(time.time_since_epoch().count());
}

// Loads a scene and checks that the viewer can show it.
Result<Scene> load(const std::string& file, const Overrides& overrides)
{
    auto scene = load_scene(file, overrides);
    if (!scene.ok()) return scene;
    if (scene->world.body_count() > kMostBodies)
        return Error{file + ": the viewer shows at most " + std::to_string(kMostBodies) +
                     " bodies, and the scene has " + std::to_string(scene->world.body_count())};
    return scene;
}

// Removes the place "--set …" from an error, because the viewer has no command line.
Error without_place(Error error, const std::string& parameter)
{
    const std::string place = "--set " + parameter + ":";
    if (const auto end = error.message.find(": ");
        error.message.starts_with(place) && end > place.size())
        error.message.erase(0, end + 2);
    return error;
}

Json or_null(const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); }

}  // namespace

Result<std::unique_ptr<Player>> Player::open(PlayerOptions options)
{
    auto scene = load(options.file, options.overrides);
    if (!scene.ok()) return scene.error();
    const StepSettings file_settings = scene->settings;
    if (options.adjust) TAUT_TRY(options.adjust(*scene));
    TAUT_TRY(scene->world.prepare(scene->settings));
    if (!(options.speed >= kSlowest && options.speed <= kFastest))
        return Error{"the speed must be between 0.01 and 100 times real time"};

    std::unique_ptr<Player> player(new Player);
    player->file_ = options.file;
    player->overrides_ = options.overrides;
    player->speed_ = options.speed;
    player->paused_ = options.paused;
    player->settings_ = scene->settings;
    player->file_settings_ = file_settings;
    player->options_ = std::move(options);
    player->take(std::move(*scene), Start::Restart);
    return player;
}

void Player::take(Scene scene, Start start)
{
    // after divergence there is no state to continue from, and the pause was not requested by the user
    const bool was_stopped = divergence_ && divergence_->stopped();
    if (was_stopped) start = Start::Restart;
    // allocate first: if memory is exhausted, the previous scene stays intact
    // commands of other controls would stay in a world that is carried over whole
    const bool same_controls =
        start == Start::Continue && scene.controls.restore(scene_.controls.snapshot()).ok();
    const Carried carried = start == Start::Continue
                                ? carry_over(scene_.world, scene.world, same_controls)
                                : Carried::Nothing;
    std::vector<std::string> plots = plots_;  // readings that still exist
    std::erase_if(plots, [&](const std::string& name) { return !find_column(scene, name).ok(); });
    if (plots.empty()) plots = usual_plots(scene.world);
    auto encoder = FrameEncoder::make(scene, plots);
    if (!encoder.ok()) throw std::runtime_error(encoder.error().message);
    auto monitor = std::make_unique<RunMonitor>(scene.world, settings_, 0);
    DivergenceMonitor divergence(scene.world);
    SnapshotHistory history;  // snapshots of a different mechanism cannot be restored
    const bool whole = carried == Carried::Whole;
    if (start == Start::Continue && !whole) scene.controls.continue_from(scene_.controls);
    if (whole) history = history_;
    history.record(scene);
    std::vector<WatchedFile> files = look_at(scene.files);

    scene_ = std::move(scene);
    if (!whole) inputs_.clear();
    stopped_by_scene_ = false;
    spring_.reset();
    plots_ = std::move(plots);
    encoder_ = std::move(*encoder);
    monitor_ = std::move(monitor);
    divergence_ = std::move(divergence);
    history_ = std::move(history);
    files_ = std::move(files);
    changing_ = false;
    checks_since_error_ = 0;
    last_ = {};
    error_.reset();
    if (was_stopped) paused_ = false;
    ++revision_;
}

void Player::halt(const std::string& why)
{
    paused_ = true;
    error_ = why;
}

void Player::restart_monitors()
{
    monitor_ = std::make_unique<RunMonitor>(world(), settings_, 0);
    divergence_.emplace(world());
}

std::vector<Player::WatchedFile> Player::look_at(const std::vector<std::string>& files)
{
    std::vector<WatchedFile> out;
    for (const std::string& file : files) out.push_back({file, change_of(file)});
    return out;
}

// --- time ---

void Player::advance()
{
    World& world = scene_.world;
    while (!inputs_.empty() && inputs_.back().time > world.time()) inputs_.pop_back();
    scene_.controls.apply(world, settings_.dt);
    last_ = spring_ ? spring_->step(world, settings_) : world.step(settings_);
    divergence_->observe(world, last_, settings_);
    if (divergence_->stopped()) {
        paused_ = true;
        return;
    }
    monitor_->observe(world, last_);
    history_.record(scene_);
    while (!inputs_.empty() && inputs_.front().time < history_.earliest()) inputs_.pop_front();
    // it pauses when the condition is met, and may be continued
    const bool stops = scene_.controls.stops(world);
    if (stops && !stopped_by_scene_) paused_ = true;
    stopped_by_scene_ = stops;
}

bool Player::reload_if_changed()
{
    bool differs = false;
    for (WatchedFile& file : files_) {
        const std::int64_t now = change_of(file.name);
        differs |= now != file.changed;
        file.changed = now;
    }
    // editors write files in several operations: wait until a check finds no further change
    if (differs) {
        changing_ = true;
        return false;
    }
    // the error may be a missing file, which is not watched: retry from time to time
    const bool again = checks_since_error_ > 0 && ++checks_since_error_ > kChecksUntilRetry;
    if (!changing_ && !again) return false;
    changing_ = false;
    auto scene = load(file_, overrides_);
    if (!scene.ok()) {
        checks_since_error_ = 1;
        const bool changed = error_ != scene.error().message;
        error_ = scene.error().message;
        return changed;
    }
    // the step settings of the file are applied only if they have changed
    if (scene->settings != file_settings_) settings_ = scene->settings;
    file_settings_ = scene->settings;
    take(std::move(*scene), Start::Continue);
    return true;
}

// --- commands ---

Status Player::apply(const Command& command)
{
    return std::visit([this](const auto& c) { return handle(c); }, command);
}

Status Player::handle(const Play&)
{
    paused_ = false;
    return Done{};
}

Status Player::handle(const Pause&)
{
    paused_ = true;
    return Done{};
}

Status Player::handle(const SingleStep&)
{
    paused_ = true;
    advance();
    return Done{};
}

Status Player::handle(const Reset&)
{
    auto scene = load(file_, overrides_);
    if (!scene.ok()) {
        error_ = scene.error().message;
        return scene.error();
    }
    take(std::move(*scene), Start::Restart);
    return Done{};
}

Status Player::handle(const SetSpeed& command)
{
    if (!(command.value >= kSlowest && command.value <= kFastest))
        return Error{"the speed must be between 0.01 and 100 times real time"};
    speed_ = command.value;
    return Done{};
}

Status Player::handle(const Rewind& command)
{
    paused_ = true;
    spring_.reset();
    // snapshot of the current state, so that the user can return to it
    history_.mark(scene_);
    const auto from = history_.at(command.time);
    TAUT_TRY(scene_.restore(*from.image));
    last_ = {};
    // step from the snapshot to the last step at or before the requested time
    constexpr Real kAlmost = 0.999;  // tolerance in steps, because times are accumulated
    const Real to = std::min(command.time, history_.latest());
    replay_inputs(world().time());
    for (int i = 0; i < kMostSteps && world().time() + kAlmost * settings_.dt <= to; ++i) {
        const Real before = world().time();
        if (last_ = scene_.step(settings_); last_.status != StepStatus::Ok) break;
        replay_inputs(before);
    }
    stopped_by_scene_ = scene_.controls.stops(world());
    restart_monitors();
    return Done{};
}

// Sets what clients have set from `since` to the present time.
void Player::replay_inputs(Real since)
{
    for (const Input& input : inputs_)
        if (input.time >= since && input.time <= world().time())
            (void)scene_.controls.set(input.set.name, input.set.value);
}

Status Player::handle(const SetControl& command)
{
    TAUT_TRY(scene_.controls.set(command.name, command.value));
    while (!inputs_.empty() && inputs_.back().time > world().time()) inputs_.pop_back();
    // of one moment only the last value counts
    std::erase_if(inputs_, [&](const Input& input) {
        return input.time == world().time() && input.set.name == command.name;
    });
    inputs_.push_back({world().time(), command});
    return Done{};
}

Status Player::handle(const Grab& command)
{
    auto spring = MouseSpring::attach(world(), BodyId{command.body - 1}, command.point,
                                      command.target, command.strength);
    if (!spring.ok()) return spring.error();
    spring_ = *spring;
    return Done{};
}

Status Player::handle(const Drag& command)
{
    if (!spring_) return Error{"no body is grabbed"};
    spring_->move(command.target);
    return Done{};
}

Status Player::handle(const Release&)
{
    spring_.reset();
    return Done{};
}

Status Player::handle(const ChangeSettings& command)
{
    StepSettings to = settings_;
    for (const auto& [name, text] : command.options) {
        const StepOption* option = find_step_option(name);
        if (!option) return Error{"there is no step option '" + name + "'"};
        TAUT_TRY(set_option(to, *option, text, name));
    }
    if (!(to.dt >= kShortestStep && to.dt <= kLongestStep))
        return Error{"the step size must be between 1e-5 and 1 s"};
    TAUT_TRY(scene_.world.prepare(to));
    settings_ = to;
    return Done{};
}

Status Player::handle(const SetParameter& command)
{
    const auto& known = scene_.parameters;
    if (std::none_of(known.begin(), known.end(),
                     [&](const SceneParameter& p) { return p.name == command.name; }))
        return Error{"the scene has no parameter '" + command.name + "'"};

    Overrides overrides = overrides_;
    std::erase_if(overrides, [&](const auto& pair) { return pair.first == command.name; });
    overrides.emplace_back(command.name, command.value);
    auto scene = load(file_, overrides);
    if (!scene.ok()) return without_place(scene.error(), command.name);
    overrides_ = std::move(overrides);
    take(std::move(*scene), Start::Continue);
    return Done{};
}

Status Player::handle(const Defaults&)
{
    auto scene = load(file_, {});
    if (!scene.ok()) {
        error_ = scene.error().message;
        return scene.error();
    }
    overrides_.clear();
    settings_ = file_settings_ = scene->settings;
    take(std::move(*scene), Start::Continue);
    return Done{};
}

Status Player::handle(const SwitchScene& command)
{
    if (!options_.find_scene) return Error{"other scenes are not available"};
    const auto file = options_.find_scene(command.name);
    if (!file.ok()) return file.error();
    auto scene = load(*file, {});
    if (!scene.ok()) return scene.error();
    file_ = *file;
    overrides_.clear();
    settings_ = file_settings_ = scene->settings;
    plots_.clear();
    take(std::move(*scene), Start::Restart);
    return Done{};
}

Status Player::handle(const ChoosePlots& command)
{
    auto encoder = FrameEncoder::make(scene_, command.readings);
    if (!encoder.ok()) return encoder.error();
    encoder_ = std::move(*encoder);
    plots_ = command.readings;
    return Done{};
}

// --- output ---

std::string Player::description() const
{
    return describe_scene(scene_, {revision_, file_, plots_, options_.scenes});
}

std::string Player::status(const LatenessFigures& lateness, Real pace) const
{
    Json json = {{"type", "status"}, {"paused", paused_}, {"speed", speed_}};
    for (const StepOption& option : kStepOptions)
        if (option.places & kInViewer)
            json[std::string(option.name)] = stream::option_json(settings_, option);
    json["parameters"] = Json::object();
    for (const SceneParameter& p : scene_.parameters) json["parameters"][p.name] = p.value;
    json["controls"] = Json::object();
    for (const ControlInfo& c : scene_.controls.list())
        json["controls"][c.name] = scene_.controls.wanted(c.name);
    json["plots"] = plots_;
    json["earliest"] = history_.earliest();
    json["latest"] = std::max(history_.latest(), world().time());
    json["banner"] = or_null(banner());
    const std::string warning = scene_.controls.warning();
    if (!banner() && stopped_by_scene_)
        json["banner"] = "The scene stopped: " + std::string(scene_.controls.stop_reason()) + ".";
    else if (!banner() && !warning.empty())
        json["banner"] = "Controls: " + warning + ".";
    json["error"] = or_null(error_);
    json["lateness"] = {{"p50", lateness.p50}, {"p99", lateness.p99}, {"worst", lateness.worst}};
    json["budget"] = settings_.dt / speed_;
    json["pace"] = pace;
    json["grabbed"] = spring_ ? Json(spring_->body().index + 1) : Json(nullptr);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::span<const std::byte> Player::frame()
{
    FrameNote note;
    note.revision = revision_;
    note.paused = paused_;
    note.diverged = divergence_->message().has_value();
    if (spring_) note.target = spring_->target();
    return encoder_->encode({world(), last_, *monitor_, &scene_.controls}, note);
}

}  // namespace taut::view

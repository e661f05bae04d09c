// Plays a scene by commands: the functions of a session without clock and thread.
//
//     auto player = Player::open({.file = "crane.yaml"});
//     player->apply(Grab{…});           // an error gives the reason; the state is then unchanged
//     player->advance();                // one step, with the mouse spring if something is grabbed
//     send(player->frame());
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <taut/scene.h>

#include "record/run_monitor.h"
#include "stream/description.h"
#include "stream/frame.h"
#include "view/command.h"
#include "view/divergence_monitor.h"
#include "view/lateness.h"
#include "view/mouse_spring.h"
#include "view/snapshot_history.h"

namespace taut::view {

struct PlayerOptions {
    std::string file;
    Overrides overrides{};
    // Applies the settings of the command line to the first scene.
    std::function<Status(Scene&)> adjust{};
    std::vector<ListedScene> scenes{};  // available scenes
    std::function<Result<std::string>(const std::string& name)> find_scene{};
    Real speed = 1;
    bool paused = false;
};

class Player {
public:
    static Result<std::unique_ptr<Player>> open(PlayerOptions options);

    Status apply(const Command& command);
    void advance();
    // Reloads the scene if its files have changed; returns true if scene or error message is new.
    bool reload_if_changed();

    bool playing() const noexcept { return !paused_; }
    Real speed() const noexcept { return speed_; }
    const StepSettings& settings() const noexcept { return settings_; }
    const Scene& scene() const noexcept { return scene_; }
    const World& world() const noexcept { return scene_.world; }
    bool diverged() const noexcept { return divergence_->stopped(); }
    const std::optional<std::string>& banner() const noexcept { return divergence_->message(); }
    const std::optional<std::string>& error() const noexcept { return error_; }
    const MouseSpring* grabbed() const noexcept { return spring_ ? &*spring_ : nullptr; }
    std::uint32_t revision() const noexcept { return revision_; }

    // Pauses and sets the error message of the scene.
    void halt(const std::string& why);

    std::string description() const;
    std::string status(const LatenessFigures& lateness, Real pace) const;
    std::span<const std::byte> frame();  // valid until the next call

private:
    Player() = default;

    Status handle(const Play&);
    Status handle(const Pause&);
    Status handle(const SingleStep&);
    Status handle(const Reset&);
    Status handle(const SetSpeed& command);
    Status handle(const Rewind& command);
    Status handle(const Grab& command);
    Status handle(const Drag& command);
    Status handle(const Release&);
    Status handle(const ChangeSettings& command);
    Status handle(const SetParameter& command);
    Status handle(const SetControl& command);
    Status handle(const Defaults&);
    Status handle(const SwitchScene& command);
    Status handle(const ChoosePlots& command);

    enum class Start { Restart, Continue };
    void take(Scene scene, Start start);
    void replay_inputs(Real since);
    void restart_monitors();  // restarts the monitors at the current state
    struct WatchedFile {
        std::string name;
        std::int64_t changed;  // 0: missing
    };
    static std::vector<WatchedFile> look_at(const std::vector<std::string>& files);

    PlayerOptions options_;
    std::string file_;
    Overrides overrides_;
    Scene scene_;
    StepSettings settings_;
    StepSettings file_settings_;  // settings of the file
    StepReport last_;
    std::unique_ptr<RunMonitor> monitor_;
    std::optional<DivergenceMonitor> divergence_;
    SnapshotHistory history_;
    // Controls that clients have set since the first snapshot, in order: snapshots are too rare to hold them all.
    struct Input {
        Real time;
        SetControl set;
    };
    std::deque<Input> inputs_;
    bool stopped_by_scene_ = false;  // the condition of `stop` holds
    std::optional<MouseSpring> spring_;
    std::vector<std::string> plots_;
    std::optional<FrameEncoder> encoder_;
    std::optional<std::string> error_;
    std::uint32_t revision_ = 0;
    Real speed_ = 1;
    bool paused_ = false;

    std::vector<WatchedFile> files_;
    bool changing_ = false;       // a change was detected; the files are read when they are stable
    int checks_since_error_ = 0;  // file checks since the last failed load; 0: no failure
};

}  // namespace taut::view

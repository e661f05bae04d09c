// The inputs of a scene that is driven while it runs, and the logic between them and the commands of its World: `controls:`,
// `logic:` and `commands:` of a scene file (docs/scene-format.md). All of it is evaluated once before each step.
//
// `scene.controls.set("hoist", 0.3)` sets the input that the scene calls hoist, and an error names what it allows;
// `scene.step(settings)` evaluates the logic, issues the commands and steps the world.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <taut/schedule.h>
#include <taut/world.h>

namespace taut {

namespace control {
struct Network;
}

// What a gamepad moves a control with; numbers of the standard gamepad of browsers.
struct GamepadInput {
    bool is_axis = true;  // otherwise a button
    int number = 0;
    bool reversed = false;  // of an axis
};

struct ControlInfo {
    std::string name;
    std::string unit;  // for display
    std::string doc;
    bool is_switch = false;  // 0 or 1
    Real lowest = -1;
    Real highest = 1;
    Real initial = 0;
    Real rate = std::numeric_limits<Real>::infinity();  // largest change of the value [unit/s]
    std::vector<std::string> keys;  // as KeyboardEvent.key: [raise, lower], or [toggle] of a switch
    std::optional<GamepadInput> gamepad;
};

class Controls {
public:
    Controls() noexcept;  // none
    explicit Controls(std::unique_ptr<control::Network> network) noexcept;
    ~Controls();
    Controls(Controls&&) noexcept;
    Controls& operator=(Controls&&) noexcept;
    Controls(const Controls&) = delete;
    Controls& operator=(const Controls&) = delete;

    bool empty() const noexcept { return !network_; }

    // --- inputs ---
    std::span<const ControlInfo> list() const noexcept;
    const ControlInfo* find(std::string_view name) const noexcept;
    // The wanted value, from the next step on; the value itself may follow it at the rate of the control.
    Status set(std::string_view name, Real value);
    // The wanted value as a function of time, until it is set. A switch changes by steps.
    Status follow(std::string_view name, const std::vector<Schedule::Key>& keys);
    Real wanted(std::string_view name) const noexcept;  // NaN of an unknown name

    // --- values: `control.NAME` of all controls, then `logic.NAME` of all logic ---
    std::vector<std::string> value_names() const;
    std::optional<int> find_value(std::string_view name) const noexcept;
    Real value_at(int index) const noexcept;
    std::string_view value_unit(int index) const noexcept;

    // Moves the values of controls, evaluates the logic from the readings of the world, and issues the commands: before each
    // step of `dt` seconds. Allocates nothing, unless the world refuses a command.
    void apply(World& world, Real dt);
    // Whether the condition that ends the run is met, at the end of a step.
    bool stops(const World& world) noexcept;
    std::string_view stop_reason()
        const noexcept;  // as the scene says it; empty without a condition
    // The first formula without a finite value, or the first command that the world refused; empty if there was none.
    std::string warning() const;

    // --- state: values, latches, sums of PID controllers; steps after restore() repeat every bit. Schedules of follow() are
    //     no part of it ---
    std::vector<std::byte> snapshot() const;
    std::size_t snapshot_size() const noexcept;
    // Fails without any change where the image belongs to other controls or logic.
    Status restore(std::span<const std::byte> image);
    // State of controls and logic of the same name and kind, in another description of the scene.
    void continue_from(const Controls& from);

private:
    Result<std::size_t> check(std::string_view name, Real value) const;

    std::unique_ptr<control::Network> network_;
};

}  // namespace taut

#include <taut/controls.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "control/network.h"
#include "core/suggestion.h"
#include "core/text.h"

namespace taut {

namespace {

constexpr std::string_view kControl = "control.", kLogic = "logic.";

using core::text;

}  // namespace

Controls::Controls() noexcept = default;
Controls::Controls(std::unique_ptr<control::Network> network) noexcept
    : network_(std::move(network))
{}
Controls::~Controls() = default;
Controls::Controls(Controls&&) noexcept = default;
Controls& Controls::operator=(Controls&&) noexcept = default;

// --- inputs ---

std::span<const ControlInfo> Controls::list() const noexcept
{
    if (!network_) return {};
    return network_->controls;
}

const ControlInfo* Controls::find(std::string_view name) const noexcept
{
    for (const ControlInfo& control : list())
        if (control.name == name) return &control;
    return nullptr;
}

Result<std::size_t> Controls::check(std::string_view name, Real value) const
{
    const ControlInfo* control = find(name);
    if (!control) {
        std::vector<std::string> known;
        std::string all;
        for (const ControlInfo& other : list()) {
            known.push_back(other.name);
            all += (all.empty() ? "" : ", ") + other.name;
        }
        if (known.empty())
            return Error{text("the scene has no control '", name, "'; it has no controls at all")};
        return Error{text("the scene has no control '", name, "'", core::did_you_mean(name, known),
                          "; controls: ", all)};
    }
    if (control->is_switch && value != 0 && value != 1)
        return Error{text("control '", name, "' is a switch; it takes 0 or 1, not ", value)};
    if (!(value >= control->lowest && value <= control->highest))
        return Error{text("control '", name, "' takes ", control->lowest, " to ", control->highest,
                          control->unit.empty() ? "" : " ", control->unit, ", not ", value)};
    return static_cast<std::size_t>(control - list().data());
}

Status Controls::set(std::string_view name, Real value)
{
    const auto place = check(name, value);
    if (!place.ok()) return place.error();
    network_->state.wanted[*place] = value;
    network_->schedules[*place].reset();
    return Done{};
}

Status Controls::follow(std::string_view name, const std::vector<Schedule::Key>& keys)
{
    if (keys.empty()) return Error{text("control '", name, "' follows a schedule without keys")};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto place = check(name, keys[i].value);
        if (!place.ok()) return place.error();
        if (!std::isfinite(keys[i].time) || (i > 0 && !(keys[i].time > keys[i - 1].time)))
            return Error{
                text("control '", name, "': times must ascend, and ", keys[i].time, " does not")};
    }
    const auto place = check(name, keys.front().value);
    const bool steps = network_->controls[*place].is_switch;
    network_->schedules[*place] =
        Schedule::through(keys, steps ? Schedule::Kind::Steps : Schedule::Kind::Linear);
    return Done{};
}

Real Controls::wanted(std::string_view name) const noexcept
{
    const ControlInfo* control = find(name);
    if (!control) return std::numeric_limits<Real>::quiet_NaN();
    return network_->state.wanted[static_cast<std::size_t>(control - list().data())];
}

// --- values ---

std::vector<std::string> Controls::value_names() const
{
    std::vector<std::string> names;
    if (!network_) return names;
    for (const auto& control : network_->controls)
        names.push_back(std::string(kControl) + control.name);
    for (const auto& logic : network_->logic) names.push_back(std::string(kLogic) + logic.name);
    return names;
}

std::optional<int> Controls::find_value(std::string_view name) const noexcept
{
    if (!network_) return std::nullopt;
    const auto place = [&](const auto& items) -> std::optional<int> {
        for (std::size_t i = 0; i < items.size(); ++i)
            if (items[i].name == name) return static_cast<int>(i);
        return std::nullopt;
    };
    if (name.starts_with(kControl)) {
        name.remove_prefix(kControl.size());
        return place(network_->controls);
    }
    if (!name.starts_with(kLogic)) return std::nullopt;
    name.remove_prefix(kLogic.size());
    const auto found = place(network_->logic);
    if (!found) return std::nullopt;
    return *found + static_cast<int>(network_->controls.size());
}

Real Controls::value_at(int index) const noexcept
{
    const auto at = static_cast<std::size_t>(index);
    if (!network_ || at >= network_->state.values.size())
        return std::numeric_limits<Real>::quiet_NaN();
    return network_->state.values[at];
}

std::string_view Controls::value_unit(int index) const noexcept
{
    const auto at = static_cast<std::size_t>(index);
    if (!network_ || at >= network_->state.values.size()) return "-";
    const std::size_t controls = network_->controls.size();
    if (at >= controls) return network_->logic[at - controls].unit;
    const std::string& unit = network_->controls[at].unit;
    return unit.empty() ? std::string_view("-") : unit;
}

// --- steps ---

void Controls::apply(World& world, Real dt)
{
    if (network_) network_->apply(world, dt);
}

bool Controls::stops(const World& world) noexcept { return network_ && network_->stops(world); }

std::string_view Controls::stop_reason() const noexcept
{
    return network_ ? std::string_view(network_->stop_reason) : std::string_view();
}

std::string Controls::warning() const
{
    using Kind = control::Trouble::Kind;
    if (!network_ || network_->trouble.kind == Kind::None) return {};
    const control::Trouble& t = network_->trouble;
    if (t.kind == Kind::Logic)
        return text("at ", t.time, " s: logic '", network_->logic[t.index].name,
                    "' had no finite value; it kept the last one");
    const control::Command& command = network_->commands[t.index];
    if (t.kind == Kind::Command)
        return text("at ", t.time, " s: ", command.name,
                    " had no finite value; the last command was kept");
    return text("at ", t.time, " s: ", command.name, " was refused: ", t.reason);
}

// --- state ---

std::size_t Controls::snapshot_size() const noexcept
{
    if (!network_) return 0;
    std::size_t numbers = 0;
    control::for_each_list(network_->state, [&](const auto& list) { numbers += list.size(); });
    return sizeof(std::uint64_t) + numbers * sizeof(Real);
}

std::vector<std::byte> Controls::snapshot() const
{
    std::vector<std::byte> image(snapshot_size());
    if (!network_) return image;
    std::byte* at = image.data();
    const auto put = [&](const void* from, std::size_t bytes) {
        if (bytes > 0) std::memcpy(at, from, bytes);
        at += bytes;
    };
    const std::uint64_t fingerprint = network_->fingerprint();
    put(&fingerprint, sizeof fingerprint);
    control::for_each_list(network_->state,
                           [&](const auto& list) { put(list.data(), list.size() * sizeof(Real)); });
    return image;
}

Status Controls::restore(std::span<const std::byte> image)
{
    const Error other{"the image belongs to a scene with other controls or logic"};
    if (image.size() != snapshot_size()) return other;
    if (!network_) return Done{};
    std::uint64_t fingerprint = 0;
    std::memcpy(&fingerprint, image.data(), sizeof fingerprint);
    if (fingerprint != network_->fingerprint()) return other;

    control::NetworkState state = network_->state;
    const std::byte* at = image.data() + sizeof fingerprint;
    bool valid = true;
    control::for_each_list(state, [&](auto& list) {
        if (!list.empty()) std::memcpy(list.data(), at, list.size() * sizeof(Real));
        at += list.size() * sizeof(Real);
        if (&list == &state.issued) return;  // NaN there: not issued yet
        for (const Real x : list) valid = valid && std::isfinite(x);
    });
    for (std::size_t i = 0; i < network_->controls.size(); ++i) {
        const ControlInfo& control = network_->controls[i];
        for (const Real v : {state.wanted[i], state.values[i]})
            valid = valid && v >= control.lowest && v <= control.highest &&
                    (!control.is_switch || v == 0 || v == 1);
    }
    if (!valid) return Error{"the image holds a value that no control or logic can have"};
    network_->state = std::move(state);
    network_->pushed_at = std::numeric_limits<std::uint64_t>::max();
    network_->trouble = {};
    return Done{};
}

void Controls::continue_from(const Controls& from)
{
    if (!network_ || !from.network_) return;
    control::Network& to = *network_;
    const control::Network& old = *from.network_;
    // the world may have forgotten its commands, or hold those of the other description: all are issued again
    std::fill(to.state.issued.begin(), to.state.issued.end(),
              std::numeric_limits<Real>::quiet_NaN());
    for (std::size_t i = 0; i < to.controls.size(); ++i)
        for (std::size_t j = 0; j < old.controls.size(); ++j) {
            const ControlInfo& now = to.controls[i];
            if (now.name != old.controls[j].name || now.is_switch != old.controls[j].is_switch)
                continue;
            to.state.wanted[i] = std::clamp(old.state.wanted[j], now.lowest, now.highest);
            to.state.values[i] = std::clamp(old.state.values[j], now.lowest, now.highest);
        }
    for (std::size_t i = 0; i < to.logic.size(); ++i)
        for (std::size_t j = 0; j < old.logic.size(); ++j) {
            if (to.logic[i].name != old.logic[j].name || to.logic[i].kind != old.logic[j].kind)
                continue;
            to.state.values[to.controls.size() + i] = old.state.values[old.controls.size() + j];
            to.state.sums[i] = old.state.sums[j];
            to.state.before[i] = old.state.before[j];
            to.state.started[i] = old.state.started[j];
        }
}

}  // namespace taut

// Joins the formulas of a draft to a world: names become inputs, commands get their ids. Every command is issued once, so that
// one that the world refuses is an error at its place in the file.
#include <map>

#include "core/suggestion.h"
#include "readings/readings.h"
#include "scene/controls.h"
#include "scene/text_format.h"

namespace taut::scene {
namespace {

using control::Command;
using control::Network;
using control::Program;

class ControlBuilder {
public:
    ControlBuilder(const SceneDraft& draft, World& world, const std::vector<SpringId>& springs,
                   Problems& problems)
        : draft_(draft),
          world_(world),
          springs_(springs),
          problems_(problems),
          network_(std::make_unique<Network>())
    {}

    Controls build()
    {
        const DraftControls& from = draft_.control;
        network_->controls = from.controls;
        network_->logic = from.logic;
        network_->stop = from.stop;
        network_->stop_reason = from.stop_reason;
        find_inputs();
        for (const DraftCommand& command : from.commands) add(command);
        if (problems_.any_error()) return {};

        renumber();
        network_->prepare();
        issue_once();
        return Controls(std::move(network_));
    }

private:
    // --- inputs ---

    void find_inputs()
    {
        std::map<std::string, int> known;
        int place = 0;
        for (const ControlInfo& control : network_->controls) known[control.name] = place++;
        for (const control::Logic& logic : network_->logic) known[logic.name] = place++;
        for (const DraftInput& input : draft_.control.inputs) {
            const auto found = known.find(input.name);
            if (found != known.end()) {
                input_.push_back(found->second);
                continue;
            }
            input_.push_back(place);
            auto reading = find_input(input);
            if (!reading) continue;
            network_->readings.push_back(std::move(reading->read));
            known[input.name] = place++;
        }
    }

    std::optional<readings::Reading> find_input(const DraftInput& input)
    {
        auto reading = readings::find_reading(world_, input.name);
        if (reading.ok()) return std::move(*reading);
        for (const char* of_run : {"run.", "step.", "solve."})
            if (input.name.starts_with(of_run)) {
                problems_.error(input.where, "reading " + quote(input.name) +
                                                 " depends on the course of the run; formulas may "
                                                 "use those of the world: time, energy, "
                                                 "contact, body and joint readings");
                return std::nullopt;
            }
        if (input.name.find('.') != std::string::npos) {
            problems_.error(input.where, reading.error().message);
            return std::nullopt;
        }
        std::vector<std::string> controls, logic, all = draft_.names->all();
        for (const ControlInfo& control : network_->controls) controls.push_back(control.name);
        for (const control::Logic& entry : network_->logic) logic.push_back(entry.name);
        all.insert(all.end(), controls.begin(), controls.end());
        all.insert(all.end(), logic.begin(), logic.end());
        all.emplace_back("time");
        const auto part = [](const char* what, const std::vector<std::string>& names) {
            return names.empty() ? std::string() : std::string("; ") + what + ": " + listed(names);
        };
        problems_.error(input.where, "unknown name " + quote(input.name) +
                                         did_you_mean(input.name, all) +
                                         part("controls", controls) + part("logic", logic) +
                                         part("parameters", draft_.names->all()) +
                                         "; or a reading of 'taut list columns'");
        return std::nullopt;
    }

    void renumber()
    {
        const int controls = static_cast<int>(network_->controls.size());
        for (std::size_t i = 0; i < network_->logic.size(); ++i) {
            control::Logic& logic = network_->logic[i];
            for (Program* program : {&logic.first, &logic.reset, &logic.target, &logic.rate})
                check_order(*program, controls + static_cast<int>(i), logic.name);
            for (Program* program : {&logic.first, &logic.reset, &logic.target, &logic.rate})
                program->renumber_inputs(input_);
        }
        for (Command& command : network_->commands)
            for (Program& program : command.numbers) program.renumber_inputs(input_);
        if (network_->stop) network_->stop->renumber_inputs(input_);
    }

    // Logic uses what stands above it: that excludes circles.
    void check_order(const Program& program, int place, const std::string& name)
    {
        const int end = static_cast<int>(network_->controls.size() + network_->logic.size());
        for (const control::Instruction& i : program.code()) {
            if (i.kind != control::Instruction::Kind::Input) continue;
            const auto at = static_cast<std::size_t>(i.count);
            if (input_[at] < place || input_[at] >= end) continue;
            const DraftInput& input = draft_.control.inputs[at];
            problems_.error(
                input.where,
                "logic " + quote(name) + " uses " +
                    (input_[at] == place ? std::string("itself")
                                         : quote(input.name) + ", which stands below it") +
                    "; logic is evaluated in order and may use what stands above it");
        }
    }

    // --- commands ---

    template <class Names>
    void unknown(const DraftCommand& draft, const char* kind, const Names& names)
    {
        problems_.error(draft.where, draft.command.name + " refers to the " + kind + " " +
                                         quote(draft.owner) + ", which does not exist" +
                                         did_you_mean(draft.owner, names) + "; " + kind +
                                         "s: " + listed(names));
    }

    void add(const DraftCommand& draft)
    {
        Command command = draft.command;
        command.where = draft.where.text();
        switch (command.kind) {
            case Command::Kind::Stiffness:
            case Command::Kind::Damping:
            case Command::Kind::Rest: find_spring(draft, command); break;
            case Command::Kind::Velocity:
            case Command::Kind::Force:
            case Command::Kind::Load:
            case Command::Kind::BodyOn: find_body(draft, command); break;
            default: find_joint(draft, command); break;
        }
        network_->commands.push_back(std::move(command));
    }

    void find_spring(const DraftCommand& draft, Command& command)
    {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < springs_.size(); ++i) {
            names.push_back(draft_.springs[i].def.name);
            if (names.back() != draft.owner) continue;
            command.spring = springs_[i];
            return;
        }
        unknown(draft, "spring", names);
    }

    void find_joint(const DraftCommand& draft, Command& command)
    {
        if (const auto id = world_.find_joint(draft.owner)) {
            command.joint = *id;
            return;
        }
        std::vector<std::string> names;
        for (const DraftJoint& joint : draft_.joints) names.push_back(joint.def.name);
        unknown(draft, "joint", names);
    }

    void find_body(const DraftCommand& draft, Command& command)
    {
        const auto id = world_.find_body(draft.owner);
        if (!id) {
            std::vector<std::string> names;
            for (const DraftBody& body : draft_.bodies) names.push_back(body.def.name);
            return unknown(draft, "body", names);
        }
        command.body = *id;
        const BodyKind kind = world_.kind(*id);
        const bool free = kind == BodyKind::Rigid || kind == BodyKind::Particle;
        if (command.kind == Command::Kind::Force && !free)
            problems_.error(draft.where, command.name + " acts on " + quote(draft.owner) +
                                             ", which forces do not move; a rigid body or a "
                                             "particle is required");
        const bool turns = command.has_point || draft.quantity == "torque";
        if (kind == BodyKind::Particle && command.kind == Command::Kind::Force && turns)
            problems_.error(draft.where, command.name + " acts on the particle " +
                                             quote(draft.owner) +
                                             ", which has no orientation; only a force is allowed");
    }

    // With steps of no length controls and PID sums stay what they are.
    void issue_once()
    {
        network_->apply(world_, 0);
        const control::Trouble& trouble = network_->trouble;
        if (trouble.kind != control::Trouble::Kind::Refused) return;
        const DraftCommand& draft = draft_.control.commands[trouble.index];
        problems_.error(draft.where, draft.command.name + " is refused: " + trouble.reason);
    }

    const SceneDraft& draft_;
    World& world_;
    const std::vector<SpringId>& springs_;
    Problems& problems_;
    std::unique_ptr<Network> network_;
    std::vector<int> input_;  // of the draft → of the network
};

}  // namespace

Controls build_controls(const SceneDraft& draft, World& world, const std::vector<SpringId>& springs,
                        Problems& problems)
{
    if (draft.control.empty()) return {};
    return ControlBuilder(draft, world, springs, problems).build();
}

}  // namespace taut::scene

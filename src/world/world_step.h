// One step of the world: contacts, islands, and the retries that new penetration asks for.
//
//     every island        ├───────────────────────────────┤   with the contacts that were found at its start
//     group of islands    ├───────┼───────┼───────┼───────┤   again in 2, 4, … parts, contacts found anew for each
//
// A step that led bodies into each other is taken again by the islands of these bodies alone; all others keep what they
// have. Islands that penetrate each other, or come near each other on the second way, form a group and are retried
// together. What a group does depends on nothing that it is not connected with: its parts and its budget of solves are
// its own.
#pragma once

#include <vector>

#include "contacts/contact_set.h"
#include "islands/islands.h"

namespace taut::world {

struct RetrySettings {
    int most_parts =
        16;  // the last of them is accepted as it is: 1 ms at 60 Hz (docs/results/contacts.md)
    int budget =
        1000;  // solves of one group in all its retries, where the user sets no max_solves: chosen
    int least =
        10;  // solves of each part, so that no body passes through another because they are spent
};
inline constexpr RetrySettings kRetry;

class WorldStep {
public:
    // `model` and `state` outlive it.
    WorldStep(const Model& model, State& state) noexcept : model_(model), state_(state) {}

    // May throw for want of memory; abandon() then.
    StepReport run(const StepSettings& settings);
    // The state is as it was before run().
    void abandon();
    // The state was replaced.
    void forget();

    StepModel step_model() const noexcept { return {model_, rows}; }

    StepRows rows;  // of the model's joints, and of the contacts of the last step
    Islands islands;
    ContactSet contacts;

private:
    // An island as the step began, and what came of it.
    struct Outcome {
        StepReport report;
        Work work;  // done on it in this step
        bool stepped =
            false;      // false: it sleeps, is frozen, or another one of its group has the report
        int group = 0;  // an island of lower number that it is retried with, or itself
        bool pending = false;  // of the lowest one: the group is to be retried
    };
    enum class Ending { Done, Penetrates, Grew, Failed };

    // attempts
    StepReport step_once(const StepSettings& settings, const SearchScope& scope);
    void update_contacts(Real dt, const SearchScope& scope);
    std::span<const BodyPair> find_new_penetration(const SearchScope& scope);

    // groups
    void open_outcomes(const StepReport& whole_world);
    int island_of(BodyIndex b) const noexcept;  // as the step began; −1: no force moves the body
    int lowest_of(int island) noexcept;         // of its group
    bool join(
        std::span<const BodyPair> pairs);  // true: some group grew. All of them are pending then.
    void select(int lowest);

    // retries
    StepReport retry_groups();
    StepStatus retry(int lowest);
    Ending step_in_parts(int lowest, int parts, StepReport& report);
    int solves_per_part(int spent, int parts) const noexcept;
    bool is_all_that_moves(int lowest) noexcept;
    void rewind_selected(int lowest);
    void rewind_division();
    void finish_kinematic_bodies() noexcept;

    const Model& model_;
    State& state_;
    StepSettings settings_;
    State before_;  // as the step began, with its contacts and islands
    State end_;     // after the step without retries: kinematic bodies
    bool begun_ = false;
    BodyMask selected_;              // the bodies of the group that is retried
    std::vector<Outcome> outcomes_;  // per island of before_
    StepTimes times_;                // of all attempts, those that were taken back among them
};

}  // namespace taut::world

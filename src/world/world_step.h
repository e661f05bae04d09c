// One step of the world: contacts, islands, and the retries that new penetration asks for.
//
//     every island        ├───────────────────────────────┤   with the contacts that were found at its start
//     with fast contacts  ├───────────────┼───────────────┤   in 2 or 4 parts from the start
//     group of islands    ├───────────────┼───────┼─┼─┼───┤   again in 2 parts, and what penetrates in halves of those, …
//
// A step in which bodies came to penetrate each other is taken again by the islands of these bodies alone; all others keep what they
// have. Islands that penetrate each other, or come near each other during a retry, form a group and are retried
// together. What a group does depends on nothing that it is not connected with: its parts and its budget of solves are
// its own.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "contacts/contact_set.h"
#include "islands/islands.h"

namespace taut::world {

// Energy that went in and out.
struct Exchange {
    Work work;
    Dissipation dissipation;
};

class WorldStep {
public:
    // `model` and `state` outlive it.
    WorldStep(const Model& model, State& state) noexcept : model_(model), state_(state) {}

    // The whole step: contacts, islands, retries. May throw for want of memory; the caller calls abandon() then.
    StepReport run(const StepSettings& settings);
    // Puts the state back as it was before run().
    void abandon();
    // To be called when the state was replaced: what was found for the old one does not apply.
    void forget();

    StepModel step_model() const noexcept { return {model_, rows}; }

    // The islands of the last step, as World::island() has them.
    int reported_island(BodyIndex b) const noexcept;
    IslandReport summary_of(int island) const noexcept;

    StepRows rows;  // of the model's joints, and of the contacts of the last step
    Islands islands;
    ContactSet contacts;

private:
    // An island as the step began, and what came of it.
    struct Outcome {
        StepReport report;
        Exchange exchange;  // of this step
        // false: it sleeps, is frozen, or the lowest island of its group has the report
        bool stepped = false;
        // Groups are a disjoint-set forest: an island of lower number in the same group, or itself where it is the lowest.
        int group = 0;
        bool pending = false;  // of the lowest island: the group is to be retried
        int parts = 1;         // of the lowest island: that the group is stepped in at first
        Real left = 0;         // the deepest new penetration that max_solves leaves [m]
    };
    // What the contacts of an island are about to do.
    struct Motion {
        Real most = 0;  // ContactSet::motion_of(), the largest
        int contacts = 0;
        bool bounces = false;
    };
    // How a retry ended.
    enum class Ending {
        Done,
        Penetrates,  // one part: again in halves, or held
        Merged,      // the group met another island and has absorbed it: again with both
        Failed,
    };

    // attempts
    bool has_commands_of_islands() const noexcept;
    void choose_parts();  // of each island
    bool any_pending() const noexcept;
    bool select_undivided();  // the islands that take the step whole, to whole_; false: none
    void finish_undivided(const StepReport& report);
    void update_contacts(Real dt, const SearchScope& scope,
                         std::span<const collision::ContactPoint> late = {});
    // Of the step or part that was taken: notes how deep bodies are in each other, and lists the pairs that are to be stepped again:
    // those that penetrate anew, or only those that would pass through each other where may_retry(a body) is false.
    template <class MayRetry>
    std::span<const BodyPair> find_new_penetration(const SearchScope& scope, MayRetry&& may_retry);
    void add_penetration(StepReport& report) const noexcept;

    // groups
    void open_outcomes();
    void read_outcomes(const StepReport& whole_world);
    int island_of(BodyIndex b) const noexcept;  // as the step began; −1: no force moves the body
    int lowest_of(int island) const noexcept;   // of its group
    // Makes one group of the islands of each pair, to be retried. True: some groups were merged.
    bool join(std::span<const BodyPair> pairs);
    void select(int lowest);  // the bodies of the group

    // retries
    StepReport retry_groups();
    StepStatus retry(int lowest);
    bool meets_others();  // the group, in the whole step: they are joined
    void start_group(int lowest, StepReport& report);
    void forget_penetration() noexcept;  // of the selected bodies
    Ending step_in_parts(int parts, StepReport& report);
    // In units of the shortest part.
    struct Part {
        int at = 0, length = 0;
        bool may_halve = false;
    };
    enum class Treatment { Solve, Hold };
    Ending step_part(const Part& of_step, Treatment treatment, StepReport& report);
    // Whether the new penetration of a part is left to recovery: at few of many contacts, or after `spent` solves of the group.
    bool is_accepted(const SearchScope& scope, int spent) const noexcept;
    StepReport hold(Real dt);
    bool any_frozen() const noexcept;  // of the selected bodies
    bool is_all_that_moves(int lowest) noexcept;
    void rewind_selected(int lowest);
    void rewind_division();
    void finish_kinematic_bodies() noexcept;

    // the budget, of a group
    bool is_limited() const noexcept;  // by the user
    int most_parts() const noexcept;
    bool may_retry(int spent) const noexcept;
    int solves_per_part(int spent, int parts) const noexcept;

    const Model& model_;
    State& state_;
    StepSettings settings_;
    State before_;      // as the step began, with its contacts and islands
    State part_start_;  // as the part began that is taken at present
    State end_;         // after the step without retries: kinematic bodies
    bool begun_ = false;
    bool retried_ = false;   // some group was: outcomes_ has the reports of the step
    bool reported_ = false;  // the last step was Ok, and nothing has replaced the state since
    // Where prepare() divided the world anew: as it was divided before.
    std::optional<std::pair<Division, StepMemory>> former_;
    BodyMask whole_;                             // the bodies of islands that take the step whole
    BodyMask selected_;                          // the bodies of the group that is retried
    std::vector<Outcome> outcomes_;              // per island of before_
    std::vector<Motion> motion_;                 // per island of before_
    std::vector<collision::ContactPoint> late_;  // contacts that an attempt at the part ended with
    std::vector<BodyPair> again_;                // whose bodies are to be stepped again
    StepMemory others_;  // of the world, without what the group does that is retried
    StepTimes times_;    // of all attempts, those that were taken back among them
};

}  // namespace taut::world

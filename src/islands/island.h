// One island: a model, a state and a workspace of its own, and where their parts are in the world's.
//
//     world   ground  a   b   c   post  d       bodies that hold it but do not move are copied into it,
//     island  ground  a       c   post          all in the order of the world: alone, it would be the same
#pragma once

#include <array>
#include <vector>

#include "model/removal.h"
#include "stepper/step.h"

namespace taut::islands {

// What an island is made of, as indices of the world's model, ascending.
struct IslandParts {
    std::vector<BodyIndex> bodies;  // the ground, those that move, and those that hold them
    std::vector<int> joints;
    std::vector<std::array<int, 3>> contacts;  // type, and the two bodies; rolling among them
    std::vector<int> contact_groups;           // where they are in the world's table at present
    std::vector<int> springs;
    std::vector<int> loads;

    void clear() noexcept;
    // Whether a layout for these will do for the others. The contacts of an island that stays as it is move within the
    // world's table when those of another island change.
    bool same_layout(const IslandParts& other) const noexcept;
};

class Island {
public:
    // Makes the island of these parts; `local` is scratch, one number per body of the world.
    void assemble(const StepModel& world, const IslandParts& parts, std::vector<BodyIndex>& local);
    const IslandParts& parts() const noexcept { return parts_; }

    // Parts of the same layout, whose contacts may be elsewhere in the world's table; bodies may have other colliders.
    void refresh(const StepModel& world, const IslandParts& parts);

    // Other indices of the same parts; false: one of them is gone.
    bool renumber(const Renumbering& now);
    // Numbers that a command changed, of what is in the island; false: it is not.
    bool load_joint(const Model& world, int of_world) noexcept;
    bool load_spring(const Model& world, int of_world) noexcept;
    bool load_motion(const Model& world, BodyIndex of_world) noexcept;

    // The world's state as that of the island, with contacts as they are now. Allocates while it grows.
    void gather(const StepModel& world, const State& from, const IslandMemory& memory);
    // And back: what is the island's own, side by side with other islands,
    void scatter(const StepModel& world, State& to) const noexcept;
    // and what it shares with them, one after the other. Work since gather() is added to that of the world.
    void scatter_shared(State& to, IslandMemory& memory) const noexcept;

    BodyIndex first_body() const noexcept;  // of those that move, by the world's index
    // Bodies and joints by the world's index; −1: not in it.
    BodyIndex local_body(BodyIndex of_world) const noexcept;
    int local_joint(int of_world) const noexcept;
    BodyIndex world_body(BodyIndex local) const noexcept { return parts_.bodies[local]; }
    int unknowns() const noexcept
    {
        return rows.table.count + 6 * static_cast<int>(model.bodies.size());
    }
    StepModel step_model() const noexcept { return {model, rows}; }

    Model model;
    StepRows rows;
    State state;
    Workspace workspace;
    StepReport report;
    Real work = 0;  // done on its bodies in the last step [J]

private:
    void clear() noexcept;
    void number_groups(const IslandParts& parts);
    void add_joint(const Model& world, int index, const std::vector<BodyIndex>& local);
    void add_contact(const StepModel& world, int group, const std::vector<BodyIndex>& local);
    void add_spring(const Model& world, int index, const std::vector<BodyIndex>& local);
    void load_contacts(const StepModel& world) noexcept;
    template <class Copy>
    void for_each_row(const StepModel& world, Copy&& copy) const noexcept;
    template <class Copy>
    void for_each_memory(const StepModel& world, Copy&& copy) const noexcept;

    IslandParts parts_;
    std::vector<int> group_of_;   // per group of the island: the group of the world
    std::uint64_t commands_ = 0;  // Model::commands of the world, when all numbers were loaded
};

}  // namespace taut::islands

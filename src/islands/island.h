// One island: a model, a state and a workspace of its own, and where their parts are in the world's.
//
//     world   ground  a   b   c   post  d       bodies that hold it but do not move are copied into it,
//     island  ground  a       c   post          all in the order of the world: alone, it would be the same
#pragma once

#include <array>
#include <vector>

#include "stepper/step.h"

namespace taut::islands {

// What an island is made of, as indices of the world's model, ascending.
struct IslandParts {
    std::vector<BodyIndex> bodies;  // the ground, those that move, and those that hold them
    std::vector<int> joints;        // without contacts
    std::vector<std::array<int, 3>> contacts;  // their types, and which bodies they are between
    std::vector<int> contact_joints;           // and which joints they are at present
    std::vector<int> springs;
    std::vector<int> loads;

    void clear() noexcept;
    // Whether a layout for these does for the others. Contacts come and go at the end of the model's joints:
    // those of an island that stays as it is shift when another one's change.
    bool same_layout(const IslandParts& other) const noexcept;
};

class Island {
public:
    // Makes the island of these parts; `local` is scratch, one number per body of the world.
    void assemble(const Model& world, const IslandParts& parts, std::vector<BodyIndex>& local);
    const IslandParts& parts() const noexcept { return parts_; }

    // Parts of the same layout: the contacts may be other joints by now.
    void renumber_contacts(const IslandParts& parts);

    // The world's state as that of the island, with contacts as they are now. Allocates while it grows.
    void gather(const Model& world, const State& from, const IslandMemory& memory);
    // And back: what is the island's own, side by side with other islands,
    void scatter(const Model& world, State& to) const noexcept;
    // and what it shares with them, one after the other. Work since gather() is added to that of the world.
    void scatter_shared(State& to, IslandMemory& memory) const noexcept;

    // Bodies and joints by the world's index; −1: not in it.
    BodyIndex local_body(BodyIndex of_world) const noexcept;
    int local_joint(int of_world) const noexcept;
    BodyIndex world_body(BodyIndex local) const noexcept { return parts_.bodies[local]; }
    int unknowns() const noexcept { return model.rows + 6 * static_cast<int>(model.bodies.size()); }

    Model model;
    State state;
    Workspace work;
    StepReport report;

private:
    void add_joint(const Model& world, int index, const std::vector<BodyIndex>& local);
    void refresh_contacts(const Model& world) noexcept;
    template <class Copy>
    void for_each_row(const Model& world, Copy&& copy) const noexcept;
    template <class Copy>
    void for_each_memory(const Model& world, Copy&& copy) const noexcept;

    IslandParts parts_;
    std::vector<int> joint_of_;  // joints of the world, contacts among them
};

}  // namespace taut::islands

// What a World is made of: model, state, how they are stepped, and which id stands for what.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <taut/world.h>

#include "core/text.h"
#include "islands/division.h"
#include "model/apply_commands.h"
#include "model/removal.h"
#include "world/event_log.h"
#include "world/id_table.h"
#include "world/queries.h"
#include "world/snapshot.h"
#include "world/user_data.h"
#include "world/world_step.h"

namespace taut {

using namespace world;

struct World::Impl {
    Model model;
    State state = make_state();
    WorldStep step{model, state};
    std::vector<ColliderPrint> collider_prints;  // what a snapshot is compared by

    PairPrints pair_prints;
    IdTables ids;
    Queries queries;
    EventLog log{step.contacts, ids};
    UserData data;

    bool forces_wait = false;   // Commands::bodies has a force for the next step
    bool motions_wait = false;  // Commands::motions has one that was commanded
    std::vector<std::pair<BodyIndex, Wrench>> set_wrenches;  // what the next step replaces
    std::vector<MotionCommand> motions_before;

    StepModel step_model() const noexcept { return step.step_model(); }

    // --- ids ---
    bool has(BodyId id) const noexcept { return ids.bodies.find(id) >= 0; }
    bool has(JointId id) const noexcept { return ids.joints.find(id) >= 0; }
    bool has(SpringId id) const noexcept { return ids.springs.find(id) >= 0; }
    BodyIndex at(BodyId id) const noexcept { return BodyIndex(ids.bodies.find(id) + 1); }
    int at(JointId id) const noexcept { return ids.joints.find(id); }
    int at(SpringId id) const noexcept { return ids.springs.find(id); }
    bool has(ColliderId id) const noexcept { return ids.colliders.find(id) >= 0; }
    int at(ColliderId id) const noexcept { return ids.colliders.find(id); }
    BodyId id(BodyIndex b) const noexcept { return ids.of_body(b); }
    // For the item that was just added, behind all others of its kind.
    template <class IdType>
    IdType add_id(IdTable<IdType>& table, std::uint64_t user_data)
    {
        const IdType added = table.add();
        data.of(added) = user_data;
        return added;
    }
    // As the model numbers bodies. An id that stands for none is invalid there, too.
    BodyId model_id(BodyId id) const noexcept
    {
        return id == kWorld ? kWorld : has(id) ? id_of(at(id)) : BodyId{};
    }
    template <class IdType>
    Error no_such(std::string_view kind, const IdTable<IdType>& table, IdType id) const
    {
        if (table.is_stale(id))
            return Error{text("no such ", kind, " in this world: the one with index ", id.index,
                              " and generation ", id.generation, " was removed")};
        return Error{text("no such ", kind, " in this world: index is ", id.index, ", generation ",
                          id.generation, "; there are ", table.size())};
    }
    Status check(BodyId id) const
    {
        if (has(id)) return Done{};
        if (id == kWorld) return Error{"no such body in this world: kWorld is the ground"};
        return no_such("body", ids.bodies, id);
    }
    Status check(JointId id) const
    {
        if (has(id)) return Done{};
        return no_such("joint", ids.joints, id);
    }
    Status check(SpringId id) const
    {
        if (has(id)) return Done{};
        return no_such("spring", ids.springs, id);
    }
    Status check(LoadId id) const
    {
        if (ids.loads.find(id) >= 0) return Done{};
        return no_such("load", ids.loads, id);
    }
    Status check(ColliderId id) const
    {
        if (has(id)) return Done{};
        return no_such("collider", ids.colliders, id);
    }
    // The place of what a reading is asked for; throws where it is not there.
    template <class IdType>
    auto at_known(std::string_view function, IdType id) const
    {
        if (!has(id)) throw_bad_access(text("World::", function, ": ", check(id).error().message));
        return at(id);
    }
    Status check_dynamic(BodyId id) const
    {
        TAUT_TRY(check(id));
        const BodyModel& body = model.bodies[at(id)];
        if (body.kind == BodyKind::Fixed || body.kind == BodyKind::Kinematic)
            return Error{
                text("body '", model.body_details[at(id)].name, "' is fixed or kinematic")};
        return Done{};
    }

    // --- what a change from outside does to the memory of the step ---
    // Two-step schemes have no history, and no island sleeps.
    void disturb_all() noexcept
    {
        queries.invalidate();
        state.last_step.forget();
        for (IslandMemory& island : state.division.islands) island.disturb();
    }
    void disturb(BodyIndex b) noexcept
    {
        queries.invalidate();
        state.last_step.forget();
        if (IslandMemory* island = island_of(b)) island->disturb();
    }
    void wake(BodyIndex b) noexcept
    {
        if (IslandMemory* island = island_of(b)) island->wake();
    }
    // Forces jump and velocities do not: the past holds, the energy balance is opened anew.
    void open_ledger(BodyIndex b) noexcept
    {
        wake(b);
        state.last_step.ledger_invalid = 1;
        if (IslandMemory* island = island_of(b)) island->ledger_invalid = 1;
    }
    // None where the world is not divided, or the body is new or kinematic.
    IslandMemory* island_of(BodyIndex b) noexcept
    {
        const int island = state.division.find(b);
        return island < 0 ? nullptr : &state.division.islands[island];
    }
    std::span<const BodyIndex> bodies_of(int joint) const noexcept
    {
        return model.rows.bodies(model.rows.groups[joint]);
    }
    // Energy that a command put in.
    void book(Real energy, std::span<const BodyIndex> bodies) noexcept;

    // --- queries and events ---
    const Queries& current_queries();
    // The state is another one: events tell what differs.
    void observe() noexcept;
    // As Queries knows bodies, and as callers do.
    QueryFilter model_filter(const QueryFilter& filter) const noexcept;
    template <class Hit>
    void name_hit(Hit& hit) const noexcept;
    template <class Hit>
    std::optional<Hit> named(std::optional<Hit> hit) const noexcept;
    template <class Hit>
    std::size_t named(std::size_t found, std::span<Hit> hits) const noexcept;
    Status check_pair(ColliderId a, ColliderId b) const;

    // --- commands around a step ---
    void begin_step(Real dt) noexcept;
    void end_step(bool done) noexcept;
    void after_restore();
    Status command(int joint, JointCommand wanted);
    Status command(int spring, SpringCommand wanted);
    Status command(BodyIndex b, MotionCommand wanted);
    Status add_force(BodyIndex b, const Wrench& more);
    Status check_point(BodyIndex b, const Vec3& point) const;
    void update_joint(int joint) noexcept;
    void disturb_neighbours(BodyIndex b) noexcept;
    Status apply_impulse(BodyIndex b, const Vec3& impulse, const Vec3& angular);

    // --- editing ---
    void open_division(std::size_t bodies);
    Removed remove(Removal& removal, std::vector<char> colliders);
    void wake_contacts_of(const std::vector<char>& colliders) noexcept;
    std::vector<char> colliders_of(const std::vector<char>& bodies) const;
};

}  // namespace taut

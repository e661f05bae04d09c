// Taking things out of a running world, and changing them. What is not connected with them keeps its bits; decisions/0022.
#include <algorithm>

#include "model/builder.h"
#include "world/world_impl.h"

namespace taut {

// --- what they have in common ---

// What is stepped as one becomes an island, so that what is added has a past of its own.
void World::Impl::open_division(std::size_t bodies)
{
    if (state.steps == 0)
        disturb_all();
    else
        divide_as_one(model, state, bodies);
    state.division.island_of.resize(state.division.islands.empty() ? 0 : model.bodies.size(), -1);
}

// Islands that touch these colliders are no longer at rest, nor is their energy the same.
void World::Impl::wake_contacts_of(const std::vector<char>& colliders) noexcept
{
    const auto all = step.contacts.colliders();
    for (const ContactMemory& contact : state.contacts) {
        if (colliders[contact.collider_a] == 0 && colliders[contact.collider_b] == 0) continue;
        wake(BodyIndex(all[contact.collider_a].body));
        wake(BodyIndex(all[contact.collider_b].body));
    }
}

std::vector<char> World::Impl::colliders_of(const std::vector<char>& bodies) const
{
    std::vector<char> gone;
    for (const collision::Collider& collider : step.contacts.colliders())
        gone.push_back(bodies[collider.body]);
    return gone;
}

// Items by place; joints, springs, loads and colliders of bodies that go are among them.
Removed World::Impl::remove(Removal& removal, std::vector<char> colliders)
{
    removal.add_attached(model);
    const std::vector<char> of_bodies = colliders_of(removal.bodies);
    for (std::size_t k = 0; k < colliders.size(); ++k) colliders[k] |= of_bodies[k];
    const auto count = [](const std::vector<char>& gone) {
        return static_cast<int>(std::count(gone.begin(), gone.end(), 1));
    };
    const Removed out{count(removal.bodies), count(removal.joints), count(removal.springs),
                      count(removal.loads), count(colliders)};
    ContactSet::drop(step.rows, state);
    wake_contacts_of(colliders);
    const Renumbering now = model::remove(model, state, removal);
    drop_empty_islands(state.division);
    step.contacts.remove(model, state, colliders, now.bodies);
    step.contacts.exclude_joined(model);
    erase_marked(collider_prints, colliders);
    for (ColliderPrint& print : collider_prints) print.body = BodyIndex(now.bodies[print.body]);
    std::vector<int> bodies(now.bodies.begin() + 1, now.bodies.end());
    for (int& place : bodies)
        if (place >= 0) --place;
    ids.bodies.renumber(bodies);
    ids.joints.renumber(now.joints);
    ids.springs.renumber(now.springs);
    ids.loads.renumber(now.loads);
    const std::vector<int> places = renumber(colliders);
    ids.colliders.renumber(places);
    pair_prints.renumber(places);
    log.renumber(bodies, now.joints, places);
    queries.invalidate();
    step.islands.renumber(now);
    return out;
}

// --- removing ---

Result<Removed> World::remove(std::span<const BodyId> ids)
{
    for (const BodyId id : ids) TAUT_TRY(impl_->check(id));
    Removal removal(impl_->model);
    for (const BodyId id : ids) removal.bodies[impl_->at(id)] = 1;
    if (ids.empty()) return Removed{};
    return impl_->remove(removal, std::vector<char>(impl_->collider_prints.size(), 0));
}

Result<Removed> World::remove(BodyId id) { return remove(std::span(&id, 1)); }

Status World::remove(JointId id)
{
    TAUT_TRY(impl_->check(id));
    Removal removal(impl_->model);
    removal.joints[impl_->at(id)] = 1;
    impl_->remove(removal, std::vector<char>(impl_->collider_prints.size(), 0));
    return Done{};
}

Status World::remove(SpringId id)
{
    TAUT_TRY(impl_->check(id));
    Removal removal(impl_->model);
    removal.springs[impl_->at(id)] = 1;
    impl_->remove(removal, std::vector<char>(impl_->collider_prints.size(), 0));
    return Done{};
}

Status World::remove(LoadId id)
{
    TAUT_TRY(impl_->check(id));
    Removal removal(impl_->model);
    removal.loads[impl_->ids.loads.find(id)] = 1;
    impl_->remove(removal, std::vector<char>(impl_->collider_prints.size(), 0));
    return Done{};
}

Status World::remove(ColliderId id)
{
    TAUT_TRY(impl_->check(id));
    Removal removal(impl_->model);
    std::vector<char> colliders(impl_->collider_prints.size(), 0);
    const int place = impl_->at(id);
    colliders[place] = 1;
    impl_->wake(impl_->collider_prints[place].body);
    impl_->remove(removal, std::move(colliders));
    return Done{};
}

// --- changing ---

Status World::set_mass(BodyId id, Real mass, const Mat3& inertia)
{
    TAUT_TRY(impl_->check_dynamic(id));
    const BodyIndex b = impl_->at(id);
    TAUT_TRY(model::set_mass(impl_->model, b, mass, inertia));
    impl_->disturb(b);
    impl_->step.islands.drop(b);
    return Done{};
}

Status World::set_collider(ColliderId id, const ColliderDef& def)
{
    TAUT_TRY(impl_->check(id));
    const int place = impl_->at(id);
    ContactSet::drop(impl_->step.rows, impl_->state);
    std::vector<char> colliders(impl_->collider_prints.size(), 0);
    colliders[place] = 1;
    TAUT_TRY(impl_->step.contacts.replace(impl_->model, impl_->state, place, def));
    impl_->wake_contacts_of(colliders);
    const BodyIndex b = impl_->collider_prints[place].body;
    impl_->wake(b);
    impl_->collider_prints[place] = collider_print(b, def);
    impl_->queries.invalidate();
    impl_->step.islands.drop(b);
    return Done{};
}

Status World::set_joint(JointId id, const JointDef& def)
{
    TAUT_TRY(impl_->check(id));
    const int old = impl_->at(id);
    NameMap& names = impl_->model.joint_names;
    const std::string name = impl_->model.joints[old].name;
    if (name == def.name) names.erase(name);
    auto added = add_joint(def);
    if (!added) {
        if (!name.empty()) names.emplace(name, old);
        return added.error();
    }
    Removal removal(impl_->model);
    removal.joints[old] = 1;
    impl_->ids.joints.exchange(id, *added);
    impl_->remove(removal, std::vector<char>(impl_->collider_prints.size(), 0));
    return Done{};
}

}  // namespace taut

#include "record/island_watch.h"

#include <algorithm>
#include <cmath>

namespace taut::record {

IslandWatch::IslandWatch(const World& world)
{
    enter(world);
    read_kinetic(world);
}

// Bodies that are not known yet, each a part of its own.
void IslandWatch::enter(const World& world)
{
    known_ = world.body_count();
    for (int i = 0; i < known_; ++i) {
        const BodyId id = world.body_at(i);
        const auto slot = static_cast<std::size_t>(id.index);
        if (slot >= entries_.size()) entries_.resize(slot + 1);
        Entry& entry = entries_[slot];
        if (entry.parent >= 0 && entry.part.body == id) continue;
        if (entry.parent < 0) entry.parent = id.index;
        entry.part.body = id;
        entry.part.mass += world.mass(id);
    }
    part_of_.resize(static_cast<std::size_t>(known_) + 1);
    reports_.resize(static_cast<std::size_t>(known_) + 1);
}

bool IslandWatch::knows(const World& world) const noexcept
{
    if (world.body_count() != known_) return false;
    for (int i = 0; i < known_; ++i) {
        const BodyId id = world.body_at(i);
        const auto slot = static_cast<std::size_t>(id.index);
        if (slot >= entries_.size() || !(entries_[slot].part.body == id)) return false;
    }
    return true;
}

int IslandWatch::root_of(int slot) noexcept
{
    while (entries_[slot].parent != slot)
        slot = entries_[slot].parent = entries_[entries_[slot].parent].parent;
    return slot;
}

// Largest kinetic energies add up, as those of the world do: each part had its own.
int IslandWatch::join(int one, int other) noexcept
{
    const int lowest = std::min(root_of(one), root_of(other));
    const int absorbed = std::max(root_of(one), root_of(other));
    if (lowest == absorbed) return lowest;
    Part& to = entries_[lowest].part;
    const Part& from = entries_[absorbed].part;
    to.mass += from.mass;
    to.kinetic_max += from.kinetic_max;
    to.work += from.work;
    to.work_max += from.work_max;
    to.physical += from.physical;
    to.numerical += from.numerical;
    entries_[absorbed].parent = lowest;
    return lowest;
}

void IslandWatch::read_kinetic(const World& world) noexcept
{
    for (Entry& entry : entries_) entry.part.kinetic = 0;
    for (int i = 0; i < known_; ++i) {
        const BodyId id = world.body_at(i);
        entries_[root_of(id.index)].part.kinetic += world.kinetic_energy(id);
    }
    for (Entry& entry : entries_)
        entry.part.kinetic_max = std::max(entry.part.kinetic_max, entry.part.kinetic);
}

void IslandWatch::note_settling(const World& world, BodyId id, bool settled, Real dt,
                                std::string_view reason) noexcept
{
    Entry& entry = entries_[id.index];
    entry.unsettled_steps = settled ? 0 : entry.unsettled_steps + 1;
    entry.unsettled_time = settled ? 0 : entry.unsettled_time + dt;
    if (entry.unsettled_steps <= longest_.steps) return;
    longest_ = {entry.unsettled_steps, entry.unsettled_time, world.time() - entry.unsettled_time,
                id, reason};
}

void IslandWatch::observe(const World& world, Real dt, std::string_view reason)
{
    if (!knows(world)) enter(world);
    std::fill(part_of_.begin(), part_of_.end(), -1);
    for (int i = 0; i < known_; ++i) {
        const BodyId id = world.body_at(i);
        const auto island = world.island(id);
        if (!island) {
            note_settling(world, id, true, dt, {});
            continue;
        }
        int& part = part_of_[*island];
        if (part < 0) {
            part = id.index;
            reports_[*island] = world.island_report(*island);
        } else {
            part = join(part, id.index);
        }
        note_settling(world, id, reports_[*island].settled, dt, reason);
    }
    for (std::size_t k = 0; k < part_of_.size(); ++k) {
        if (part_of_[k] < 0) continue;
        Part& part = entries_[root_of(part_of_[k])].part;
        part.work += reports_[k].work;
        part.work_max = std::max(part.work_max, std::abs(part.work));
        part.physical += reports_[k].dissipation.physical();
        part.numerical += reports_[k].dissipation.numerical;
    }
    read_kinetic(world);
}

PartDissipation IslandWatch::worst(Real rounding, Real rest) const noexcept
{
    PartDissipation worst;
    int parts = 0;
    for (std::size_t slot = 0; slot < entries_.size(); ++slot) {
        if (entries_[slot].parent != static_cast<int>(slot)) continue;
        const Part& part = entries_[slot].part;
        const Real throughput =
            std::max(part.kinetic_max + std::max(part.physical, Real(0)), part.work_max);
        parts += throughput > 0 ? 1 : 0;
        if (!(std::abs(part.numerical) > std::max(rounding, rest * part.mass))) continue;
        if (!(throughput > 0)) continue;
        const Real share = part.numerical / throughput;
        if (std::abs(share) <= std::abs(worst.share)) continue;
        worst = {share, part.numerical, throughput, part.body, true};
    }
    worst.whole_world = parts <= 1;
    return worst;
}

}  // namespace taut::record

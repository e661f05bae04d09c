// Which place in the model an id stands for. Places move up when items are removed, ids do not.
//
//     slot        0   1   2   3        an id is a slot and the generation of its item
//     place       0   –   1   2        slot 1 is vacant; the next item takes it with generation + 1
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <taut/ids.h>

#include "core/namespaces.h"
#include "model/body_index.h"

namespace taut::world {

template <class IdType>
class IdTable {
public:
    // For the item that was just added, behind all others.
    IdType add()
    {
        if (free_.empty()) {
            free_.push_back(static_cast<int>(slots_.size()));
            slots_.emplace_back();
        }
        const int slot = free_.back();
        slot_of_.push_back(slot);
        free_.pop_back();
        slots_[slot].place = static_cast<int>(slot_of_.size()) - 1;
        return id_at(slots_[slot].place);
    }
    // The place of an item; −1: the id is stale or was never given out.
    int find(IdType id) const noexcept
    {
        if (id.index < 0 || id.index >= static_cast<int>(slots_.size())) return -1;
        const Slot& slot = slots_[id.index];
        return slot.generation == id.generation ? slot.place : -1;
    }
    // Of the item at a place; no id beyond the last.
    IdType id_at(int place) const noexcept
    {
        if (place < 0 || place >= static_cast<int>(slot_of_.size())) return {};
        const int slot = slot_of_[place];
        return {slot, slots_[slot].generation};
    }
    int size() const noexcept { return static_cast<int>(slot_of_.size()); }
    // Whether the id was given out once, for an item that was removed.
    bool is_stale(IdType id) const noexcept
    {
        return id.index >= 0 && id.index < static_cast<int>(slots_.size()) &&
               id.generation < slots_[id.index].generation;
    }
    // Per place its new one, −1 where the item is gone.
    void renumber(const std::vector<int>& now)
    {
        std::size_t kept = 0;
        for (std::size_t place = 0; place < slot_of_.size(); ++place) {
            Slot& slot = slots_[slot_of_[place]];
            slot.place = now[place];
            if (slot.place >= 0) {
                slot_of_[kept++] = slot_of_[place];
                continue;
            }
            // the last generation is never used again
            constexpr auto kLast = std::numeric_limits<std::uint32_t>::max();
            if (++slot.generation != kLast) free_.push_back(slot_of_[place]);
        }
        slot_of_.resize(kept);
    }
    // Two ids for each other's items.
    void exchange(IdType a, IdType b) noexcept
    {
        Slot &one = slots_[a.index], &other = slots_[b.index];
        std::swap(slot_of_[one.place], slot_of_[other.place]);
        std::swap(one.place, other.place);
    }

private:
    struct Slot {
        std::uint32_t generation = 0;
        int place = -1;  // −1: vacant
    };
    std::vector<Slot> slots_;
    std::vector<int> slot_of_;  // per place
    std::vector<int> free_;     // vacant slots, the last one is taken first
};

// Of one world. The order of places is that in which items were added.
struct IdTables {
    IdTable<BodyId> bodies;  // place k is body k + 1 of the model
    IdTable<JointId> joints;
    IdTable<SpringId> springs;
    IdTable<LoadId> loads;
    IdTable<ColliderId> colliders;

    BodyId of_body(BodyIndex b) const noexcept
    {
        return b == kGround ? kWorld : bodies.id_at(b - 1);
    }
};

}  // namespace taut::world

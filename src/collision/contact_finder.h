// All contacts of a set of bodies: boxes over the step, pairs that may meet, points of each pair.
//
// A pair is looked at as far as it can come together within the step, so a body at any speed gets a contact with an
// obstacle before it passes through it. Contacts come sorted by pair of colliders and feature; the same
// bodies give the same contacts to the last bit, whatever was asked before.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "collision/broad_phase.h"
#include "collision/collider.h"
#include "collision/contact.h"
#include "collision/narrow_phase.h"

namespace taut::collision {

// Asked of two colliders that may meet, a < b: false, and they have no contacts. Called in the order of pairs, on the
// thread that searches.
struct PairFilter {
    bool (*accept)(const void* user, int a, int b) noexcept = nullptr;  // null: all pairs
    const void* user = nullptr;

    bool accepts(int a, int b) const noexcept { return accept == nullptr || accept(user, a, b); }
};

struct SearchSettings {
    Real dt = 0;      // [s], over which bodies move as they do now
    Real margin = 0;  // [m] added to every reach: for what forces may do within the step
};

class ContactFinder {
public:
    // Index of the new collider. The shape must be valid (why_invalid); one that is not gets no contacts.
    int add(Collider collider);
    // These two bodies never meet: they share a joint, say.
    void exclude(int body, int other);
    void set_filter(const PairFilter& filter) noexcept { filter_ = filter; }
    void clear() noexcept;
    // Another collider in the place of one; the same shape rules hold.
    void replace(int index, Collider collider);
    // 1 per collider that goes, and per body its new number; the others keep their order. Pairs are no longer excluded.
    void remove(std::span<const char> gone, std::span<const int> bodies);
    void clear_excluded() noexcept { excluded_.clear(); }
    void set_material(int index, int material) noexcept { colliders_[index].material = material; }

    std::span<const Collider> colliders() const noexcept { return colliders_; }

    // Bodies are named by index, as in the colliders. A collider of a body that is not in the list, or
    // whose pose or velocity is not finite, meets nothing. Allocates only while buffers grow.
    std::span<const ContactPoint> find(std::span<const BodyState> bodies,
                                       const SearchSettings& settings);

    // Pairs of the last search that may have come near each other.
    std::span<const IndexPair> pairs() const noexcept { return pairs_; }
    // Whether the two may have contacts, wherever they are. To be called after find().
    bool may_touch(const IndexPair& pair, std::span<const BodyState> bodies) const noexcept;

private:
    void place(std::span<const BodyState> bodies, const SearchSettings& settings);
    void find_plane_pairs(std::span<const BodyState> bodies, Real dt);
    bool may_meet(const IndexPair& pair, std::span<const BodyState> bodies) const noexcept;
    void find_points(const IndexPair& pair, std::span<const BodyState> bodies,
                     const SearchSettings& settings);

    std::vector<Collider> colliders_;
    std::vector<std::uint64_t> excluded_;  // sorted
    bool excluded_sorted_ = true;
    PairFilter filter_;

    std::vector<Transform> body_frames_, frames_;  // X_WB by body, X_WS by collider
    std::vector<Aabb> boxes_;
    std::vector<char> still_, present_;
    BoxTree tree_;
    std::vector<IndexPair> pairs_;
    SurfaceScratch scratch_;
    SurfacePoints points_;
    std::vector<ContactPoint> contacts_;
};

}  // namespace taut::collision

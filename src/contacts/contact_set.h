// The colliders of one world, and the rows of the contacts between them.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include <taut/colliders.h>
#include <taut/result.h>

#include "collision/contact_finder.h"
#include "collision/tunnelling.h"
#include "contacts/contact_geometry.h"
#include "model/state.h"
#include "model/step_model.h"

namespace taut::contacts {

using BodyPair = std::array<BodyIndex, 2>;

// Two bodies in each other, as a search after a step saw them.
struct Penetration {
    BodyPair bodies;
    Real depth = 0;  // [m]
    // over the half width of the thinner one [-]
    Real share = 0;       // the depth
    Real grown = 0;       // by how much it is deeper than before the step
    bool passed = false;  // one went through the other, wherever they are now

    bool is_new() const noexcept;  // passed, or grown beyond ContactSettings::new_penetration
};

// Which bodies a search for contacts is for, and where it sees the others that can move: on their way through the step
// that they have already made.
struct SearchScope {
    const BodyMask* mask = nullptr;  // null: all of them
    const State* before = nullptr;   // at the start of the step
    Real fraction = 0;               // of the step that has passed
    Real dt = 0;                     // of the whole step [s]

    bool is_active(BodyIndex b) const noexcept { return !mask || mask->has(b); }
    bool is_active(const collision::ContactPoint& c) const noexcept
    {
        return is_active(BodyIndex(c.body_a)) || is_active(BodyIndex(c.body_b));
    }
};

class ContactSet {
public:
    Result<int> add(Model& model, const State& state, BodyIndex body, const ColliderDef& def);
    // Another description in the place of a collider.
    Status replace(Model& model, State& state, int index, const ColliderDef& def);
    // 1 per collider that goes, and per body its new index. To be followed by exclude_joined().
    void remove(Model& model, State& state, std::span<const char> gone,
                std::span<const int> bodies);
    // Whether nothing can have contacts; there may be sensors.
    bool empty() const noexcept;

    // These bodies do not collide, because they share a joint.
    void exclude(BodyIndex a, BodyIndex b) { finder_.exclude(a, b); }
    // Exactly the bodies that share a joint of the model.
    void exclude_joined(const Model& model);
    // Pairs that it does not accept have no contacts.
    void set_filter(const collision::PairFilter& filter) noexcept { finder_.set_filter(filter); }
    // The surface of one pair of colliders in place of what theirs combine to; null: theirs again.
    Status set_pair(int a, int b, const SurfacePair* surface);

    // Searches for the contacts of a step of dt and writes their rows behind those of the model's joints. Their
    // multipliers, at the end of state.lambda, start from the forces that the state remembers. Contacts between bodies that
    // are not active stay as they were found before. Allocates while buffers grow.
    // `late`: contacts that an attempt at the step ended with (late()), for another attempt.
    void update(const Model& model, Real dt, State& state, StepRows& rows,
                const SearchScope& scope = {}, std::span<const collision::ContactPoint> late = {});
    // Bodies that are not active, and that an active one may meet: the last update() left these contacts out.
    std::span<const BodyPair> encounters() const noexcept { return encounters_; }
    // Bodies in each other after the step since update(), none where nothing has moved far; one of each pair at least is active. Where
    // a step has led them into each other by more than a small share of their thickness they met surfaces that the search could not
    // expect, because they tumble; shorter steps find them. Bodies that went through each other come first. To be called before
    // remember().
    std::span<const Penetration> find_penetration(const Model& model, const State& state,
                                                  const SearchScope& scope = {});
    // Of the last find_penetration(), again.
    std::span<const Penetration> penetration() const noexcept { return penetration_; }
    // The points at which bodies penetrate anew, of the last find_penetration().
    std::span<const collision::ContactPoint> late() const noexcept { return late_; }
    // How far the bodies of a contact of the last update() move in a step of dt, where it closes within it: the way along the
    // normal over the half width of the thinner one, or the turn of what is not a ball, whichever is more; else zero.
    Real motion_of(std::size_t k, const Model& model, const State& state, Real dt) const noexcept;
    // After the step: the state remembers the forces of contacts of active bodies.
    void remember(const StepRows& rows, State& state, const SearchScope& scope = {});
    // Contacts of these bodies are remembered as they were in an earlier state.
    void rewind(const State& before, const BodyMask& bodies, State& state);

    // Removes the rows of contacts: before the user adds a joint, or when the state is replaced.
    static void drop(StepRows& rows, State& state);
    // Resizes the multipliers of a state of an earlier time to the rows that there are now.
    static void resize_multipliers(StepRows& rows, State& state);
    // Forgets the contacts that the last update() found.
    void forget() noexcept
    {
        now_.clear();
        placed_.clear();
        resistance_of_.clear();
        bodies_are_of_search_ = false;
    }

    std::span<const collision::Collider> colliders() const noexcept { return finder_.colliders(); }
    std::span<const collision::ContactPoint> contacts() const noexcept { return now_; }

private:
    struct Material {
        Real friction, static_friction, rolling, spinning, restitution;
        bool resists_rolling() const noexcept { return rolling > 0 || spinning > 0; }
    };
    struct PairMaterial {
        int a, b;  // a < b
        Material material;
    };
    // What the set keeps of a collider, besides the shape in it.
    struct Surface {
        collision::Collider collider;
        Material material{};
        Vec3 velocity = Vec3::Zero();
        Real thickness = std::numeric_limits<Real>::infinity(), reach = 0;
        Real same_point = std::numeric_limits<Real>::infinity();
    };
    Result<Surface> make_surface(Model& model, const State& state, BodyIndex body,
                                 const ColliderDef& def);
    void read_moving_surfaces(Model& model) const noexcept;
    static Material material_of(const SurfacePair& surface) noexcept;
    // Friction and restitution of a pair: geometric means, and the larger restitution.
    Material material_of(const collision::ContactPoint& contact) const noexcept;
    void read_bodies(const Model& model, const State& state, const SearchScope& scope);
    // Bodies that passed through each other since the search, whose states are starts_; bodies_ are those of now.
    void find_tunnelling();
    void test_tunnelling(const collision::IndexPair& pair);
    bool moved_unexpectedly(int k) const noexcept;
    bool ways_are_near(int a, int b) const noexcept;
    void find(const Model& model, const State& state, Real dt, const SearchScope& scope,
              std::span<const collision::ContactPoint> late);
    void add_late(const State& state, std::span<const collision::ContactPoint> late);
    // Replaces the contacts of active bodies.
    void replace(std::span<const collision::ContactPoint> found, const Model& model,
                 const SearchScope& scope);
    // Per contact found, the index in state.contacts of the contact that it continues; −1: it is new.
    std::span<const int> match(const State& state);
    // Whether the table has the rows, between the same bodies, that the contacts found need.
    bool has_rows_of_contacts(const StepRows& rows) const noexcept;
    void append_rows(StepRows& rows, State& state);
    bool is_alone(std::size_t k) const noexcept;
    void load_surface_velocity(const collision::ContactPoint& contact, bool carried_by_a,
                               Contact& item) const noexcept;
    void load_contact(std::size_t k, const ContactMemory& was, State& state, StepRows& rows);
    ContactMemory memory_of(std::size_t k, const StepRows& rows, const State& state) const;
    bool belongs_to(const ContactMemory& contact, const BodyMask& bodies) const noexcept;

    collision::ContactFinder finder_;
    collision::ContactMatcher matcher_;
    std::vector<Material> materials_;     // per collider
    std::vector<PairMaterial> pairs_;     // sorted by colliders
    std::vector<Vec3> surface_velocity_;  // per collider: body axes [m/s]
    std::vector<Real> thickness_;  // per collider: its smallest half width [m]; infinite for planes
    std::vector<Real>
        same_point_;  // per collider: how far a contact moves on it and still goes on [m]
    std::vector<Real>
        reach_;  // per collider: from the centre of mass of its body to its farthest corner [m]
    std::vector<collision::BodyState> bodies_;  // as the last search saw them
    std::vector<collision::BodyState> starts_;  // as the search before a step saw them
    std::vector<collision::BodyWay> ways_;      // from there to where they are after the step
    Real searched_dt_ = 0;                      // length of that step [s]
    bool bodies_are_of_search_ = false;         // not of find_penetration()
    std::vector<collision::ContactPoint> last_, now_, next_, late_, found_;
    std::vector<PlacedContact> placed_, next_placed_;  // per contact of now_: its geometry
    std::span<const int> continued_;  // per contact of now_: the one of state.contacts; −1: none
    std::vector<ContactMemory> memories_;
    std::vector<BodyPair> encounters_;
    std::vector<Penetration> penetration_;
    std::vector<int>
        resistance_of_;  // per contact: the group of its resistance to rolling; −1: none
};

}  // namespace taut::contacts

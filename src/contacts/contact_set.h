// Contacts of one world, as rows of its model.
#pragma once

#include <span>
#include <vector>

#include <taut/colliders.h>
#include <taut/result.h>

#include "collision/contact_finder.h"
#include "model/model.h"
#include "model/state.h"

namespace taut::contacts {

class ContactSet {
public:
    Result<int> add(Model& model, const State& state, BodyIndex body, const ColliderDef& def);
    bool empty() const noexcept { return finder_.colliders().empty(); }

    // Bodies that share a joint do not meet.
    void exclude(BodyIndex a, BodyIndex b) { finder_.exclude(a, b); }

    // The contacts of a step of dt become the last joints of the model, with the forces that the state
    // remembers of them. Allocates while buffers grow.
    void update(Model& model, State& state, Real dt);
    // No contacts: before the user changes the model, or the state is replaced.
    static void drop(Model& model, State& state);
    // Whether the step, which is to be judged before remember(), went too far: bodies pressed into each other by more than
    // a small share of their thickness that were not so before. Surfaces that nobody saw coming turn up
    // when bodies tumble, and shorter steps see them.
    bool pressed_in(const Model& model, const State& state);
    // A state from before, with room for the contacts that the model has now.
    static void fit(Model& model, State& state);
    // Nothing is known of contacts until the next update().
    void forget() noexcept
    {
        now_.clear();
        rolls_.clear();
    }
    // After the step: the state remembers their forces.
    void remember(const Model& model, State& state) const;

    std::span<const collision::ContactPoint> contacts() const noexcept { return now_; }

private:
    struct Material {
        Real friction, static_friction, rolling, spinning, restitution;
    };
    Material between(const collision::ContactPoint& contact) const noexcept;
    // Whether the contacts found have the layout that the model has.
    bool fits(const Model& model) const noexcept;
    void lay_out(Model& model, State& state);
    void read_bodies(const Model& model, const State& state);
    void place(const State& state, const collision::ContactPoint& contact, Real closing,
               JointModel& joint, constraints::Contact& item) const;

    collision::ContactFinder finder_;
    collision::ContactMatcher matcher_;
    std::vector<Material> materials_;  // per collider
    std::vector<Real> thickness_;  // per collider: its smallest half width [m]; planes have none
    std::vector<Real> reach_;  // per collider: from the centre of mass to its farthest corner [m]
    std::vector<collision::BodyState> bodies_;
    std::vector<collision::ContactPoint> last_, now_;
    std::vector<int> rolls_;  // per contact: its rolling resistance in Model::joints; −1: none
};

}  // namespace taut::contacts

// The colliders of one world, and the rows of the contacts between them.
#pragma once

#include <span>
#include <vector>

#include <taut/colliders.h>
#include <taut/result.h>

#include "collision/contact_finder.h"
#include "model/state.h"
#include "model/step_model.h"

namespace taut::contacts {

class ContactSet {
public:
    Result<int> add(Model& model, const State& state, BodyIndex body, const ColliderDef& def);
    bool empty() const noexcept { return finder_.colliders().empty(); }

    // These bodies do not collide, because they share a joint.
    void exclude(BodyIndex a, BodyIndex b) { finder_.exclude(a, b); }

    // Searches for the contacts of a step of dt and writes their rows behind those of the model's joints. Their
    // multipliers, at the end of state.lambda, start from the forces that the state remembers. Allocates while buffers grow.
    void update(const Model& model, Real dt, State& state, StepRows& rows);
    // Whether the step since update() led bodies into each other by more than a small share of their thickness, where
    // they did not penetrate before. Bodies that tumble meet surfaces that the search could not expect; shorter steps
    // find them. To be called before remember().
    bool has_new_penetration(const Model& model, const State& state);
    // After the step: the state remembers the forces of contacts.
    void remember(const StepRows& rows, State& state) const;

    // Removes the rows of contacts: before the user adds a joint, or when the state is replaced.
    static void drop(StepRows& rows, State& state);
    // Gives a state of an earlier time room for the contacts that there are now.
    static void fit(StepRows& rows, State& state);
    // Forgets the contacts that the last update() found.
    void forget() noexcept
    {
        now_.clear();
        resistance_of_.clear();
    }

    std::span<const collision::ContactPoint> contacts() const noexcept { return now_; }

private:
    struct Material {
        Real friction, static_friction, rolling, spinning, restitution;
        bool resists_rolling() const noexcept { return rolling > 0 || spinning > 0; }
    };
    Material between(const collision::ContactPoint& contact) const noexcept;
    void read_bodies(const Model& model, const State& state);
    void find(const Model& model, const State& state, Real dt);
    // Per contact found, the index in state.contacts of the contact that it continues; −1: it is new.
    std::span<const int> match(const Model& model, const State& state);
    // Whether the table has the rows, between the same bodies, that the contacts found need.
    bool fits(const StepRows& rows) const noexcept;
    void lay_out(StepRows& rows, State& state);
    void load_contact(std::size_t k, Real kept, const ContactMemory& was, State& state,
                      StepRows& rows);

    collision::ContactFinder finder_;
    collision::ContactMatcher matcher_;
    std::vector<Material> materials_;  // per collider
    std::vector<Real> thickness_;  // per collider: its smallest half width [m]; infinite for planes
    std::vector<Real> reach_;  // per collider: from the centre of mass to its farthest corner [m]
    std::vector<collision::BodyState> bodies_;  // as the last search saw them
    std::vector<collision::ContactPoint> last_, now_;
    std::vector<int>
        resistance_of_;  // per contact: the group of its resistance to rolling; −1: none
};

}  // namespace taut::contacts

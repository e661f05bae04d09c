// Contacts of one world, as rows of its model.
#pragma once

#include <span>
#include <vector>

#include <taut/colliders.h>
#include <taut/result.h>

#include "collision/contact_finder.h"
#include "model/model.h"
#include "model/state.h"

namespace taut {

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
    // After the step: the state remembers their forces.
    void remember(const Model& model, State& state) const;

    std::span<const collision::Contact> contacts() const noexcept { return now_; }

private:
    struct Material {
        Real friction, restitution;
    };
    void place(const Model& model, State& state, int slot, const collision::Contact& contact,
               const Vec3& force, JointModel& joint, taut::Contact& item) const;

    collision::ContactFinder finder_;
    collision::ContactMatcher matcher_;
    std::vector<Material> materials_;  // per collider
    std::vector<collision::BodyState> bodies_;
    std::vector<collision::Contact> last_, now_;
};

}  // namespace taut

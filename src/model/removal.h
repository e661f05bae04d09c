// Takes bodies, joints, springs and loads out of a model and its state. What stays keeps its order and every number; only
// indices move up. decisions/0022 says why nothing is left in place.
//
//     before   ground  a  b  c  d        joints  ab  bc  cd
//     remove b
//     after    ground  a  c  d           joints  cd             joints of b go with it
#pragma once

#include <vector>

#include "model/model.h"
#include "model/state.h"

namespace taut::model {

// 1 per item that goes.
struct Removal {
    std::vector<char> bodies, joints, springs, loads;

    explicit Removal(const Model& model);
    // Joints, springs and loads of bodies that go.
    void add_attached(const Model& model);
};

// Per item its new index; −1: it is gone.
struct Renumbering {
    std::vector<int> bodies, joints, springs, loads;
};

std::vector<int> renumber(const std::vector<char>& gone);

// The entries that stay, in their order.
template <class Vector, class Gone>
void erase_marked(Vector& items, const Gone& gone)
{
    std::size_t kept = 0;
    for (std::size_t k = 0; k < items.size(); ++k) {
        if (gone[k]) continue;
        if (kept != k) items[kept] = std::move(items[k]);
        ++kept;
    }
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(kept), items.end());
}

// The state has no rows of contacts. Islands that lose something go on with their past, but for their energy balance.
Renumbering remove(Model& model, State& state, const Removal& removal);

// The box around all that there is, and what can break.
void read_summary(Model& model);

}  // namespace taut::model

// Joints and springs of a model as one list of elements, each with its type, poses and first row.
#pragma once

#include "model/builder.h"

namespace taut::stepper::classical {

template <class T>
struct Element {
    const T& item;
    const std::array<BodyIndex, T::kBodies>& bodies;
    int first_row;  // springs: one row each, behind those of the joints
    Poses<T::kBodies> X;
    Memory<T::kMemory> memory;

    Element(const Pool<T>& pool, std::size_t k, int row, int first_memory, const State& state)
        : item(pool.items[k]), bodies(pool.bodies[k]), first_row(row)
    {
        for (int s = 0; s < T::kBodies; ++s) X[s] = body_pose(state, bodies[s]);
        for (int i = 0; i < T::kMemory; ++i) memory[i] = state.memory[first_memory + i];
    }
};

// Calls visit(const Element<T>&) for every joint of every type, then for every spring.
template <class Visit>
void for_each_element(const Model& model, const State& state, Visit&& visit)
{
    for_each_joint_type([&](auto tag) {
        using T = typename decltype(tag)::type;
        const Pool<T>& pool = model.pool<T>();
        for (std::size_t k = 0; k < pool.items.size(); ++k) {
            const ConstraintRows& joint = model.rows.groups[pool.groups[k]];
            visit(Element<T>(pool, k, joint.first_row, joint.first_memory, state));
        }
    });
    const auto springs = [&]<class T>(const Pool<T>& pool) {
        for (std::size_t k = 0; k < pool.items.size(); ++k)
            visit(Element<T>(pool, k, model.rows.count + pool.groups[k],
                             model.springs[pool.groups[k]].first_memory, state));
    };
    springs(model.linear_springs);
    springs(model.torsional_springs);
}

}  // namespace taut::stepper::classical

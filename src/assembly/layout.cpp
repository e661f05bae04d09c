#include "assembly/layout.h"

#include <algorithm>
#include <limits>

#include "core/assert.h"
#include "stabilisation/geometric.h"

namespace taut::assembly {
namespace {

PairPlace place_pair(const Layout& layout, linalg::SaddlePattern& pattern, BodyIndex a, BodyIndex b)
{
    const int i = layout.primal[a], j = layout.primal[b];
    if (i < 0 || j < 0) return {};
    const auto& pair = pattern.pairs[pattern.add_pair(i, j)];
    return pair.i == i ? PairPlace{pair.block_ij, pair.block_ji}
                       : PairPlace{pair.block_ji, pair.block_ij};
}

// The pattern of the assembled K̃, with the nodes that H has.
void place_stiffness(const StepModel& model, Layout& layout)
{
    for (const auto& node : layout.pattern.primals) layout.stiffness.add_primal(node.size);
    layout.stiffness_pairs.resize(model.rows.groups.size());
    for (std::size_t k = 0; k < model.rows.groups.size(); ++k) {
        const std::span<const BodyIndex> bodies = model.rows.bodies(model.rows.groups[k]);
        const int count = static_cast<int>(bodies.size());
        for (int s = 0; s < count; ++s)
            for (int t = s + 1; t < count; ++t)
                layout.stiffness_pairs[k][pair_slot(s, t)] =
                    place_pair(layout, layout.stiffness, bodies[s], bodies[t]);
    }
}

void divide_pools(const StepModel& model, Layout& layout)
{
    for_each_type(ConstraintTypes{}, [&](auto tag) {
        const auto& pool = model.pool<typename decltype(tag)::type>();
        PoolShare& share = layout.shares.emplace_back();
        share.within.resize(layout.neighbourhoods.groups);
        for (std::size_t slot = 0; slot < pool.items.size(); ++slot)
            share.list_of(layout.neighbourhoods, pool.bodies[slot])
                .push_back(static_cast<int>(slot));
    });
}

BodyPlace place_body(const StepModel& model, const Layout& layout, BodyIndex b)
{
    const BodyModel& body = model.bodies[b];
    if (!body.dynamic()) return {-1, -1, 0, body.kind == BodyKind::Kinematic};
    return {layout.offset(b), layout.block(b), body.freedoms(), false};
}

// Constraints in the order of the table: rows of the state and of the system coincide.
void place_groups(const StepModel& model, Stabilisation stabilisation, Layout& layout)
{
    std::vector<bool> couples;
    for_each_type(ConstraintTypes{}, [&](auto tag) {
        couples.push_back(couples_bodies<typename decltype(tag)::type>(stabilisation));
    });
    const bool alike = masses_are_similar(model);
    const RowTable& rows = model.rows;
    layout.joints.resize(rows.groups.size());
    for (std::size_t k = 0; k < rows.groups.size(); ++k) {
        const ConstraintRows& group = rows.groups[k];
        const std::span<const BodyIndex> bodies = rows.bodies(group);
        JointPlace& place = layout.joints[k];
        std::vector<int> touched, slot_of;
        for (int s = 0; s < group.body_count; ++s) {
            place.bodies[s] = place_body(model, layout, bodies[s]);
            if (layout.primal[bodies[s]] < 0) continue;
            touched.push_back(layout.primal[bodies[s]]);
            slot_of.push_back(s);
        }
        const bool contact = rows.is_contact(static_cast<int>(k));
        const auto& dual =
            layout.pattern.duals[layout.pattern.add_dual(group.rows, touched, contact && alike)];
        for (std::size_t t = 0; t < slot_of.size(); ++t)
            place.jacobian[slot_of[t]] =
                layout.pattern.touches[dual.first_touch + static_cast<int>(t)].block;
        if (!couples[group.type]) continue;
        for (int s = 0; s < group.body_count; ++s)
            for (int t = s + 1; t < group.body_count; ++t)
                place.pairs[pair_slot(s, t)] =
                    place_pair(layout, layout.pattern, bodies[s], bodies[t]);
    }
}

}  // namespace

Layout make_layout(const StepModel& model, Stabilisation stabilisation)
{
    TAUT_ASSERT(model.up_to_date());
    Layout layout;
    layout.primal.assign(model.bodies.size(), -1);
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (model.bodies[b].dynamic())
            layout.primal[b] = layout.pattern.add_primal(model.bodies[b].freedoms());

    place_groups(model, stabilisation, layout);

    // springs always couple: their stiffness is JᵀkJ
    for (const SpringModel& spring : model.springs)
        layout.springs.push_back(
            place_pair(layout, layout.pattern, spring.bodies[0], spring.bodies[1]));
    if (judges_assembled(stabilisation)) place_stiffness(model, layout);
    layout.neighbourhoods = find_neighbourhoods(model);
    layout.balls = make_ball_packs(model, layout);
    if (layout.neighbourhoods.groups > 1) divide_pools(model, layout);
    return layout;
}

bool masses_are_similar(const StepModel& model) noexcept
{
    Real lightest = std::numeric_limits<Real>::infinity(), heaviest = 0;
    for (const BodyModel& body : model.bodies) {
        if (!body.dynamic()) continue;
        lightest = std::min(lightest, body.mass);
        heaviest = std::max(heaviest, body.mass);
    }
    return heaviest <= linalg::FactorThresholds::kSimilarMassRatio * lightest;
}

}  // namespace taut::assembly

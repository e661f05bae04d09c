#include "assembly/layout.h"

#include <algorithm>
#include <limits>

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
void lay_out_stiffness(const Model& model, Layout& layout)
{
    for (const auto& node : layout.pattern.primals) layout.stiffness.add_primal(node.size);
    layout.stiffness_pairs.resize(model.joints.size());
    for (std::size_t k = 0; k < model.joints.size(); ++k) {
        const JointModel& joint = model.joints[k];
        for (int s = 0; s < joint.body_count; ++s)
            for (int t = s + 1; t < joint.body_count; ++t)
                layout.stiffness_pairs[k][pair_slot(s, t)] =
                    place_pair(layout, layout.stiffness, joint.bodies[s], joint.bodies[t]);
    }
}

// Then rows of contacts, redundant by nature, are eliminated before their bodies.
bool masses_are_alike(const Model& model)
{
    Real lightest = std::numeric_limits<Real>::infinity(), heaviest = 0;
    for (const BodyModel& body : model.bodies) {
        if (!body.dynamic()) continue;
        lightest = std::min(lightest, body.mass);
        heaviest = std::max(heaviest, body.mass);
    }
    return heaviest <= linalg::FactorThresholds::kSimilarMassRatio * lightest;
}

void share_out(const Model& model, Layout& layout)
{
    for_each_type(ConstraintTypes{}, [&](auto tag) {
        const auto& pool = std::get<Pool<typename decltype(tag)::type>>(model.pools);
        PoolShare& share = layout.shares.emplace_back();
        share.within.resize(layout.hoods.groups);
        for (std::size_t slot = 0; slot < pool.items.size(); ++slot)
            share.list_of(layout.hoods, pool.bodies[slot]).push_back(static_cast<int>(slot));
    });
}

BodyPlace place_body(const Model& model, const Layout& layout, BodyIndex b)
{
    const BodyModel& body = model.bodies[b];
    if (!body.dynamic()) return {-1, -1, 0, body.kind == BodyKind::Kinematic};
    return {layout.offset(b), layout.block(b), body.freedoms(), false};
}

}  // namespace

Layout make_layout(const Model& model, Stabilisation stabilisation)
{
    Layout layout;
    layout.primal.assign(model.bodies.size(), -1);
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (model.bodies[b].dynamic())
            layout.primal[b] = layout.pattern.add_primal(model.bodies[b].freedoms());

    // joints in the order they were added: rows of the state and of the system coincide
    std::vector<bool> couples;
    for_each_type(ConstraintTypes{}, [&](auto tag) {
        couples.push_back(couples_bodies<typename decltype(tag)::type>(stabilisation));
    });
    const bool alike = masses_are_alike(model);
    layout.joints.resize(model.joints.size());
    for (std::size_t k = 0; k < model.joints.size(); ++k) {
        const JointModel& joint = model.joints[k];
        std::vector<int> touched, slot_of;
        for (int s = 0; s < joint.body_count; ++s) {
            layout.joints[k].bodies[s] = place_body(model, layout, joint.bodies[s]);
            if (layout.primal[joint.bodies[s]] < 0) continue;
            touched.push_back(layout.primal[joint.bodies[s]]);
            slot_of.push_back(s);
        }
        const bool contact = joint.law == RowLaw::Cone || joint.normal_row >= 0;
        const auto& dual =
            layout.pattern.duals[layout.pattern.add_dual(joint.rows, touched, contact && alike)];
        for (std::size_t t = 0; t < slot_of.size(); ++t)
            layout.joints[k].jacobian[slot_of[t]] =
                layout.pattern.touches[dual.first_touch + static_cast<int>(t)].block;
        if (!couples[joint.type]) continue;
        for (int s = 0; s < joint.body_count; ++s)
            for (int t = s + 1; t < joint.body_count; ++t)
                layout.joints[k].pairs[pair_slot(s, t)] =
                    place_pair(layout, layout.pattern, joint.bodies[s], joint.bodies[t]);
    }

    // springs always couple: their stiffness is JᵀkJ
    for (const SpringModel& spring : model.springs)
        layout.springs.push_back(
            place_pair(layout, layout.pattern, spring.bodies[0], spring.bodies[1]));
    if (judges_assembled(stabilisation)) lay_out_stiffness(model, layout);
    layout.hoods = find_neighbourhoods(model);
    layout.balls = make_ball_packs(model, layout);
    if (layout.hoods.groups > 1) share_out(model, layout);
    return layout;
}

}  // namespace taut::assembly

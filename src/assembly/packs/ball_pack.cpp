#include "assembly/packs/ball_pack.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "assembly/linearise.h"

namespace taut::assembly {
namespace {

static_assert(kRowStart * sizeof(Real) == sizeof(RowStart));
static_assert(kRowSoftness * sizeof(Real) == sizeof(RowSoftness));
static_assert(offsetof(RowStart, rhs) == kRhs * sizeof(Real));
static_assert(offsetof(RowStart, phi) == 0 && offsetof(RowSoftness, compliance) == 0);

void fill_lane(const StepModel& model, const Layout& layout, int slot, int lane,
               BallPack& pack) noexcept
{
    const auto& pool = model.pool<Ball>();
    const int index = pool.groups[slot];
    const ConstraintRows& group = model.rows.groups[index];
    const JointPlace& place = layout.joints[index];
    for (int s = 0; s < 2; ++s) {
        BallPack::Side& side = pack.side[s];
        for (int k = 0; k < 3; ++k) side.lever[k][lane] = pool.items[slot].frames[s].p[k];
        side.start.at[lane] = kBodyStart * pool.bodies[slot][s];
        side.end.at[lane] = kMidpointPose * pool.bodies[slot][s];
        side.offset.at[lane] = place.bodies[s].offset;
        side.block.at[lane] = place.bodies[s].block;
        side.jacobian.at[lane] = place.jacobian[s];
    }
    pack.row.at[lane] = group.first_row;
    pack.softness.at[lane] = kRowSoftness * group.first_row;
    pack.at.at[lane] = kRowStart * group.first_row;
}

bool is_plain(const StepModel& model, const Layout& layout, int index) noexcept
{
    const auto& bodies = layout.joints[index].bodies;
    const auto fits = [](const BodyPlace& b) {
        return b.freedoms == 6 || (b.freedoms == 0 && !b.kinematic);
    };
    return !model.rows.groups[index].damped && fits(bodies[0]) && fits(bodies[1]);
}

// Four slots at a time whose bodies differ on either side; those that find no company go to `singles`.
void fill_packs(const StepModel& model, const Layout& layout, const std::vector<int>& slots,
                std::vector<BallPack>& packs, std::vector<int>& singles)
{
    const auto& pool = model.pool<Ball>();
    struct Group {
        std::array<int, 4> slots{};
        int count = 0;
    };
    constexpr std::size_t kWaiting = 8;
    std::array<Group, kWaiting> waiting;
    const auto shares_a_body = [&](const Group& group, int slot) {
        return std::any_of(group.slots.begin(), group.slots.begin() + group.count, [&](int other) {
            return pool.bodies[slot][0] == pool.bodies[other][0] ||
                   pool.bodies[slot][1] == pool.bodies[other][1];
        });
    };
    for (const int slot : slots) {
        const auto group = std::find_if(waiting.begin(), waiting.end(),
                                        [&](const Group& g) { return !shares_a_body(g, slot); });
        if (group == waiting.end()) {
            singles.push_back(slot);
            continue;
        }
        group->slots[static_cast<std::size_t>(group->count++)] = slot;
        if (group->count < 4) continue;
        packs.push_back({});
        for (int lane = 0; lane < 4; ++lane)
            fill_lane(model, layout, group->slots[static_cast<std::size_t>(lane)], lane,
                      packs.back());
        group->count = 0;
    }
    for (const Group& group : waiting)
        singles.insert(singles.end(), group.slots.begin(), group.slots.begin() + group.count);
    std::sort(singles.begin(), singles.end());
}

}  // namespace

BallPacks make_ball_packs(const StepModel& model, const Layout& layout)
{
    BallPacks out;
    const auto& pool = model.pool<Ball>();
    PoolShare fit;
    fit.within.resize(layout.neighbourhoods.groups);
    out.singles.within.resize(layout.neighbourhoods.groups);
    out.by_slot.resize((pool.items.size() + 3) / 4);
    for (int slot = 0; slot < static_cast<int>(pool.items.size()); ++slot) {
        const int index = pool.groups[slot];
        const auto& bodies = layout.joints[index].bodies;
        fill_lane(model, layout, slot, slot % 4, out.by_slot[slot / 4]);
        out.plain.push_back(is_plain(model, layout, index) ? 1 : 0);
        const bool fits = !model.model.breakable && !model.rows.groups[index].damped &&
                          bodies[0].freedoms == 6 && bodies[1].freedoms == 6;
        (fits ? fit : out.singles)
            .list_of(layout.neighbourhoods, pool.bodies[slot])
            .push_back(slot);
    }
    for (std::size_t k = 0; k < out.by_slot.size(); ++k) {
        bool whole = 4 * k + 4 <= pool.items.size();
        for (std::size_t slot = 4 * k; whole && slot < 4 * k + 4; ++slot) {
            const auto& bodies = layout.joints[pool.groups[slot]].bodies;
            whole = out.plain[slot] && bodies[0].freedoms == 6 && bodies[1].freedoms == 6;
        }
        out.whole.push_back(whole ? 1 : 0);
    }
    for (std::size_t g = 0; g < fit.within.size(); ++g) {
        out.first.push_back(static_cast<int>(out.packs.size()));
        fill_packs(model, layout, fit.within[g], out.packs, out.singles.within[g]);
    }
    out.first.push_back(static_cast<int>(out.packs.size()));
    fill_packs(model, layout, fit.between, out.packs, out.singles.between);
    out.first.push_back(static_cast<int>(out.packs.size()));
    return out;
}

}  // namespace taut::assembly

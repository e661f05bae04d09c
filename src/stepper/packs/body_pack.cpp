#include "stepper/packs/body_pack.h"

#include <array>

#include "stepper/step.h"

namespace taut::stepper {
namespace {

BodyPack::Kind kind_of(const BodyModel& body) noexcept
{
    if (body.kind == BodyKind::Particle) return BodyPack::Kind::Particle;
    return body.axial ? BodyPack::Kind::Axial : BodyPack::Kind::Rigid;
}

void fill_lane(const BodyModel& body, BodyIndex b, const Layout& layout, int lane,
               BodyPack& pack) noexcept
{
    pack.vec.at[lane] = 3 * b;
    pack.quat.at[lane] = 4 * b;
    pack.start.at[lane] = kBodyStart * b;
    pack.offset.at[lane] = layout.offset(b);
    pack.block.at[lane] = layout.block(b);
    pack.mass[lane] = body.mass;
    for (int k = 0; k < 3; ++k) pack.axis[k][lane] = body.spin_axis[k];
    const Mat3& I = body.inertia;
    const std::array<Real, 6> six =
        pack.kind == BodyPack::Kind::Axial
            ? std::array<Real, 6>{body.across, body.along - body.across}
            : std::array<Real, 6>{I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
    for (std::size_t k = 0; k < 6; ++k) pack.inertia[k][lane] = six[k];
}

}  // namespace

std::vector<BodyPack> make_body_packs(const StepModel& model, const Layout& layout,
                                      const std::vector<BodySupport>& bodies)
{
    std::vector<BodyPack> packs;
    std::array<int, 6> open;  // per kind, free or not: the pack with unused lanes; −1: none
    open.fill(-1);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyModel& body = model.bodies[b];
        if (!body.dynamic()) continue;
        const BodyPack::Kind kind = kind_of(body);
        const bool is_free = bodies[b].is_free;
        int& at = open[2 * static_cast<std::size_t>(kind) + (is_free ? 1 : 0)];
        if (at < 0) {
            at = static_cast<int>(packs.size());
            packs.push_back({});
            packs.back().kind = kind;
            packs.back().is_free = is_free;
        }
        BodyPack& pack = packs[static_cast<std::size_t>(at)];
        for (int lane = pack.count; lane < 4; ++lane)
            fill_lane(body, static_cast<BodyIndex>(b), layout, lane, pack);
        if (++pack.count == 4) at = -1;
    }
    return packs;
}

}  // namespace taut::stepper

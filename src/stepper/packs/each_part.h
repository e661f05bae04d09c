// Packs part by part, side by side on threads where they are many; sums are formed in the order of the parts.
#pragma once

#include <algorithm>

#include "stepper/step.h"

namespace taut::stepper {

// visit(packs, part)
template <class Visit>
void each_part(Workspace& work, Visit&& visit) noexcept
{
    const std::size_t count = work.packs.size();
    const std::size_t parts = (count + kPartOfPacks - 1) / kPartOfPacks;
    work.context.linear.team.run(static_cast<int>(parts), [&](int part) {
        const std::size_t first = static_cast<std::size_t>(part) * kPartOfPacks;
        const std::size_t size = std::min<std::size_t>(kPartOfPacks, count - first);
        visit(PackSpan{&work.packs[first], &work.attempts[first], static_cast<long>(size)}, part);
    });
}

// The same for what each part has a sum of.
template <class Visit>
Real sum_of_parts(Workspace& work, Visit&& visit) noexcept
{
    each_part(work, [&](const PackSpan& packs, int part) { work.sums[part] = visit(packs); });
    Real sum = 0;
    for (std::size_t k = 0; k * kPartOfPacks < work.packs.size(); ++k) sum += work.sums[k];
    return sum;
}

template <class At>
ConstBodyArrays body_arrays(const At& at) noexcept
{
    return {at.p.data()->data(), at.q.data()->coeffs().data(), at.v.data()->data(),
            at.w.data()->data()};
}

inline BodyArrays body_arrays(State& at) noexcept
{
    return {at.p.data()->data(), at.q.data()->coeffs().data(), at.v.data()->data(),
            at.w.data()->data()};
}

inline RateArrays rate_arrays(const State& state) noexcept
{
    const Rates &now = state.rates, &before = state.history.rates;
    return {now.linear.data()->data(), now.angular.data()->data(), before.linear.data()->data(),
            before.angular.data()->data()};
}

// `rates`: velocities as well; `matrix`: H as well.
inline SystemArrays system_arrays(Linearisation& linear, bool rates, bool matrix) noexcept
{
    BodyStart& first = linear.bodies.front();
    return {first.pose.p.data(),
            first.pose.R.data(),
            rates ? first.v.data() : nullptr,
            rates ? first.w.data() : nullptr,
            linear.system.f.data(),
            linear.reaction.data(),
            linear.system.H.data(),
            matrix};
}

}  // namespace taut::stepper

#include "collision/contact.h"

#include <algorithm>
#include <tuple>

#include "core/assert.h"

namespace taut::collision {
namespace {

auto pair_of(const ContactPoint& c) noexcept { return std::tie(c.collider_a, c.collider_b); }

std::size_t end_of_pair(std::span<const ContactPoint> contacts, std::size_t first) noexcept
{
    auto i = first;
    while (i < contacts.size() && pair_of(contacts[i]) == pair_of(contacts[first])) ++i;
    return i;
}

}  // namespace

std::span<const int> ContactMatcher::match(std::span<const ContactPoint> last,
                                           std::span<const ContactPoint> now,
                                           std::span<const Real> tolerances)
{
    TAUT_ASSERT(std::is_sorted(last.begin(), last.end(), in_order<ContactPoint>));
    TAUT_ASSERT(std::is_sorted(now.begin(), now.end(), in_order<ContactPoint>));
    of_now_.assign(now.size(), -1);
    taken_.assign(last.size(), 0);
    std::size_t i = 0, j = 0;
    while (i < last.size() && j < now.size()) {
        if (pair_of(last[i]) < pair_of(now[j])) {
            ++i;
            continue;
        }
        if (pair_of(now[j]) < pair_of(last[i])) {
            ++j;
            continue;
        }
        const auto i_end = end_of_pair(last, i), j_end = end_of_pair(now, j);

        // equal features
        for (auto a = i, b = j; a < i_end && b < j_end;) {
            if (last[a].feature == now[b].feature) {
                of_now_[b] = static_cast<int>(a);
                taken_[a] = 1;
                ++a, ++b;
            } else {
                last[a].feature < now[b].feature ? ++a : ++b;
            }
        }

        // nearest of the remaining ones
        const Real tolerance =
            std::min(tolerances[now[j].collider_a], tolerances[now[j].collider_b]);
        for (auto b = j; b < j_end; ++b) {
            if (of_now_[b] >= 0) continue;
            Real nearest = tolerance * tolerance;
            for (auto a = i; a < i_end; ++a) {
                const Real d2 = (last[a].p_b - now[b].p_b).squaredNorm();
                if (taken_[a] || !(d2 < nearest)) continue;
                nearest = d2;
                of_now_[b] = static_cast<int>(a);
            }
            if (of_now_[b] >= 0) taken_[of_now_[b]] = 1;
        }
        i = i_end, j = j_end;
    }
    return of_now_;
}

}  // namespace taut::collision

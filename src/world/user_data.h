// The 64 bits that callers attach to bodies, joints and colliders, by the slots of ids: removals move nothing.
#pragma once

#include <cstdint>
#include <vector>

#include <taut/ids.h>

#include "core/namespaces.h"

namespace taut::world {

class UserData {
public:
    // Of an item that exists. An item that is added sets its own, as its slot may have been used before.
    std::uint64_t& of(BodyId id) { return at(bodies_, id.index); }
    std::uint64_t& of(JointId id) { return at(joints_, id.index); }
    std::uint64_t& of(ColliderId id) { return at(colliders_, id.index); }

private:
    using Numbers = std::vector<std::uint64_t>;
    static std::uint64_t& at(Numbers& numbers, std::int32_t index)
    {
        const auto place = static_cast<std::size_t>(index);
        if (place >= numbers.size()) numbers.resize(place + 1, 0);
        return numbers[place];
    }

    Numbers bodies_, joints_, colliders_;
};

}  // namespace taut::world

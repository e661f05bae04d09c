// Whether forces can move a body of this kind.
#pragma once

#include <taut/world.h>

#include "core/namespaces.h"

namespace taut::view {

inline bool moves(BodyKind kind) noexcept
{
    return kind == BodyKind::Rigid || kind == BodyKind::Particle;
}

}  // namespace taut::view

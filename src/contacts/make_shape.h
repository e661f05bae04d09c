// The shape of a collider, from its description.
#pragma once

#include <taut/colliders.h>
#include <taut/result.h>

#include "collision/shape.h"

namespace taut::contacts {

Result<collision::ColliderShape> make_shape(const ColliderDef& def);

}  // namespace taut::contacts

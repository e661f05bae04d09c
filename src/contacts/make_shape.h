// Shapes of colliders from their descriptions.
#pragma once

#include <taut/result.h>
#include <taut/shapes.h>

#include "collision/shape.h"

namespace taut::contacts {

Result<collision::ColliderShape> make_shape(const Shape& shape);

}  // namespace taut::contacts

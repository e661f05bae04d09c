// How fast what should not be open, or pressed in, comes back: slower than a step, so that no force like 1/h² is needed.
#pragma once

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::model {

inline constexpr Real kClosing = 0.1;  // [s]: like exp(−t/kClosing)

}  // namespace taut::model

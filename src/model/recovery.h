// How fast penetration and open joints are recovered: slower than a step, so that no force like 1/h² is needed.
#pragma once

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::model {

inline constexpr Real kRecoveryTime = 0.1;  // [s]: gaps shrink like exp(−t/kRecoveryTime)

}  // namespace taut::model

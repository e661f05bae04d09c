// Rotations of one body, for the lanes of four.h that series do not reach. Compiled once, for any machine.
#pragma once

#include "core/namespaces.h"

namespace taut::math {

// Quaternions are x, y, z, w.
void exp_quat_far(const double* theta, double* q) noexcept;
void log_so3_far(const double* q, double* theta) noexcept;
void made_unit_far(const double* q, double* out) noexcept;
// in: q (4), near (3)
void log_near_far(const double* in, double* theta) noexcept;

}  // namespace taut::math

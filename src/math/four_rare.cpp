#include "math/four_rare.h"

#include "math/so3.h"
#include "math/turn.h"

namespace taut::math {
namespace {

Quat quat(const double* q) noexcept { return {q[3], q[0], q[1], q[2]}; }

void put(const Quat& q, double* out) noexcept
{
    for (int k = 0; k < 4; ++k) out[k] = q.coeffs()[k];
}

void put(const Vec3& a, double* out) noexcept
{
    for (int k = 0; k < 3; ++k) out[k] = a[k];
}

}  // namespace

void exp_quat_far(const double* theta, double* q) noexcept
{
    put(exp_quat(Vec3(theta[0], theta[1], theta[2])), q);
}

void log_so3_far(const double* q, double* theta) noexcept { put(log_so3(quat(q)), theta); }

void made_unit_far(const double* q, double* out) noexcept { put(made_unit(quat(q)), out); }

void log_near_far(const double* in, double* theta) noexcept
{
    put(log_near(quat(in), Vec3(in[4], in[5], in[6])), theta);
}

}  // namespace taut::math

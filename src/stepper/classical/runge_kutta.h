// The classical Runge-Kutta method of fourth order.
#pragma once

#include <algorithm>

#include "stepper/classical/equations.h"

namespace taut::stepper::classical {

// The time at which schedules are evaluated: just inside the step, so that a load that jumps or a motion that bends where two
// steps meet costs neither of them its order.
inline Real clamp_into_step(Real t, Real start, Real h)
{
    constexpr Real kMargin = 1e-6;
    return std::clamp(t, start + kMargin * h, start + (1 - kMargin) * h);
}

// y(t + h) for y' = slope(t, y).
template <class Slope>
Vector runge_kutta_4(const Vector& y, Real t, Real h, Slope&& slope)
{
    const Vector k1 = slope(t, y);
    const Vector k2 = slope(t + h / 2, Vector(y + h / 2 * k1));
    const Vector k3 = slope(t + h / 2, Vector(y + h / 2 * k2));
    const Vector k4 = slope(t + h, Vector(y + h * k3));
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

}  // namespace taut::stepper::classical

#include "stepper/free_rotation.h"

#include <cmath>

#include "stepper/guard_settings.h"

namespace taut::stepper {
namespace {

// 2 tan(h s / 2) / s, for h s up to one radian.
Real cayley_step(Real h, Real speed) noexcept
{
    const Real x = h * speed / 2;
    const Real x2 = x * x;
    // series to x⁸, the library function beyond
    const Real ratio =
        x < kRotation.series
            ? 1 + x2 * (Real(1) / 3 +
                        x2 * (Real(2) / 15 + x2 * (Real(17) / 315 + x2 * (Real(62) / 2835))))
            : std::tan(x) / x;
    return h * ratio;
}

// Solves (1) for Λ⁺ by Newton's method; false if it does not settle.
bool solve_momentum(const Mat3& J, const Vec3& momentum, Real h, Real beta,
                    Vec3& momentum_new) noexcept
{
    const Vec3 spin = J * momentum;
    const Real scale = momentum.norm();
    Vec3 y = momentum - h * spin.cross(momentum);
    y *= scale / y.norm();
    for (int i = 0; i < kRotation.most_iterations; ++i) {
        const Vec3 w = J * (beta * y + (1 - beta) * momentum);
        const Vec3 sum = momentum + y;
        const Vec3 residual = y - momentum + (h / 2) * w.cross(sum);
        const Real error = residual.cwiseAbs().maxCoeff();
        if (!(error < kRotation.diverged * scale)) return false;
        if (error <= kRotation.tolerance * scale) {
            momentum_new = y;
            return true;
        }
        // ∂residual/∂y = 1 + ½h [w]ₓ − ½hβ [sum]ₓ J
        Mat3 S;
        S << 0, -sum.z(), sum.y(), sum.z(), 0, -sum.x(), -sum.y(), sum.x(), 0;
        Mat3 D = (-h * beta / 2) * (S * J);
        D(0, 0) += 1, D(1, 1) += 1, D(2, 2) += 1;
        D(0, 1) -= h / 2 * w.z(), D(0, 2) += h / 2 * w.y();
        D(1, 0) += h / 2 * w.z(), D(1, 2) -= h / 2 * w.x();
        D(2, 0) -= h / 2 * w.y(), D(2, 1) += h / 2 * w.x();
        // 3×3 by Cramer: columns' cross products
        const Vec3 c0 = D.col(1).cross(D.col(2));
        const Real det = D.col(0).dot(c0);
        if (!(std::abs(det) > kRotation.singular)) return false;
        const Vec3 c1 = D.col(2).cross(D.col(0));
        const Vec3 c2 = D.col(0).cross(D.col(1));
        const Vec3 step = Vec3(c0.dot(residual), c1.dot(residual), c2.dot(residual)) / det;
        y -= step;
        // quadratic convergence: once the step is this small the next residual is round-off
        if (i > 0 && step.cwiseAbs().maxCoeff() <= kRotation.last_step * scale) {
            momentum_new = y;
            return true;
        }
    }
    return false;
}

// exp([hΩ]ₓ) as the Cayley rotation of h̃Ω: quaternion (1, ½h̃Ω) made unit.
Quat cayley(const Vec3& half_turn) noexcept
{
    const Real s = 1 / std::sqrt(1 + half_turn.squaredNorm());
    return {s, s * half_turn.x(), s * half_turn.y(), s * half_turn.z()};
}

// Steady spin about the angular momentum: the answer when nothing finer can be resolved.
void turn_about_momentum(Real h, Real speed, const Vec3& momentum_W, FreeRotation& out) noexcept
{
    const Vec3 axis = momentum_W.normalized();
    const Real half = h * speed / 2;
    const Real s = std::sin(half);
    out.q_new =
        (Quat(std::cos(half), s * axis.x(), s * axis.y(), s * axis.z()) * out.q_new).normalized();
    out.turn += h * speed * axis;
}

}  // namespace

FreeRotation rotate_free(const Mat3& inertia, const Mat3& inverse_inertia, const Quat& q,
                         const Vec3& w, Real h, Real beta) noexcept
{
    FreeRotation out{q, Vec3::Zero(), w};
    const Mat3 R = q.toRotationMatrix();
    const Vec3 spin = R.transpose() * w;
    const Real speed = spin.norm();
    if (speed == 0 || !(speed < kRotation.largest_speed)) return out;
    Vec3 momentum = inertia * spin;
    const Vec3 momentum_W = R * momentum;

    // a principal axis: no gyroscopic torque, one turn of any size
    const Real torque = spin.cross(momentum).norm();
    if (torque <= kRotation.principal_axis * speed * momentum.norm()) {
        const Real half = h * speed / 2;
        const Vec3 axis = w / speed;
        const Real s = std::sin(half);
        out.q_new =
            (Quat(std::cos(half), s * axis.x(), s * axis.y(), s * axis.z()) * q).normalized();
        out.turn = h * w;
        return out;
    }

    const Real wanted = std::ceil(h * speed / kRotation.largest_turn);
    if (!(wanted <= kRotation.most_sub_steps)) {
        turn_about_momentum(h, speed, momentum_W, out);
        out.w_new = out.q_new * (inverse_inertia * momentum);
        return out;
    }
    int left = static_cast<int>(std::max(Real(1), wanted));
    Real part = h / left;
    int budget = 2 * kRotation.most_sub_steps;
    while (left > 0) {
        const Vec3 spin_now = inverse_inertia * momentum;
        const Real step = cayley_step(part, spin_now.norm());
        Vec3 momentum_new;
        const bool settled = part * spin_now.norm() < kRotation.solvable_turn &&
                             solve_momentum(inverse_inertia, momentum, step, beta, momentum_new);
        if (!settled && left < budget) {  // finer sub-steps
            left *= 2;
            part /= 2;
            continue;
        }
        if (!settled) {
            turn_about_momentum(part * left, spin_now.norm(), momentum_W, out);
            break;
        }
        const Vec3 mean = inverse_inertia * (beta * momentum_new + (1 - beta) * momentum);
        out.turn += out.q_new * (part * mean);
        out.q_new = (out.q_new * cayley(step / 2 * mean)).normalized();
        momentum = out.q_new.conjugate() * momentum_W;
        --left;
    }
    out.w_new = out.q_new * (inverse_inertia * momentum);
    return out;
}

}  // namespace taut::stepper

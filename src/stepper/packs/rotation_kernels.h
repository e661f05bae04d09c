// rotate_free() of free_rotation.h for four bodies at once, with β = 1, one sub-step and a gyroscopic torque: the usual case of
// a step of backward Euler. Where one of the four is another case the kernel says no, and writes nothing.
//
// The bits are those of rotate_free() and of begin_rotation(). Their sums are Eigen's: a product with a matrix adds its third row as
// a + (b + c), quaternions are multiplied and normalised in pairs.
#pragma once

#include "math/four.h"
#include "stepper/packs/body_pack.h"
#include "stepper/packs/rotation_table.h"

namespace taut::stepper {

template <int W>
struct RotationKernels {
    using N = Four<W>;
    using V = Vector3<N>;
    using Q = Quaternion<N>;
    using M = Matrix3<N>;
    using At = PackAccess<N>;
    using Mask = typename N::Mask;

    // --- numbers ---

    static Mask less(const N& a, const N& b) noexcept { return {{a.part[0] < b.part[0]}}; }
    static Mask at_most(const N& a, const N& b) noexcept { return {{a.part[0] <= b.part[0]}}; }
    static Mask either(const Mask& a, const Mask& b) noexcept { return {{a.part[0] | b.part[0]}}; }
    static N choose(const Mask& where, const N& a, const N& b) noexcept
    {
        N out;
        out.part[0] = where.part[0] ? a.part[0] : b.part[0];
        return out;
    }
    static V choose(const Mask& where, const V& a, const V& b) noexcept
    {
        return {choose(where, a.x, b.x), choose(where, a.y, b.y), choose(where, a.z, b.z)};
    }
    static N root(const N& a) noexcept
    {
        N out;
        out.part[0] = __builtin_ia32_sqrtpd256(a.part[0]);
        return out;
    }
    static N length(const V& a) noexcept { return root(dot(a, a)); }
    static N largest(const V& a) noexcept
    {
        return larger(larger(magnitude(a.x), magnitude(a.y)), magnitude(a.z));
    }

    // --- vectors and matrices as Eigen rounds them ---

    static N third(const V& a, const V& b) noexcept { return a.x * b.x + (a.y * b.y + a.z * b.z); }
    static V times(const M& m, const V& a) noexcept
    {
        return {dot(m.row[0], a), dot(m.row[1], a), third(m.row[2], a)};
    }
    static M times(const M& a, const M& b) noexcept
    {
        M out;
        const V x = times(a, V{b.row[0].x, b.row[1].x, b.row[2].x});
        const V y = times(a, V{b.row[0].y, b.row[1].y, b.row[2].y});
        const V z = times(a, V{b.row[0].z, b.row[1].z, b.row[2].z});
        out.row[0] = {x.x, y.x, z.x};
        out.row[1] = {x.y, y.y, z.y};
        out.row[2] = {x.z, y.z, z.z};
        return out;
    }
    static M transposed(const M& m) noexcept
    {
        return {{{m.row[0].x, m.row[1].x, m.row[2].x},
                 {m.row[0].y, m.row[1].y, m.row[2].y},
                 {m.row[0].z, m.row[1].z, m.row[2].z}}};
    }
    static Q times(const Q& a, const Q& b) noexcept
    {
        return {(a.w * b.x + a.y * b.z) - (a.z * b.y - a.x * b.w),
                (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
                (a.w * b.z - a.y * b.x) + (a.z * b.w + a.x * b.y),
                (a.w * b.w - a.y * b.y) - (a.z * b.z + a.x * b.x)};
    }
    static Q normalised(const Q& q) noexcept
    {
        const N size = root((q.x * q.x + q.z * q.z) + (q.y * q.y + q.w * q.w));
        return {q.x / size, q.y / size, q.z / size, q.w / size};
    }
    // Column by column, as Eigen stores it.
    static M load_matrix(const double* first, const Places& at) noexcept
    {
        N c[9];
        load_at(At(0).at(first, at), c);
        return {{{c[0], c[3], c[6]}, {c[1], c[4], c[7]}, {c[2], c[5], c[8]}}};
    }
    static void store_matrix(const M& m, double* first, const Places& at) noexcept
    {
        const N c[9] = {m.row[0].x, m.row[1].x, m.row[2].x, m.row[0].y, m.row[1].y,
                        m.row[2].y, m.row[0].z, m.row[1].z, m.row[2].z};
        store_at(c, At(0).at(first, at));
    }

    // --- solve_momentum() ---

    // ∂residual/∂y = 1 + ½h [w]ₓ − ½h [sum]ₓ J
    static M derivative(const M& J, const V& w, const V& sum, const N& h) noexcept
    {
        const N zero = N::all(0), half = 0.5 * h, minus = 0.5 * -h;
        const M S = {{{zero, -sum.z, sum.y}, {sum.z, zero, -sum.x}, {-sum.y, sum.x, zero}}};
        M D = times(S, J);
        for (V& row : D.row) row = minus * row;
        D.row[0] = {D.row[0].x + 1.0, D.row[0].y - half * w.z, D.row[0].z + half * w.y};
        D.row[1] = {D.row[1].x + half * w.z, D.row[1].y + 1.0, D.row[1].z - half * w.x};
        D.row[2] = {D.row[2].x - half * w.y, D.row[2].y + half * w.x, D.row[2].z + 1.0};
        return D;
    }

    static bool solve_momentum(const M& J, const V& spin, const V& momentum, const N& h,
                               const RotationLimits& limits, V& out) noexcept
    {
        const N scale = length(momentum);
        V y = momentum - h * cross(spin, momentum);
        y = (scale / length(y)) * y;
        Mask done = less(scale, -scale);
        for (int i = 0; i < limits.most_iterations; ++i) {
            const V w = times(J, y + 0.0 * momentum), sum = momentum + y;
            const V residual = (y - momentum) + (0.5 * h) * cross(w, sum);
            const N error = largest(residual);
            if (!holds_everywhere(either(done, less(error, limits.diverged * scale)))) return false;
            const Mask settled = at_most(error, limits.tolerance * scale);
            out = choose(done, out, choose(settled, y, out));
            done = either(done, settled);
            if (holds_everywhere(done)) return true;
            const M T = transposed(derivative(J, w, sum, h));  // columns
            const V c0 = cross(T.row[1], T.row[2]);
            const N det = dot(T.row[0], c0);
            if (!holds_everywhere(either(done, less(N::all(limits.singular), magnitude(det)))))
                return false;
            const V c1 = cross(T.row[2], T.row[0]), c2 = cross(T.row[0], T.row[1]);
            const V step = {dot(c0, residual) / det, dot(c1, residual) / det,
                            dot(c2, residual) / det};
            y = y - step;
            if (i == 0) continue;
            const Mask last = at_most(largest(step), limits.last_step * scale);
            out = choose(done, out, choose(last, y, out));
            done = either(done, last);
            if (holds_everywhere(done)) return true;
        }
        return false;
    }

    static Places places(const BodyPack& pack, int stride) noexcept
    {
        Places out;
        for (int lane = 0; lane < 4; ++lane) out.at[lane] = stride * (pack.quat.at[lane] / 4);
        return out;
    }

    // --- begin_rotation() ---

    static bool rotate(const BodyPack& pack, const RotationLimits& limits,
                       const RotationArrays& to) noexcept
    {
        const Places model = places(pack, to.model_stride), guess = places(pack, to.guess_stride);
        const At at(0);
        const Q q = Q::from(at.at(to.q, pack.quat));
        const V w = V::from(at.at(to.w, pack.vec));
        const M R = rotation(q), I = load_matrix(to.inertia, model);
        const M Rt = transposed(R);
        const V spin = {dot(Rt.row[0], w), dot(Rt.row[1], w), dot(Rt.row[2], w)};
        const N speed = length(spin);
        V momentum = times(I, spin);
        const V momentum_W = times(R, momentum);
        const N torque = length(cross(spin, momentum));
        const N least = (limits.principal_axis * speed) * length(momentum);
        const M J = load_matrix(to.inverse_inertia, model);
        const V spin_now = times(J, momentum);
        const N speed_now = length(spin_now), x = 0.5 * (to.h * speed_now), x2 = x * x;
        const Mask usual = less(N::all(0), speed) & below(speed, limits.largest_speed) &
                           less(least, torque) & below(to.h * speed, limits.largest_turn) &
                           below(x, limits.series) & below(to.h * speed_now, limits.solvable_turn);
        if (!holds_everywhere(usual)) return false;

        const N ratio =
            N::all(1) +
            x2 * (N::all(1.0 / 3) +
                  x2 * (N::all(2.0 / 15) + x2 * (N::all(17.0 / 315) + x2 * N::all(62.0 / 2835))));
        const N step = to.h * ratio;
        V momentum_new = momentum;
        if (!solve_momentum(J, spin_now, momentum, step, limits, momentum_new)) return false;

        const V mean = times(J, momentum_new + 0.0 * momentum);
        const V zero = {N::all(0), N::all(0), N::all(0)};
        const V path = (zero + turn(q, to.h * mean)) + zero;
        const V half_turn = (0.5 * step) * mean;
        const N s = N::all(1) / root(N::all(1) + dot(half_turn, half_turn));
        Q q_new = normalised(times(q, Q{s * half_turn.x, s * half_turn.y, s * half_turn.z, s}));
        momentum = turn(q_new.conjugate(), momentum_W);
        const V w_new = turn(q_new, times(J, momentum)) + zero;
        q_new = times(Q{N::all(0), N::all(0), N::all(0), N::all(1)}, q_new);

        store_matrix(R, to.R, pack.start);
        momentum_W.to(at.at(to.angular_momentum, pack.start));
        q_new.to(at.at(to.q_new, guess));
        path.to(at.at(to.turn, guess));
        w_new.to(at.at(to.w_new, guess));
        const M R_new = rotation(q_new);
        store_matrix(times(times(R_new, I), transposed(R_new)), to.inertia_W, pack.start);
        return true;
    }

    // --- advance_body() ---

    // exp_quat() of so3.h up to a radian, with its two lengths of series.
    static Q exponential(const V& theta, const N& y) noexcept
    {
        constexpr double kSine[] = {
            1, 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880, 1.0 / 39916800, 1.0 / 6227020800};
        constexpr double kCosine[] = {
            1,           1.0 / 2,       1.0 / 24,        1.0 / 720,
            1.0 / 40320, 1.0 / 3628800, 1.0 / 479001600, 1.0 / 87178291200};
        constexpr double kShortSine[] = {1, 1.0 / 6, 1.0 / 120, 1.0 / 5040};
        constexpr double kShortCosine[] = {1, 1.0 / 2, 1.0 / 24, 1.0 / 720};
        const Mask tiny = below(y, 1e-4);
        N s = series(-y, kShortSine), c = series(-y, kShortCosine);
        if (!holds_everywhere(tiny)) {
            s = choose(tiny, s, series(-y, kSine));
            c = choose(tiny, c, series(-y, kCosine));
        }
        const N half = 0.5 * s;
        return {half * theta.x, half * theta.y, half * theta.z, c};
    }

    static bool advance(const BodyPack& pack, const AdvanceArrays& to) noexcept
    {
        const At at(0);
        const Places guess = places(pack, to.guess_stride);
        N x[6];
        load_at(at.at(to.x, pack.offset), x);
        const V free_w = V::from(at.at(to.w_new, guess)), solved = {x[3], x[4], x[5]};
        const V off = solved - free_w;
        // nothing torques it: the solve must not add its round-off to the free rotation
        const Mask torqueless =
            at_most(dot(off, off), (to.rounding * to.rounding) * dot(free_w, free_w));
        const V w = choose(torqueless, free_w, solved);
        const V more = w - free_w, theta = to.h * more;
        const N y = 0.25 * dot(theta, theta);
        if (!all_below(y, 0.25)) return false;
        const V v = {x[0], x[1], x[2]};
        const V mean = v + 0.0 * V::from(at.at(to.v, pack.vec));
        v.to(at.at(to.v_next, pack.vec));
        (V::from(at.at(to.p, pack.vec)) + to.h * mean).to(at.at(to.p_next, pack.vec));
        w.to(at.at(to.w_next, pack.vec));
        const N h = N::all(to.h);
        const V zero = {N::all(0), N::all(0), N::all(0)};
        (V{more.x / h, more.y / h, more.z / h} + zero).to(at.at(to.spin_up, pack.vec));
        normalised(times(exponential(theta, y), Q::from(at.at(to.q_new, guess))))
            .to(at.at(to.q_next, pack.quat));
        return true;
    }
};

}  // namespace taut::stepper

// The kernels of midpoint.h on packs of bodies, for one number type, like body_kernels.h.
//
// An AttemptPack holds what the step starts from: X = p, V = v, swing = angular momentum (world axes), base_q = q,
// base_w = ω. The iterate is the mean velocity (D, ω̄), in the order of the unknowns.
#pragma once

#include "stepper/packs/body_kernels.h"
#include "stepper/packs/midpoint_table.h"

namespace taut::stepper {

template <class Number>
struct MidpointKernels {
    using N = Number;
    using B = BodyKernels<N>;
    using V = Vector3<N>;
    using Q = Quaternion<N>;
    using M = Matrix3<N>;
    using At = PackAccess<N>;
    using Kind = BodyPack::Kind;

    // (c, 1) made unit: half of a Cayley turn. The series leaves what made_unit() removes, for turns up to a fifth of a radian.
    [[gnu::always_inline]] static Q half_turn(const V& c) noexcept
    {
        const N y = dot(c, c);
        const N scale = 1.0 - y * (0.5 - y * (0.375 - y * (0.3125 - 0.2734375 * y)));
        return math::made_unit(Q{scale * c.x, scale * c.y, scale * c.z, scale});
    }

    // Of each body's pose in MidpointArrays. A member of this template: code for AVX2 must not be shared.
    static Places places(const BodyPack& pack, int stride) noexcept
    {
        Places out;
        for (int lane = 0; lane < 4; ++lane) out.at[lane] = stride * (pack.quat.at[lane] / 4);
        return out;
    }

    // --- begin ---

    static V extrapolated(At at, const Places& place, const double* last, const double* before,
                          const MidpointStep& step) noexcept
    {
        const V d = V::from(at.at(last, place));
        return step.extrapolate ? d + step.ratio * (d - V::from(at.at(before, place))) : d;
    }
    static V angular_rate(At at, const Places& place, const double* rates) noexcept
    {
        const Q q = Q::from(at.at(rates, place));
        return {q.x, q.y, q.z};
    }

    static void begin(const PackSpan& packs, const MidpointStep& step, const ConstBodyArrays& now,
                      const RateArrays& rates, double* mean) noexcept
    {
        for (long k = 0; k < packs.count; ++k) {
            const BodyPack& pack = packs.bodies[k];
            AttemptPack& start = packs.attempts[k];
            for (int pass = 0; pass < B::passes(pack); ++pass) {
                const At at(pass);
                const V v = V::from(at.at(now.v, pack.vec));
                B::store(at, V::from(at.at(now.p, pack.vec)), start.X);
                B::store(at, v, start.V);
                (step.continued
                     ? extrapolated(at, pack.vec, rates.linear, rates.linear_before, step)
                     : v)
                    .to(at.at(mean, pack.offset));
                if (pack.kind == Kind::Particle) continue;
                const Q q = Q::from(at.at(now.q, pack.quat));
                const V w = V::from(at.at(now.w, pack.vec));
                V guess = w;
                if (step.continued) {
                    guess = angular_rate(at, pack.quat, rates.angular);
                    if (step.extrapolate)
                        guess = guess + step.ratio * (guess - angular_rate(at, pack.quat,
                                                                           rates.angular_before));
                }
                guess.to(at.at(mean + 3, pack.offset));
                const auto momenta = pack.kind == Kind::Axial
                                         ? B::template momenta<Kind::Axial>(at, pack, q, w)
                                         : B::template momenta<Kind::Rigid>(at, pack, q, w);
                B::store(at, momenta.swing + momenta.spin * turn(q, B::load(at, pack.axis)),
                         start.swing);
                B::store(at, q, start.base_q);
                B::store(at, w, start.base_w);
            }
        }
    }

    // --- from mean velocities to the end of the step ---

    static void place(const PackSpan& packs, const MidpointStep& step, const double* mean,
                      const BodyArrays& next) noexcept
    {
        const double h = step.h;
        for (long k = 0; k < packs.count; ++k) {
            const BodyPack& pack = packs.bodies[k];
            const AttemptPack& start = packs.attempts[k];
            for (int pass = 0; pass < B::passes(pack); ++pass) {
                const At at(pass);
                const V D = V::from(at.at(mean, pack.offset));
                (B::load(at, start.X) + h * D).to(at.at(next.p, pack.vec));
                (2.0 * D - B::load(at, start.V)).to(at.at(next.v, pack.vec));
                if (pack.kind == Kind::Particle || pack.is_free) continue;
                const V w = V::from(at.at(mean + 3, pack.offset));
                // R⁺Ω⁺ = R⁺(2Rᵀω̄ − Ω) = 2ω̄ − cay(hω̄)RΩ
                const Q half = half_turn((h / 2) * w);
                math::made_unit(half * B::load(at, start.base_q)).to(at.at(next.q, pack.quat));
                (2.0 * w - turn(half, B::load(at, start.base_w))).to(at.at(next.w, pack.vec));
            }
        }
    }

    // --- the system at the iterate ---

    [[gnu::always_inline]] static void store_columns(At at, const M& R, const Places& place,
                                                     double* to) noexcept
    {
        const N columns[9] = {R.row[0].x, R.row[1].x, R.row[2].x, R.row[0].y, R.row[1].y,
                              R.row[2].y, R.row[0].z, R.row[1].z, R.row[2].z};
        store_at(columns, at.at(to, place));
    }
    static M mean_of(const M& a, const M& b) noexcept
    {
        M out;
        for (int r = 0; r < 3; ++r) out.row[r] = 0.5 * (a.row[r] + b.row[r]);
        return out;
    }

    // Of unit length, by Newton's method for 1/√y: to rounding for means over turns of up to two radians. Zero stays zero.
    static V made_unit(const V& a) noexcept
    {
        const N y = dot(a, a);
        N x = 1.5 - 0.5 * y;
        for (int i = 0; i < 5; ++i) x = x * (1.5 - 0.5 * y * x * x);
        return x * a;
    }

    // Returns twice the kinetic energy of turning; the residual to `residual`.
    template <Kind kKind>
    static N write_rotation(At at, const BodyPack& pack, AttemptPack& start, const M& end,
                            const M& mean, const Q& mid, const V& w, const SystemArrays& to,
                            V& residual) noexcept
    {
        V L;
        if constexpr (kKind == Kind::Axial) {
            const V axis = B::load(at, pack.axis), s = end * axis;
            const N across = at.load(pack.inertia[0]), more = at.load(pack.inertia[1]);
            L = across * w + (more * dot(s, w)) * s;
            // of the mean lever, across which the tension is stiff
            B::store_axis(at, made_unit(mean * axis), start, to.matrix);
            if (to.matrix) {
                const V m = turn(mid, axis);
                const V t = more * m;
                const N xy = t.x * m.y, xz = t.x * m.z, yz = t.y * m.z;
                B::write_inertia(at, pack,
                                 {{{t.x * m.x + across, xy, xz},
                                   {xy, t.y * m.y + across, yz},
                                   {xz, yz, t.z * m.z + across}}},
                                 to.H);
            }
        } else {
            const M I = B::inertia(at, pack);
            L = end * (I * end.times_transposed(w));
            if (to.matrix) B::write_inertia(at, pack, B::turned(I, rotation(mid)), to.H);
        }
        const N zero = broadcast<N>(0);
        residual = pack.is_free ? V{zero, zero, zero} : 0.5 * (B::load(at, start.swing) - L);
        return dot(w, L);
    }

    template <Kind kKind>
    static N write_pack(At at, const BodyPack& pack, AttemptPack& start, const MidpointStep& step,
                        const double* mean, const ConstBodyArrays& next, const SystemArrays& to,
                        const MidpointArrays& poses) noexcept
    {
        constexpr int kFreedoms = kKind == Kind::Particle ? 3 : 6;
        if (to.matrix) B::template write_mass<kFreedoms>(at, pack, to.H);
        at.each_lane([&](int lane) {
            double* const reaction = to.reaction + pack.offset.at[lane];
            B::template clear<kFreedoms>(reaction);
        });
        const Places at_pose = places(pack, poses.stride);
        const V p = V::from(at.at(next.p, pack.vec)), v = V::from(at.at(next.v, pack.vec));
        (0.5 * (B::load(at, start.X) + p)).to(at.at(to.pose_p, pack.start));
        p.to(at.at(poses.end_p, at_pose));
        const V D = V::from(at.at(mean, pack.offset));
        if (to.v) {
            D.to(at.at(to.v, pack.start));
            v.to(at.at(poses.end_v, pack.start));
        }
        const N mass = at.load(pack.mass);
        const double half = step.h / 2;
        const V fall = {broadcast<N>(half * step.gravity[0]), broadcast<N>(half * step.gravity[1]),
                        broadcast<N>(half * step.gravity[2])};
        const V f = mass * (B::load(at, start.V) - D + fall);
        N twice_kinetic = mass * dot(v, v);
        const Q q = Q::from(at.at(next.q, pack.quat));
        const M end = rotation(q);
        store_columns(at, end, at_pose, poses.end_R);
        if constexpr (kKind == Kind::Particle) {
            store_columns(at, end, pack.start, to.pose_R);
            if (poses.mid_R) store_columns(at, end, at_pose, poses.mid_R);
            f.to(at.at(to.f, pack.offset));
        } else {
            const Q q0 = pack.is_free ? q : B::load(at, start.base_q);
            const V w = V::from(at.at(mean + 3, pack.offset));
            const M mean_R = mean_of(rotation(q0), end);
            store_columns(at, mean_R, pack.start, to.pose_R);
            // halfway: half of the angle of the Cayley turn, to the order that matters for a direction
            Q mid = q;
            if (!pack.is_free && (to.matrix || poses.mid_R))
                mid = math::made_unit(half_turn(halved((step.h / 2) * w)) * q0);
            if (poses.mid_R) store_columns(at, rotation(mid), at_pose, poses.mid_R);
            const V w_end = V::from(at.at(next.w, pack.vec));
            if (to.w) {
                w.to(at.at(to.w, pack.start));
                w_end.to(at.at(poses.end_w, pack.start));
            }
            V residual;
            const N turning =
                write_rotation<kKind>(at, pack, start, end, mean_R, mid, w_end, to, residual);
            const N six[6] = {f.x, f.y, f.z, residual.x, residual.y, residual.z};
            store_at(six, at.at(to.f, pack.offset));
            twice_kinetic = twice_kinetic + turning;
        }
        return B::weight(at, pack) * twice_kinetic;
    }

    // tan(θ/4) of c = tan(θ/2) n: c/(1 + √(1 + c²)), by its series: second order in the direction is all that is asked.
    static V halved(const V& c) noexcept
    {
        const N y = dot(c, c);
        return (broadcast<N>(1) / (broadcast<N>(2) + 0.5 * y)) * c;
    }

    static double write_system(const PackSpan& packs, const MidpointStep& step, const double* mean,
                               const ConstBodyArrays& next, const SystemArrays& to,
                               const MidpointArrays& poses) noexcept
    {
        LaneTotals<N> twice;
        for (long k = 0; k < packs.count; ++k) {
            const BodyPack& pack = packs.bodies[k];
            AttemptPack& start = packs.attempts[k];
            for (int pass = 0; pass < B::passes(pack); ++pass) {
                const At at(pass);
                switch (pack.kind) {
                    case Kind::Particle:
                        twice.add(at, write_pack<Kind::Particle>(at, pack, start, step, mean, next,
                                                                 to, poses));
                        break;
                    case Kind::Axial:
                        twice.add(at, write_pack<Kind::Axial>(at, pack, start, step, mean, next, to,
                                                              poses));
                        break;
                    case Kind::Rigid:
                        twice.add(at, write_pack<Kind::Rigid>(at, pack, start, step, mean, next, to,
                                                              poses));
                        break;
                }
            }
        }
        return twice.sum() / 2;
    }

    // --- residual ---

    template <int n>
    static N measure_pack(At at, const BodyPack& pack, const double* mean, const double* f,
                          const double* reaction, double* r) noexcept
    {
        N left[n], other[n], u[n];
        load_at(at.at(f, pack.offset), left);
        load_at(at.at(reaction, pack.offset), other);
        load_at(at.at(mean, pack.offset), u);
        for (int k = 0; k < n; ++k) left[k] = left[k] + other[k];
        store_at(left, at.at(r, pack.offset));
        N sum = magnitude(left[0] * u[0] + left[1] * u[1] + left[2] * u[2]);
        if constexpr (n == 6)
            if (!pack.is_free)
                sum = sum + magnitude(left[3] * u[3] + left[4] * u[4] + left[5] * u[5]);
        return B::weight(at, pack) * sum;
    }

    // r = f + Jᵀμ; returns 2Σ|r·(D, ω̄)|, the work of what is left of the momenta.
    static double measure(const PackSpan& packs, const double* mean, const double* f,
                          const double* reaction, double* r) noexcept
    {
        LaneTotals<N> work;
        for (long k = 0; k < packs.count; ++k) {
            const BodyPack& pack = packs.bodies[k];
            for (int pass = 0; pass < B::passes(pack); ++pass) {
                const At at(pass);
                work.add(at, pack.kind == Kind::Particle
                                 ? measure_pack<3>(at, pack, mean, f, reaction, r)
                                 : measure_pack<6>(at, pack, mean, f, reaction, r));
            }
        }
        return 2 * work.sum();
    }

    static constexpr MidpointKernelTable table() { return {begin, place, write_system, measure}; }
};

}  // namespace taut::stepper

// The kernels of newton.h on packs of bodies, for one number type: double (one body after the other) or Four<W>. Included
// by one file per kind of machine; see four_lanes.h for what may be called from here.
#pragma once

#include "stepper/packs/kernel_table.h"

namespace taut::stepper {

template <class Number>
struct BodyKernels {
    using N = Number;
    using V = Vector3<N>;
    using Q = Quaternion<N>;
    using M = Matrix3<N>;
    using At = PackAccess<N>;
    using Kind = BodyPack::Kind;
    using Coefficients = AttemptCoefficients;
    using Past = AttemptCoefficients::Past;

    static V load(At at, const double (&a)[3][4]) noexcept
    {
        return {at.load(a[0]), at.load(a[1]), at.load(a[2])};
    }
    static Q load(At at, const double (&a)[4][4]) noexcept
    {
        return {at.load(a[0]), at.load(a[1]), at.load(a[2]), at.load(a[3])};
    }
    static void store(At at, const V& a, double (&to)[3][4]) noexcept
    {
        at.store(a.x, to[0]), at.store(a.y, to[1]), at.store(a.z, to[2]);
    }
    static void store(At at, const Q& a, double (&to)[4][4]) noexcept
    {
        at.store(a.x, to[0]), at.store(a.y, to[1]), at.store(a.z, to[2]), at.store(a.w, to[3]);
    }
    static M inertia(At at, const BodyPack& pack) noexcept
    {
        const N xx = at.load(pack.inertia[0]), yy = at.load(pack.inertia[1]);
        const N zz = at.load(pack.inertia[2]), xy = at.load(pack.inertia[3]);
        const N xz = at.load(pack.inertia[4]), yz = at.load(pack.inertia[5]);
        return {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
    }
    // 1, and 0 in lanes that repeat a body.
    static constexpr double kWeights[7] = {1, 1, 1, 1, 0, 0, 0};
    static N weight(At at, const BodyPack& pack) noexcept
    {
        return at.load(kWeights + 4 - pack.count);
    }
    static int passes(const BodyPack& pack) noexcept { return At::passes(pack.count); }

    // --- begin ---

    // Angular momentum, with the part about the spin axis s apart: L = swing + spin s.
    //
    // A light link that is pulled by its ends has no torque about its own axis, so its spin must not change.
    // World angular momentum does not know that: where s turns by θ out of the plane of a pull with impulse hλ,
    // L⁺ = L + hτ⁺ leaks hλθ into the spin, which the small moment about s turns into hundreds of rad/s.
    // So the two parts are carried separately, each with its own share of the gyroscopic torque:
    //
    //     swing⁺ = P⊥ swing + h̄(P⊥τ − spin⁺ ω⁺×s⁺),    spin⁺ = spin + h̄ s⁺·(τ + L⁺×ω⁺),    P⊥ = 1 − s⁺s⁺ᵀ
    //
    // The same equation to the scheme's order for any choice of s. Round bodies carry L as a whole.
    struct Momenta {
        V swing;
        N spin;
    };

    template <Kind kKind>
    static Momenta momenta(At at, const BodyPack& pack, const Q& q, const V& w) noexcept
    {
        const V axis = load(at, pack.axis);
        if constexpr (kKind == Kind::Axial) {
            const V s = turn(q, axis);
            const N about = dot(s, w);
            const N across = at.load(pack.inertia[0]), more = at.load(pack.inertia[1]);
            return {across * (w - about * s), (across + more) * about};
        } else {
            const V L_B = inertia(at, pack) * turn(q.conjugate(), w);
            const N spin = dot(L_B, axis);
            return {turn(q, L_B - spin * axis), spin};
        }
    }

    // The past of a body as the scheme uses it.
    template <Kind kKind, Past kPast>
    static void begin_rotation(At at, const BodyPack& pack, AttemptPack& start,
                               const Coefficients& attempt, const ConstBodyArrays& now,
                               const ConstBodyArrays& past, const RateArrays& rates,
                               const BodyArrays& next) noexcept
    {
        Q X = Q::from(at.at(now.q, pack.quat));
        const V w = V::from(at.at(now.w, pack.vec));
        Momenta momentum = momenta<kKind>(at, pack, X, w);
        V base_w = w;
        if constexpr (kPast != Past::None) {
            const V w0 = V::from(at.at(past.w, pack.vec));
            base_w = base_w + (attempt.h / attempt.last_h) * (w - w0);
            if constexpr (kPast == Past::Bdf2) {
                const Q q0 = Q::from(at.at(past.q, pack.quat));
                const Momenta before = momenta<kKind>(at, pack, q0, w0);
                const V turned = log_near(X * q0.conjugate(), (attempt.last_h / 2) * (w + w0));
                X = exp_quat(attempt.a * turned) * X;
                momentum.swing = momentum.swing + attempt.a * (momentum.swing - before.swing);
                momentum.spin = momentum.spin + attempt.a * (momentum.spin - before.spin);
            } else {
                const double m = attempt.h * attempt.weight_now,
                             n = attempt.h * attempt.weight_before;
                const Q rate = Q::from(at.at(rates.angular, pack.quat));
                const Q rate0 = Q::from(at.at(rates.angular_before, pack.quat));
                X = exp_quat(m * w + n * w0) * X;
                momentum.swing = momentum.swing + m * V{rate.x, rate.y, rate.z} +
                                 n * V{rate0.x, rate0.y, rate0.z};
                momentum.spin = momentum.spin + m * rate.w + n * rate0.w;
            }
        }
        const Q base_q = made_unit(exp_quat(attempt.h_bar * base_w) * X);
        store(at, momentum.swing, start.swing);
        at.store(momentum.spin, start.spin);
        store(at, base_q, start.base_q);
        store(at, base_w, start.base_w);
        base_q.to(at.at(next.q, pack.quat));
        base_w.to(at.at(next.w, pack.vec));
    }

    template <Past kPast>
    static void begin_pack(At at, const BodyPack& pack, AttemptPack& start,
                           const Coefficients& attempt, const ConstBodyArrays& now,
                           const ConstBodyArrays& past, const RateArrays& rates,
                           const BodyArrays& next) noexcept
    {
        const V p = V::from(at.at(now.p, pack.vec)), v = V::from(at.at(now.v, pack.vec));
        V X = p, carried = v, guess = v;
        if constexpr (kPast != Past::None) {
            const V v0 = V::from(at.at(past.v, pack.vec));
            const V more = v - v0;
            guess = guess + (attempt.h / attempt.last_h) * more;
            if constexpr (kPast == Past::Bdf2) {
                X = X + attempt.a * (p - V::from(at.at(past.p, pack.vec)));
                carried = carried + attempt.a * more;
            } else {
                const double m = attempt.h * attempt.weight_now,
                             n = attempt.h * attempt.weight_before;
                X = X + (m * v + n * v0);
                carried = carried + (m * V::from(at.at(rates.linear, pack.vec)) +
                                     n * V::from(at.at(rates.linear_before, pack.vec)));
            }
        }
        store(at, X, start.X);
        store(at, carried, start.V);
        guess.to(at.at(next.v, pack.vec));
        (X + attempt.h_bar * guess).to(at.at(next.p, pack.vec));
        switch (pack.kind) {
            case Kind::Axial:
                return begin_rotation<Kind::Axial, kPast>(at, pack, start, attempt, now, past,
                                                          rates, next);
            case Kind::Rigid:
                return begin_rotation<Kind::Rigid, kPast>(at, pack, start, attempt, now, past,
                                                          rates, next);
            case Kind::Particle: Q::from(at.at(now.q, pack.quat)).to(at.at(next.q, pack.quat));
        }
    }

    template <Past kPast>
    static void begin_packs(const PackSpan& packs, const Coefficients& attempt,
                            const ConstBodyArrays& now, const ConstBodyArrays& past,
                            const RateArrays& rates, const BodyArrays& next) noexcept
    {
        for (long k = 0; k < packs.count; ++k)
            for (int pass = 0; pass < passes(packs.bodies[k]); ++pass)
                begin_pack<kPast>(At(pass), packs.bodies[k], packs.attempts[k], attempt, now, past,
                                  rates, next);
    }

    static void begin(const PackSpan& packs, const Coefficients& attempt,
                      const ConstBodyArrays& now, const ConstBodyArrays& past,
                      const RateArrays& rates, const BodyArrays& next) noexcept
    {
        switch (attempt.past) {
            case Past::None: return begin_packs<Past::None>(packs, attempt, now, past, rates, next);
            case Past::Bdf2: return begin_packs<Past::Bdf2>(packs, attempt, now, past, rates, next);
            case Past::Adams:
                return begin_packs<Past::Adams>(packs, attempt, now, past, rates, next);
        }
    }

    // --- rates at the end ---

    static void read_rates(const PackSpan& packs, double h_bar, const ConstBodyArrays& next,
                           double* linear, double* angular) noexcept
    {
        const double rate = 1 / h_bar;
        for (long k = 0; k < packs.count; ++k) {
            const BodyPack& pack = packs.bodies[k];
            const AttemptPack& start = packs.attempts[k];
            for (int pass = 0; pass < passes(pack); ++pass) {
                const At at(pass);
                (rate * (V::from(at.at(next.v, pack.vec)) - load(at, start.V)))
                    .to(at.at(linear, pack.vec));
                if (pack.kind == Kind::Particle) continue;
                const Q q = Q::from(at.at(next.q, pack.quat));
                const V w = V::from(at.at(next.w, pack.vec));
                const Momenta end = pack.kind == Kind::Axial ? momenta<Kind::Axial>(at, pack, q, w)
                                                             : momenta<Kind::Rigid>(at, pack, q, w);
                const V swing = rate * (end.swing - load(at, start.swing));
                const N spin = rate * (end.spin - at.load(start.spin));
                Q{swing.x, swing.y, swing.z, spin}.to(at.at(angular, pack.quat));
            }
        }
    }

    // --- the system at the iterate ---

    template <int n>
    static void clear(double* numbers) noexcept
    {
        int k = 0;
        if constexpr (!kIsScalar<N>)
            for (; k + 4 <= n; k += 4) N::all(0).store(numbers + k);
        for (; k < n; ++k) numbers[k] = 0;
    }
    // Diagonal blocks: mass on the diagonal and zeros elsewhere; the inertia follows.
    template <int n>
    static void write_mass(At at, const BodyPack& pack, double* H) noexcept
    {
        at.each_lane([&](int lane) {
            double* const block = H + pack.block.at[lane];
            clear<n * n>(block);
            for (int d = 0; d < 3; ++d) block[d * (n + 1)] = pack.mass[lane];
        });
    }
    static void write_inertia(At at, const BodyPack& pack, const M& I, double* H) noexcept
    {
        const auto block = at.at(H + 21, pack.block);
        for (int r = 0; r < 3; ++r) I.row[r].to(block + 6 * r);
    }

    // R I Rᵀ of a symmetric I.
    static M turned(const M& I, const M& R) noexcept
    {
        M half, out;
        for (int r = 0; r < 3; ++r) half.row[r] = I * R.row[r];
        out.row[0] = {dot(half.row[0], R.row[0]), dot(half.row[0], R.row[1]),
                      dot(half.row[0], R.row[2])};
        out.row[1] = {out.row[0].y, dot(half.row[1], R.row[1]), dot(half.row[1], R.row[2])};
        out.row[2] = {out.row[0].z, out.row[1].z, dot(half.row[2], R.row[2])};
        return out;
    }

    struct Rotation {
        V residual;  // angular momentum that the equation asks for less that of the iterate; without torques
        N twice_kinetic;
    };

    static void store_axis(At at, const V& s, AttemptPack& start, bool matrix) noexcept
    {
        store(at, s, start.axis);
        if (matrix) store(at, s, start.factor_axis);
    }

    template <Kind kKind>
    static Rotation write_rotation(At at, const BodyPack& pack, AttemptPack& start,
                                   const Coefficients& attempt, const M& R, const V& w,
                                   const SystemArrays& to) noexcept
    {
        const V s = R * load(at, pack.axis);
        V L;
        if constexpr (kKind == Kind::Axial) {
            store_axis(at, s, start, to.matrix);
            const N across = at.load(pack.inertia[0]);
            const V t = at.load(pack.inertia[1]) * s;
            L = across * w + dot(t, w) * s;
            if (to.matrix) {
                const N xy = t.x * s.y, xz = t.x * s.z, yz = t.y * s.z;
                write_inertia(at, pack,
                              {{{t.x * s.x + across, xy, xz},
                                {xy, t.y * s.y + across, yz},
                                {xz, yz, t.z * s.z + across}}},
                              to.H);
            }
        } else {
            const M I = inertia(at, pack);
            L = R * (I * R.times_transposed(w));
            if (to.matrix) write_inertia(at, pack, turned(I, R), to.H);
        }
        const N twice_kinetic = dot(w, L);
        // bodies that turn freely have no equation for ω to solve
        const N zero = broadcast<N>(0);
        if (pack.is_free) return {{zero, zero, zero}, twice_kinetic};
        const V carried = load(at, start.swing);
        const V swing = carried - dot(s, carried) * s;
        const N spin = at.load(start.spin) + attempt.h_bar * dot(s, cross(L, w));
        return {swing + spin * s - (attempt.h_bar * dot(L, s)) * cross(w, s) - L, twice_kinetic};
    }

    // Returns twice the kinetic energy.
    template <Kind kKind>
    static N write_pack(At at, const BodyPack& pack, AttemptPack& start,
                        const Coefficients& attempt, const ConstBodyArrays& next,
                        const SystemArrays& to) noexcept
    {
        constexpr int kFreedoms = kKind == Kind::Particle ? 3 : 6;
        if (to.matrix) write_mass<kFreedoms>(at, pack, to.H);
        at.each_lane([&](int lane) {
            __builtin_memcpy(to.pose_p + pack.start.at[lane], next.p + pack.vec.at[lane],
                             3 * sizeof(double));
            double* const reaction = to.reaction + pack.offset.at[lane];
            clear<kFreedoms>(reaction);
        });
        const M R = rotation(Q::from(at.at(next.q, pack.quat)));
        const N columns[9] = {R.row[0].x, R.row[1].x, R.row[2].x, R.row[0].y, R.row[1].y,
                              R.row[2].y, R.row[0].z, R.row[1].z, R.row[2].z};
        store_at(columns, at.at(to.pose_R, pack.start));

        const V v = V::from(at.at(next.v, pack.vec));
        if (to.v) v.to(at.at(to.v, pack.start));
        const N mass = at.load(pack.mass);
        const V fall = {broadcast<N>(attempt.h_bar * attempt.gravity[0]),
                        broadcast<N>(attempt.h_bar * attempt.gravity[1]),
                        broadcast<N>(attempt.h_bar * attempt.gravity[2])};
        const V f = mass * (load(at, start.V) - v + fall);
        N twice_kinetic = mass * dot(v, v);
        if constexpr (kKind == Kind::Particle) {
            f.to(at.at(to.f, pack.offset));
        } else {
            const V w = V::from(at.at(next.w, pack.vec));
            if (to.w) w.to(at.at(to.w, pack.start));
            const Rotation turns = write_rotation<kKind>(at, pack, start, attempt, R, w, to);
            const N six[6] = {f.x, f.y, f.z, turns.residual.x, turns.residual.y, turns.residual.z};
            store_at(six, at.at(to.f, pack.offset));
            twice_kinetic = twice_kinetic + turns.twice_kinetic;
        }
        return weight(at, pack) * twice_kinetic;
    }

    static double write_system(const PackSpan& packs, const Coefficients& attempt,
                               const ConstBodyArrays& next, const SystemArrays& to) noexcept
    {
        LaneTotals<N> twice;
        for (long k = 0; k < packs.count; ++k) {
            const BodyPack& pack = packs.bodies[k];
            AttemptPack& start = packs.attempts[k];
            for (int pass = 0; pass < passes(pack); ++pass) {
                const At at(pass);
                twice.add(at, pack.kind == Kind::Axial
                                  ? write_pack<Kind::Axial>(at, pack, start, attempt, next, to)
                              : pack.kind == Kind::Rigid
                                  ? write_pack<Kind::Rigid>(at, pack, start, attempt, next, to)
                                  : write_pack<Kind::Particle>(at, pack, start, attempt, next, to));
            }
        }
        return twice.sum() / 2;
    }

    // --- what is left ---

    template <int n>
    static N measure_pack(At at, const BodyPack& pack, const ConstBodyArrays& next, const double* f,
                          const double* reaction, double* r) noexcept
    {
        N left[n], other[n];
        load_at(at.at(f, pack.offset), left);
        load_at(at.at(reaction, pack.offset), other);
        for (int k = 0; k < n; ++k) left[k] = left[k] + other[k];
        store_at(left, at.at(r, pack.offset));
        N share = magnitude(dot(V{left[0], left[1], left[2]}, V::from(at.at(next.v, pack.vec))));
        if constexpr (n == 6)
            share = share +
                    magnitude(dot(V{left[3], left[4], left[5]}, V::from(at.at(next.w, pack.vec))));
        return weight(at, pack) * share;
    }

    static double measure(const PackSpan& packs, const ConstBodyArrays& next, const double* f,
                          const double* reaction, double* r) noexcept
    {
        LaneTotals<N> work;
        for (long k = 0; k < packs.count; ++k) {
            const BodyPack& pack = packs.bodies[k];
            for (int pass = 0; pass < passes(pack); ++pass) {
                const At at(pass);
                work.add(at, pack.kind == Kind::Particle
                                 ? measure_pack<3>(at, pack, next, f, reaction, r)
                                 : measure_pack<6>(at, pack, next, f, reaction, r));
            }
        }
        return work.sum();
    }

    // Rows that hold positions and nothing else: ψ = g − Σμ, μ = h̄λ.
    static RowsLeft measure_rows(int count, double h_bar, const double* lambda, const double* g,
                                 const double* sigma, double* psi_out) noexcept
    {
        LaneTotals<N> work, force, most;
        const auto visit = [&](const double* la, const double* g_k, const double* sigma_k,
                               double* out) {
            for (int pass = 0; pass < At::passes(4); ++pass) {
                const At at(pass);
                const N force_k = at.load(la);
                const N mu = h_bar * force_k;
                const N psi = at.load(g_k) - at.load(sigma_k) * mu;
                work.add(at, magnitude(mu * psi));
                force.add(at, magnitude(force_k));
                most.keep_larger(at, magnitude(psi));
                at.store(psi, out);
            }
        };
        int k = 0;
        for (; k + 4 <= count; k += 4) visit(lambda + k, g + k, sigma + k, psi_out + k);
        if (k < count) {  // the rest, filled up with zeros
            const int left = count - k;
            const auto fill_up = [left](const double* from, double(&to)[4]) {
                to[0] = from[0];
                to[1] = left > 1 ? from[1] : 0;
                to[2] = left > 2 ? from[2] : 0;
                to[3] = 0;
            };
            double rest[3][4], psi[4];
            fill_up(lambda + k, rest[0]), fill_up(g + k, rest[1]), fill_up(sigma + k, rest[2]);
            visit(rest[0], rest[1], rest[2], psi);
            psi_out[k] = psi[0];
            if (left > 1) psi_out[k + 1] = psi[1];
            if (left > 2) psi_out[k + 2] = psi[2];
        }
        return {work.sum(), force.sum(), most.largest()};
    }

    // The least rotation that takes the axis of the factor to that of the iterate, or back, on angular parts. Axes that are
    // nearly opposite have none.
    static void turn_axes(const PackSpan& packs, TurnTo to, double least_scale,
                          double* vectors) noexcept
    {
        for (long k = 0; k < packs.count; ++k) {
            const BodyPack& pack = packs.bodies[k];
            const AttemptPack& start = packs.attempts[k];
            if (pack.kind != Kind::Axial) continue;
            for (int pass = 0; pass < passes(pack); ++pass) {
                const At at(pass);
                const V now = load(at, start.axis), then = load(at, start.factor_axis);
                const V a = to == TurnTo::Factor ? now : then;
                const V b = to == TurnTo::Factor ? then : now;
                const V r = V::from(at.at(vectors + 3, pack.offset)), sum = a + b;
                const N scale = dot(a, b) + 1.0;
                const V more = (2.0 * dot(a, r)) * b - (dot(sum, r) / scale) * sum;
                const N above = scale - least_scale;
                (r + V{where_positive(more.x, above), where_positive(more.y, above),
                       where_positive(more.z, above)})
                    .to(at.at(vectors + 3, pack.offset));
            }
        }
    }

    // --- energy ---

    static BodyEnergy energy(const PackSpan& packs, const double* gravity,
                             const ConstBodyArrays& state) noexcept
    {
        const V g = {broadcast<N>(gravity[0]), broadcast<N>(gravity[1]), broadcast<N>(gravity[2])};
        LaneTotals<N> translation, rotation, height;
        for (long k = 0; k < packs.count; ++k) {
            const BodyPack& pack = packs.bodies[k];
            for (int pass = 0; pass < passes(pack); ++pass) {
                const At at(pass);
                const N share = weight(at, pack), mass = share * at.load(pack.mass);
                const V v = V::from(at.at(state.v, pack.vec));
                translation.add(at, mass * dot(v, v));
                height.add(at, -(mass * dot(g, V::from(at.at(state.p, pack.vec)))));
                if (pack.kind == Kind::Particle) continue;
                const Q q = Q::from(at.at(state.q, pack.quat));
                const V w = V::from(at.at(state.w, pack.vec));
                if (pack.kind == Kind::Axial) {
                    const N across = at.load(pack.inertia[0]), more = at.load(pack.inertia[1]);
                    const N about = dot(turn(q, load(at, pack.axis)), w);
                    rotation.add(at, share * (across * dot(w, w) + more * about * about));
                } else {
                    const V w_B = turn(q.conjugate(), w);
                    rotation.add(at, share * dot(w_B, inertia(at, pack) * w_B));
                }
            }
        }
        return {translation.sum() / 2, rotation.sum() / 2, height.sum()};
    }

    // --- a step of Newton's method ---

    static void correct(const PackSpan& packs, const Coefficients& attempt, const double* u,
                        const BodyArrays& next) noexcept
    {
        const double rate = 1 / attempt.h_bar;
        for (long k = 0; k < packs.count; ++k) {
            const BodyPack& pack = packs.bodies[k];
            const AttemptPack& start = packs.attempts[k];
            for (int pass = 0; pass < passes(pack); ++pass) {
                const At at(pass);
                const V v = V::from(at.at(next.v, pack.vec)) + V::from(at.at(u, pack.offset));
                v.to(at.at(next.v, pack.vec));
                (load(at, start.X) + attempt.h_bar * v).to(at.at(next.p, pack.vec));
                if (pack.kind == Kind::Particle || pack.is_free) continue;
                const V theta = attempt.h_bar * V::from(at.at(u + 3, pack.offset));
                const Q q = made_unit(exp_quat(theta) * Q::from(at.at(next.q, pack.quat)));
                const V more = log_so3(q * load(at, start.base_q).conjugate());
                q.to(at.at(next.q, pack.quat));
                (load(at, start.base_w) + rate * more).to(at.at(next.w, pack.vec));
            }
        }
    }

    static N load_numbers(const double* from) noexcept
    {
        if constexpr (kIsScalar<N>)
            return *from;
        else
            return N::load(from);
    }
    // Without branches; a mask of lanes, or one bool.
    template <class Mask>
    static Mask both(const Mask& a, const Mask& b) noexcept
    {
        if constexpr (std::is_same_v<Mask, bool>)
            return static_cast<bool>(static_cast<int>(a) & static_cast<int>(b));
        else
            return a & b;
    }
    static bool bounded(const double* numbers, long count, double limit) noexcept
    {
        constexpr long kStep = sizeof(N) / sizeof(double);
        const auto bounded_at = [&](long k) { return within(load_numbers(numbers + k), limit); };
        long k = 0;
        for (; k + 4 * kStep <= count; k += 4 * kStep)
            if (!holds_everywhere(both(both(bounded_at(k), bounded_at(k + kStep)),
                                       both(bounded_at(k + 2 * kStep), bounded_at(k + 3 * kStep)))))
                return false;
        for (; k < count; ++k)
            if (!(numbers[k] < limit && numbers[k] > -limit)) return false;
        return true;
    }

    static constexpr BodyKernelTable table()
    {
        return {begin,   write_system, measure, measure_rows, turn_axes,
                correct, read_rates,   energy,  bounded};
    }
};

}  // namespace taut::stepper

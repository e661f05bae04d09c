// The moves of newton.h, for four bodies at a time. Included by one file per kind of machine; see four.h for what may be
// called from here.
#pragma once

#include "stepper/packs/pack_moves.h"

namespace taut::stepper {

template <int W>
struct PackKernels {
    using F = Four<W>;
    using V = FourVectors<F>;
    using Q = FourTurns<F>;
    using M = FourMatrices<F>;
    using Kind = BodyPack::Kind;

    static V load(const double (&a)[3][4]) noexcept
    {
        return {F::load(a[0]), F::load(a[1]), F::load(a[2])};
    }
    static Q load(const double (&a)[4][4]) noexcept
    {
        return {F::load(a[0]), F::load(a[1]), F::load(a[2]), F::load(a[3])};
    }
    static void store(const V& a, double (&to)[3][4]) noexcept
    {
        a.x.store(to[0]), a.y.store(to[1]), a.z.store(to[2]);
    }
    static void store(const Q& a, double (&to)[4][4]) noexcept
    {
        a.x.store(to[0]), a.y.store(to[1]), a.z.store(to[2]), a.w.store(to[3]);
    }
    static M inertia(const BodyPack& pack) noexcept
    {
        const F xx = F::load(pack.inertia[0]), yy = F::load(pack.inertia[1]);
        const F zz = F::load(pack.inertia[2]), xy = F::load(pack.inertia[3]);
        const F xz = F::load(pack.inertia[4]), yz = F::load(pack.inertia[5]);
        return {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
    }

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
        F spin;
    };

    template <Kind kKind>
    static Momenta momenta(const BodyPack& pack, const Q& q, const V& w) noexcept
    {
        const V axis = load(pack.axis);
        if constexpr (kKind == Kind::Axial) {
            const V s = turn(q, axis);
            const F about = dot(s, w);
            const F across = F::load(pack.across);
            return {across * (w - about * s), (across + F::load(pack.more)) * about};
        } else {
            const V L_B = inertia(pack) * turn(q.conjugate(), w);
            const F spin = dot(L_B, axis);
            return {turn(q, L_B - spin * axis), spin};
        }
    }

    // log_near(): on the turn nearest to `near`.
    static V log_nearest(const Q& q, const V& near) noexcept
    {
        struct Both {
            Q q;
            V near;
        };
        constexpr double kFar = 2.2;  // together below π
        V theta = log_so3(q);
        const F a = dot(theta, theta), b = dot(near, near);
        if (!all_below(a, kFar) || !all_below(b, kFar)) {
            const F most = larger(a, b);
            mend(most, kFar, Both{q, near}, theta, log_near_far);
        }
        return theta;
    }
    static F larger(const F& a, const F& b) noexcept
    {
        F out;
        for (int k = 0; k < F::kParts;
             ++k)  // what is not a number may get lost here; velocities and work show it
            out.part[k] = a.part[k] < b.part[k] ? b.part[k] : a.part[k];
        return out;
    }

    template <Kind kKind, bool kLooksBack>
    static void begin_rotation(BodyPack& pack, const StageWeights& stage,
                               const ConstBodyArrays& now, const ConstBodyArrays& past,
                               const BodyArrays& next) noexcept
    {
        Q X = Q::gather(now.q, pack.quat);
        const V w = V::gather(now.w, pack.vec);
        Momenta at = momenta<kKind>(pack, X, w);
        V base_w = w;
        if constexpr (kLooksBack) {
            const Q q0 = Q::gather(past.q, pack.quat);
            const V w0 = V::gather(past.w, pack.vec);
            const Momenta before = momenta<kKind>(pack, q0, w0);
            const V turned = log_nearest(X * q0.conjugate(), (stage.last_h / 2) * (w + w0));
            X = exp_quat(stage.a * turned) * X;
            at.swing = at.swing + stage.a * (at.swing - before.swing);
            at.spin = at.spin + stage.a * (at.spin - before.spin);
            base_w = base_w + (stage.h / stage.last_h) * (w - w0);
        }
        const Q base_q = made_unit(exp_quat(stage.h_bar * base_w) * X);
        store(at.swing, pack.swing);
        at.spin.store(pack.spin);
        store(base_q, pack.base_q);
        store(base_w, pack.base_w);
        base_q.scatter(next.q, pack.quat);
        base_w.scatter(next.w, pack.vec);
    }

    template <bool kLooksBack>
    static void begin_pack(BodyPack& pack, const StageWeights& stage, const ConstBodyArrays& now,
                           const ConstBodyArrays& past, const BodyArrays& next) noexcept
    {
        const V p = V::gather(now.p, pack.vec), v = V::gather(now.v, pack.vec);
        V X = p, Vel = v, guess = v;
        if constexpr (kLooksBack) {
            const V more = v - V::gather(past.v, pack.vec);
            X = X + stage.a * (p - V::gather(past.p, pack.vec));
            Vel = Vel + stage.a * more;
            guess = guess + (stage.h / stage.last_h) * more;
        }
        store(X, pack.X);
        store(Vel, pack.V);
        guess.scatter(next.v, pack.vec);
        (X + stage.h_bar * guess).scatter(next.p, pack.vec);
        switch (pack.kind) {
            case Kind::Axial:
                return begin_rotation<Kind::Axial, kLooksBack>(pack, stage, now, past, next);
            case Kind::Rigid:
                return begin_rotation<Kind::Rigid, kLooksBack>(pack, stage, now, past, next);
            case Kind::Particle: Q::gather(now.q, pack.quat).scatter(next.q, pack.quat);
        }
    }

    static void begin(BodyPack* first, long count, const StageWeights& stage,
                      const ConstBodyArrays& now, const ConstBodyArrays& past,
                      const BodyArrays& next) noexcept
    {
        for (long k = 0; k < count; ++k) {
            if (stage.a > 0)
                begin_pack<true>(first[k], stage, now, past, next);
            else
                begin_pack<false>(first[k], stage, now, past, next);
        }
    }

    // --- the system at the iterate ---

    // Diagonal blocks: mass and I, and zeros elsewhere.
    template <int n>
    static void write_mass(const BodyPack& pack, double* H) noexcept
    {
        const F zero = F::all(0);
        for (int lane = 0; lane < 4; ++lane) {
            double* const block = H + pack.block.at[lane];
            int k = 0;
            for (; k + 4 <= n * n; k += 4) zero.store(block + k);
            for (; k < n * n; ++k) block[k] = 0;
            for (int d = 0; d < 3; ++d) block[d * (n + 1)] = pack.mass[lane];
        }
    }
    static void put_inertia(const BodyPack& pack, const M& I, double* H) noexcept
    {
        for (int r = 0; r < 3; ++r) I.row[r].scatter(H + 6 * (r + 3) + 3, pack.block);
    }

    struct Rotation {
        V wanted;  // angular momentum as it should be at the iterate, less what it is; without torques
        F twice;  // its kinetic energy, twice
    };

    template <Kind kKind>
    static Rotation put_rotation(const BodyPack& pack, const StageWeights& stage, const M& R,
                                 const V& w, const SystemArrays& to) noexcept
    {
        const V s = R * load(pack.axis);
        V L;
        if constexpr (kKind == Kind::Axial) {
            const F across = F::load(pack.across);
            const V t = F::load(pack.more) * s;
            L = across * w + dot(t, w) * s;
            if (to.matrix) {
                const F xy = t.x * s.y, xz = t.x * s.z, yz = t.y * s.z;
                put_inertia(pack,
                            {{{t.x * s.x + across, xy, xz},
                              {xy, t.y * s.y + across, yz},
                              {xz, yz, t.z * s.z + across}}},
                            to.H);
            }
        } else {
            const M I = inertia(pack);
            L = R * (I * R.times_transposed(w));
            if (to.matrix) put_inertia(pack, turned(I, R), to.H);
        }
        const F twice = dot(w, L);
        // what turns by itself: nothing to be found
        if (pack.alone) return {{F::all(0), F::all(0), F::all(0)}, twice};
        const V start = load(pack.swing);
        const V swing = start - dot(s, start) * s;
        const F spin = F::load(pack.spin) + stage.h_bar * dot(s, cross(L, w));
        return {swing + spin * s - (stage.h_bar * dot(L, s)) * cross(w, s) - L, twice};
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

    template <Kind kKind>
    static F put_pack(const BodyPack& pack, const StageWeights& stage, const ConstBodyArrays& next,
                      const SystemArrays& to) noexcept
    {
        constexpr int kFreedoms = kKind == Kind::Particle ? 3 : 6;
        if (to.matrix) write_mass<kFreedoms>(pack, to.H);
        for (int lane = 0; lane < 4; ++lane) {
            const double* const p = next.p + pack.vec.at[lane];
            double* const at = to.pose_p + pack.start.at[lane];
            for (int k = 0; k < 3; ++k) at[k] = p[k];
            double* const reaction = to.reaction + pack.offset.at[lane];
            for (int k = 0; k < kFreedoms; ++k) reaction[k] = 0;
        }
        const M R = rotation(Q::gather(next.q, pack.quat));
        const F columns[9] = {R.row[0].x, R.row[1].x, R.row[2].x, R.row[0].y, R.row[1].y,
                              R.row[2].y, R.row[0].z, R.row[1].z, R.row[2].z};
        F::scatter(columns, to.pose_R, pack.start);

        const V v = V::gather(next.v, pack.vec);
        if (to.v) v.scatter(to.v, pack.start);
        const F mass = F::load(pack.mass);
        const V fall = {F::all(stage.h_bar * stage.gravity[0]),
                        F::all(stage.h_bar * stage.gravity[1]),
                        F::all(stage.h_bar * stage.gravity[2])};
        const V f = mass * (load(pack.V) - v + fall);
        F twice = mass * dot(v, v);
        if constexpr (kKind == Kind::Particle) {
            f.scatter(to.f, pack.offset);
        } else {
            const V w = V::gather(next.w, pack.vec);
            if (to.w) w.scatter(to.w, pack.start);
            const Rotation turns = put_rotation<kKind>(pack, stage, R, w, to);
            const F six[6] = {f.x, f.y, f.z, turns.wanted.x, turns.wanted.y, turns.wanted.z};
            F::scatter(six, to.f, pack.offset);
            twice = twice + turns.twice;
        }
        return F::load(pack.weight) * twice;
    }

    static double put(const BodyPack* first, long count, const StageWeights& stage,
                      const ConstBodyArrays& next, const SystemArrays& to) noexcept
    {
        F twice = F::all(0);
        for (long k = 0; k < count; ++k) {
            const BodyPack& pack = first[k];
            twice = twice + (pack.kind == Kind::Axial ? put_pack<Kind::Axial>(pack, stage, next, to)
                             : pack.kind == Kind::Rigid
                                 ? put_pack<Kind::Rigid>(pack, stage, next, to)
                                 : put_pack<Kind::Particle>(pack, stage, next, to));
        }
        return twice.sum() / 2;
    }

    // --- what is left ---

    template <int n>
    static F measure_pack(const BodyPack& pack, const ConstBodyArrays& next, const double* f,
                          const double* reaction, double* r) noexcept
    {
        F left[n], other[n];
        F::gather(f, pack.offset, left);
        F::gather(reaction, pack.offset, other);
        for (int k = 0; k < n; ++k) left[k] = left[k] + other[k];
        F::scatter(left, r, pack.offset);
        F share = abs(dot(V{left[0], left[1], left[2]}, V::gather(next.v, pack.vec)));
        if constexpr (n == 6)
            share = share + abs(dot(V{left[3], left[4], left[5]}, V::gather(next.w, pack.vec)));
        return F::load(pack.weight) * share;
    }

    static double measure(const BodyPack* first, long count, const ConstBodyArrays& next,
                          const double* f, const double* reaction, double* r) noexcept
    {
        F work = F::all(0);
        for (long k = 0; k < count; ++k)
            work = work + (first[k].kind == Kind::Particle
                               ? measure_pack<3>(first[k], next, f, reaction, r)
                               : measure_pack<6>(first[k], next, f, reaction, r));
        return work.sum();
    }

    // Rows that hold positions and nothing else: ψ = g − Σμ, μ = h̄λ.
    static RowsLeft measure_rows(int count, double h_bar, const double* lambda, const double* g,
                                 const double* sigma, double* psi_out) noexcept
    {
        F work = F::all(0), force = F::all(0), most = F::all(0);
        const auto visit = [&](const F& la, const F& g_k, const F& sigma_k) {
            const F mu = h_bar * la;
            const F psi = g_k - sigma_k * mu;
            work = work + abs(mu * psi);
            force = force + abs(la);
            most = larger(most, abs(psi));
            return psi;
        };
        int k = 0;
        for (; k + 4 <= count; k += 4)
            visit(F::load(lambda + k), F::load(g + k), F::load(sigma + k)).store(psi_out + k);
        if (k < count) {  // the rest, filled up with zeros
            double rest[3][4] = {}, psi[4];
            for (int i = k; i < count; ++i) {
                rest[0][i - k] = lambda[i];
                rest[1][i - k] = g[i];
                rest[2][i - k] = sigma[i];
            }
            visit(F::load(rest[0]), F::load(rest[1]), F::load(rest[2])).store(psi);
            for (int i = k; i < count; ++i) psi_out[i] = psi[i - k];
        }
        double largest = most[0];
        for (int i = 1; i < 4; ++i) largest = largest < most[i] ? most[i] : largest;
        return {work.sum(), force.sum(), largest};
    }

    // --- energy ---

    static BodyEnergy energy(const BodyPack* first, long count, const double* gravity,
                             const ConstBodyArrays& at) noexcept
    {
        const V g = {F::all(gravity[0]), F::all(gravity[1]), F::all(gravity[2])};
        F moves = F::all(0), turns = F::all(0), lifted = F::all(0);
        for (long k = 0; k < count; ++k) {
            const BodyPack& pack = first[k];
            const F weight = F::load(pack.weight), mass = weight * F::load(pack.mass);
            const V v = V::gather(at.v, pack.vec);
            moves = moves + mass * dot(v, v);
            lifted = lifted - mass * dot(g, V::gather(at.p, pack.vec));
            if (pack.kind == Kind::Particle) continue;
            const Q q = Q::gather(at.q, pack.quat);
            const V w = V::gather(at.w, pack.vec);
            if (pack.kind == Kind::Axial) {
                const F about = dot(turn(q, load(pack.axis)), w);
                turns = turns + weight * (F::load(pack.across) * dot(w, w) +
                                          F::load(pack.more) * about * about);
            } else {
                const V w_B = turn(q.conjugate(), w);
                turns = turns + weight * dot(w_B, inertia(pack) * w_B);
            }
        }
        return {moves.sum() / 2, turns.sum() / 2, lifted.sum()};
    }

    // --- a step of Newton's method ---

    static void correct(const BodyPack* first, long count, const StageWeights& stage,
                        const double* u, const BodyArrays& next) noexcept
    {
        const double rate = 1 / stage.h_bar;
        for (long k = 0; k < count; ++k) {
            const BodyPack& pack = first[k];
            const V v = V::gather(next.v, pack.vec) + V::gather(u, pack.offset);
            v.scatter(next.v, pack.vec);
            (load(pack.X) + stage.h_bar * v).scatter(next.p, pack.vec);
            if (pack.kind == Kind::Particle || pack.alone) continue;
            const V theta = stage.h_bar * V::gather(u + 3, pack.offset);
            const Q q = made_unit(exp_quat(theta) * Q::gather(next.q, pack.quat));
            const V more = log_so3(q * load(pack.base_q).conjugate());
            q.scatter(next.q, pack.quat);
            (load(pack.base_w) + rate * more).scatter(next.w, pack.vec);
        }
    }

    static constexpr PackMoves all()
    {
        return {begin, put, measure, measure_rows, correct, energy};
    }
};

}  // namespace taut::stepper

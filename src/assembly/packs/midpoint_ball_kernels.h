// Rows of ball joints in the midpoint scheme, as assembly/midpoint_rows.h defines them, for one number type like ball_kernels.h.
//
//     s̄ = R̄ s at the mean pose:   J = (I, −[s̄_0]ₓ, −I, [s̄_1]ₓ),   K̃ = tension form at s̄
//     φ at the end of the step:    g = −(φ + r φ₀)/h,   Σ = (1 + r) C/(h h̄)
//
// r is 1 for compliant rows whose oscillation the step resolves, else 0. φ is linear in p and R, so that φ₀ = 2φ̄ − φ.
#pragma once

#include "assembly/packs/ball_kernels.h"

namespace taut::assembly {

template <class Number>
struct MidpointBallKernels {
    using N = Number;
    using B = BallKernels<N>;
    using V = Vector3<N>;
    using At = PackAccess<N>;
    using Side = BallPack::Side;
    using Rows = typename B::Rows;  // levers at the mean pose, φ at the end

    static V point(At at, const Places& place, const double* p, const V& lever) noexcept
    {
        return V::from(at.at(p, place)) + lever;
    }

    static Rows evaluate(At at, const BallPack& pack, const BallArrays& to) noexcept
    {
        const Side &i = pack.side[0], &j = pack.side[1];
        Rows rows;
        rows.s = B::lever(at, i, i.start, to.pose_R);
        rows.t = B::lever(at, j, j.start, to.pose_R);
        rows.phi = point(at, i.end, to.end_p, B::lever(at, i, i.end, to.end_R)) -
                   point(at, j.end, to.end_p, B::lever(at, j, j.end, to.end_R));
        rows.lambda = V::from(at.at(to.lambda, pack.row));
        rows.impulse = to.h * rows.lambda;
        return rows;
    }

    static void write_equations(At at, const Rows& rows, const BallPack& pack,
                                const BallArrays& to) noexcept
    {
        const double per_move = 1 / to.move;
        V phi = rows.phi;
        const N one = broadcast<N>(1);
        V weight = {one, one, one};
        if (to.resolved) {
            const Side &i = pack.side[0], &j = pack.side[1];
            const V mean =
                point(at, i.start, to.pose_p, rows.s) - point(at, j.start, to.pose_p, rows.t);
            const V start = 2.0 * mean - phi, r = V::from(at.at(to.resolved, pack.row));
            phi = phi + V{r.x * start.x, r.y * start.y, r.z * start.z};
            weight = weight + r;
        }
        ((-per_move) * phi).to(at.at(to.g, pack.row));
        if (!to.matrix) return;
        const V soft = (per_move / to.h) *
                       B::gather_strided(at.at(to.compliance, pack.softness), kRowSoftness);
        V{weight.x * soft.x, weight.y * soft.y, weight.z * soft.z}.to(at.at(to.sigma, pack.row));
    }

    static Rows write_rows(At at, const BallPack& pack, const BallArrays& to) noexcept
    {
        const Rows rows = evaluate(at, pack, to);
        B::scatter_strided(rows.phi, at.at(to.phi, pack.at), kRowStart);
        write_equations(at, rows, pack, to);
        return rows;
    }

    // The order of sums is that of BallKernels::write().
    static void write(const BallPack* packs, long count, const BallArrays& to) noexcept
    {
        for (long k = 0; k < count; ++k) {
            const BallPack& pack = packs[k];
            if constexpr (kIsScalar<N>) {
                for (int lane = 0; lane < 4; ++lane)
                    B::write_side_0(At(lane), write_rows(At(lane), pack, to), pack.side[0], to);
                for (int lane = 0; lane < 4; ++lane)
                    B::write_side_1(At(lane), evaluate(At(lane), pack, to), pack.side[1], to);
            } else {
                const Rows rows = write_rows(At(0), pack, to);
                B::write_side_0(At(0), rows, pack.side[0], to);
                B::write_side_1(At(0), rows, pack.side[1], to);
            }
        }
    }

    // One joint, either of its bodies perhaps immovable.
    static void write_one(const BallPack& pack, int lane, const BallArrays& to) noexcept
    {
        const At at(lane);
        const Rows rows = write_rows(at, pack, to);
        if (pack.side[0].offset.at[lane] >= 0) B::write_side_0(at, rows, pack.side[0], to);
        if (pack.side[1].offset.at[lane] >= 0) B::write_side_1(at, rows, pack.side[1], to);
    }
};

}  // namespace taut::assembly

// Rows of four ball joints. Included by one file per kind of machine; see four.h for what may be called from here.
#pragma once

#include "assembly/packs/ball_pack.h"

namespace taut::assembly {

template <int W>
struct BallKernels {
    using F = Four<W>;
    using V = FourVectors<F>;

    static V gather(const double* from, const Places& at, int stride) noexcept
    {
        return {F::gather(from, at), F::gather(from + stride, at),
                F::gather(from + 2 * stride, at)};
    }
    static void scatter(const V& a, double* to, const Places& at, int stride) noexcept
    {
        a.x.scatter(to, at), a.y.scatter(to + stride, at), a.z.scatter(to + 2 * stride, at);
    }
    static void add(const V& a, double* to, const Places& at) noexcept
    {
        (V::gather(to, at) + a).scatter(to, at);
    }
    static void add(const V& force, const V& torque, double* to, const Places& at) noexcept
    {
        const F more[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
        F sum[6];
        F::gather(to, at, sum);
        for (int k = 0; k < 6; ++k) sum[k] = sum[k] + more[k];
        F::scatter(sum, to, at);
    }

    // R s of a body, world axes; R has its columns one after the other.
    static V lever(const BallPack::Side& side, const double* R) noexcept
    {
        F c[9];
        F::gather(R, side.start, c);
        const F x = F::load(side.lever[0]), y = F::load(side.lever[1]), z = F::load(side.lever[2]);
        return {x * c[0] + y * c[3] + z * c[6], x * c[1] + y * c[4] + z * c[7],
                x * c[2] + y * c[5] + z * c[8]};
    }

    // (±1, ∓[s]ₓ), row by row.
    static void write_jacobian(const V& s, double sign, const BallPack::Side& side,
                               double* J) noexcept
    {
        const double one[18] = {sign, 0, 0, 0, 0, 0, 0, sign, 0, 0, 0, 0, 0, 0, sign, 0, 0, 0};
        for (int lane = 0; lane < 4; ++lane) {
            double* const block = J + side.jacobian.at[lane];
            for (int k = 0; k < 18; ++k) block[k] = one[k];
        }
        const V t = sign * s;
        t.z.scatter(J + 4, side.jacobian), (-t.y).scatter(J + 5, side.jacobian);
        (-t.z).scatter(J + 9, side.jacobian), t.x.scatter(J + 11, side.jacobian);
        t.y.scatter(J + 15, side.jacobian), (-t.x).scatter(J + 16, side.jacobian);
    }

    // h² times lever_tension() of parts/point.h, added to the rotational part of a diagonal block.
    static void add_tension(const V& f, const V& s, double square_h, const BallPack::Side& side,
                            double* H) noexcept
    {
        const F pull = dot(f, s), square = dot(s, s);
        F stiff, scale;
        for (int k = 0; k < F::kParts; ++k) {  // pushed, or without a lever: nothing
            const auto pulls = pull.part[k] > 0;
            stiff.part[k] = pulls ? square_h * pull.part[k] : Lane<W>{};
            scale.part[k] = pulls ? stiff.part[k] / square.part[k] : Lane<W>{};
        }
        const V t = scale * s;
        const F xy = -(t.x * s.y), xz = -(t.x * s.z), yz = -(t.y * s.z);
        add({stiff - t.x * s.x, xy, xz}, H + 21, side.block);
        add({xy, stiff - t.y * s.y, yz}, H + 27, side.block);
        add({xz, yz, stiff - t.z * s.z}, H + 33, side.block);
    }

    static void put(const BallPack* packs, long count, const BallTarget& to) noexcept
    {
        const double per_h = 1 / to.h;
        for (long k = 0; k < count; ++k) {
            const BallPack& pack = packs[k];
            const BallPack::Side &i = pack.side[0], &j = pack.side[1];
            const V s = lever(i, to.pose_R), t = lever(j, to.pose_R);
            const V phi = V::gather(to.pose_p, i.start) + s - V::gather(to.pose_p, j.start) - t;
            scatter(phi, to.phi, pack.at, kRowStart);
            ((-per_h) * phi).scatter(to.g, pack.row);

            const V lambda = V::gather(to.lambda, pack.row);
            const V impulse = to.h * lambda;
            add(impulse, cross(s, impulse), to.reaction, i.offset);
            add((-1.0) * impulse, cross(impulse, t), to.reaction, j.offset);

            if (!to.matrix) continue;
            ((per_h * per_h) * gather(to.compliance, pack.softness, kRowSoftness))
                .scatter(to.sigma, pack.row);
            write_jacobian(s, 1, i, to.J);
            write_jacobian(t, -1, j, to.J);
            if (!to.tension) continue;
            add_tension(lambda, s, to.h * to.h, i, to.H);
            add_tension((-1.0) * lambda, t, to.h * to.h, j, to.H);
        }
    }
};

}  // namespace taut::assembly

// Rows of ball joints, φ = d and J = (I, −[s_0]ₓ, −I, [s_1]ₓ) as in constraints/joints/ball.h, for one number type: double
// (one joint) or Four<W>. Included by one file per kind of machine; see four_lanes.h for what may be called from here.
#pragma once

#include "assembly/packs/ball_pack.h"

namespace taut::assembly {

// The order in which the formula rounds. Joints in packs and joints on their own differ by the last bit, and which of the
// two a joint is depends on the model alone: results are reproducible either way.
enum class BallRounding {
    Packed,  // sums from left to right; tension times h² before it is projected
    Single,  // as Eigen does it for Ball: the third component of R s is a + (b + c); tension times h² at the end
};

template <class Number, BallRounding kRounding = BallRounding::Packed>
struct BallKernels {
    using N = Number;
    using V = Vector3<N>;
    using At = PackAccess<N>;
    using Side = BallPack::Side;

    template <class Place>
    static V gather_strided(const Place& at, int stride) noexcept
    {
        return {load_at<N>(at), load_at<N>(at + stride), load_at<N>(at + 2 * stride)};
    }
    template <class Place>
    static void scatter_strided(const V& a, const Place& to, int stride) noexcept
    {
        store_at(a.x, to), store_at(a.y, to + stride), store_at(a.z, to + 2 * stride);
    }
    template <class Place>
    static void add(const V& a, const Place& to) noexcept
    {
        (V::from(to) + a).to(to);
    }
    template <class Place>
    static void add(const V& force, const V& torque, const Place& to) noexcept
    {
        const N more[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
        N sum[6];
        load_at(to, sum);
        for (int k = 0; k < 6; ++k) sum[k] = sum[k] + more[k];
        store_at(sum, to);
    }

    // R s of a body, world axes; R has its columns one after the other.
    static V lever(At at, const Side& side, const Places& place, const double* R) noexcept
    {
        N c[9];
        load_at(at.at(R, place), c);
        const N x = at.load(side.lever[0]), y = at.load(side.lever[1]), z = at.load(side.lever[2]);
        const N third = kRounding == BallRounding::Packed ? x * c[2] + y * c[5] + z * c[8]
                                                          : x * c[2] + (y * c[5] + z * c[8]);
        return {x * c[0] + y * c[3] + z * c[6], x * c[1] + y * c[4] + z * c[7], third};
    }

    // (±1, ∓[s]ₓ), row by row.
    static constexpr double kPlus[18] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    static constexpr double kMinus[18] = {-1, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0};
    static void write_jacobian(At at, const V& s, double sign, const Side& side, double* J) noexcept
    {
        const double* const linear = sign > 0 ? kPlus : kMinus;
        at.each_lane(
            [&](int lane) { __builtin_memcpy(J + side.jacobian.at[lane], linear, sizeof(kPlus)); });
        const V t = sign * s;
        const auto block = at.at(J, side.jacobian);
        store_at(t.z, block + 4), store_at(-t.y, block + 5);
        store_at(-t.z, block + 9), store_at(t.x, block + 11);
        store_at(t.y, block + 15), store_at(-t.x, block + 16);
    }

    // h² times lever_tension() of parts/point.h, added to the rotational part of a diagonal block. A force that pushes
    // adds nothing, nor does a vanishing lever.
    static void add_tension(At at, const V& f, const V& s, double square_h, const Side& side,
                            double* H) noexcept
    {
        const N pull = dot(f, s);
        const auto block = at.at(H, side.block);
        if constexpr (kRounding == BallRounding::Packed) {
            const N stiff = where_positive(square_h * pull, pull);
            const V t = where_positive(stiff / dot(s, s), pull) * s;
            const N xy = -(t.x * s.y), xz = -(t.x * s.z), yz = -(t.y * s.z);
            add({stiff - t.x * s.x, xy, xz}, block + 21);
            add({xy, stiff - t.y * s.y, yz}, block + 27);
            add({xz, yz, stiff - t.z * s.z}, block + 33);
        } else {
            const N stiff = where_positive(pull, pull);
            const V t = where_positive(stiff / dot(s, s), pull) * s;
            add(square_h * V{stiff - t.x * s.x, -(t.x * s.y), -(t.x * s.z)}, block + 21);
            add(square_h * V{-(t.y * s.x), stiff - t.y * s.y, -(t.y * s.z)}, block + 27);
            add(square_h * V{-(t.z * s.x), -(t.z * s.y), stiff - t.z * s.z}, block + 33);
        }
    }

    // The rows of a joint, and what they do to its bodies with the present λ.
    struct Rows {
        V s, t;  // levers, world axes
        V phi, lambda, impulse;
    };

    static Rows evaluate(At at, const BallPack& pack, const BallArrays& to) noexcept
    {
        const Side &i = pack.side[0], &j = pack.side[1];
        Rows rows;
        rows.s = lever(at, i, i.start, to.pose_R), rows.t = lever(at, j, j.start, to.pose_R);
        rows.phi = V::from(at.at(to.pose_p, i.start)) + rows.s -
                   V::from(at.at(to.pose_p, j.start)) - rows.t;
        rows.lambda = V::from(at.at(to.lambda, pack.row));
        rows.impulse = to.h * rows.lambda;
        return rows;
    }

    // --- the schemes of one solve: Single, in the order of the slots ---

    // K̃ of lever_tension() at [lane][row][column], times h².
    static void store_tension(const V& f, const V& s, double square_h, double (&out)[9][4]) noexcept
    {
        const N pull = dot(f, s), stiff = where_positive(pull, pull);
        const V t = where_positive(stiff / dot(s, s), pull) * s;
        const N block[9] = {stiff - t.x * s.x, -(t.x * s.y),      -(t.x * s.z),
                            -(t.y * s.x),      stiff - t.y * s.y, -(t.y * s.z),
                            -(t.z * s.x),      -(t.z * s.y),      stiff - t.z * s.z};
        for (int k = 0; k < 9; ++k) (square_h * block[k]).store(out[k]);
    }
    static void add_lane(const double (&from)[9][4], int lane, double* block) noexcept
    {
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) block[6 * r + c] += from[3 * r + c][lane];
    }

    // φ, J, rhs = −φ/h, Σ = C/h² and K̃ of joints between bodies that move, as write_one() and position_row() round.
    // Neighbours may share a body: what they add to it is added joint by joint.
    static void write_in_order(const BallPack* packs, long count, const BallArrays& to) noexcept
    {
        const N h = broadcast<N>(to.h), square = broadcast<N>(to.h * to.h);
        const auto over_h = [&](const N& a) { return -((a + 0.0) / h); };
        for (long k = 0; k < count; ++k) {
            const BallPack& pack = packs[k];
            const At at(0);
            const Rows rows = evaluate(at, pack, to);
            const V rhs = {over_h(rows.phi.x), over_h(rows.phi.y), over_h(rows.phi.z)};
            scatter_strided(rows.phi, at.at(to.phi, pack.at), kRowStart);
            scatter_strided(rhs, at.at(to.phi + kRhs, pack.at), kRowStart);
            rhs.to(at.at(to.g, pack.row));
            const V soft = gather_strided(at.at(to.compliance, pack.softness), kRowSoftness);
            V{soft.x / square, soft.y / square, soft.z / square}.to(at.at(to.sigma, pack.row));
            write_jacobian(at, rows.s, 1, pack.side[0], to.J);
            write_jacobian(at, rows.t, -1, pack.side[1], to.J);
            if (!to.tension) continue;
            double tension[2][9][4];
            store_tension(rows.lambda, rows.s, to.h * to.h, tension[0]);
            store_tension((-1.0) * rows.lambda, rows.t, to.h * to.h, tension[1]);
            for (int lane = 0; lane < 4; ++lane)
                for (int s = 0; s < 2; ++s)
                    add_lane(tension[s], lane, to.H + pack.side[s].block.at[lane] + 21);
        }
    }

    // Jᵀμ, J and K̃ of one of its bodies.
    static void write_side_0(At at, const Rows& rows, const Side& side,
                             const BallArrays& to) noexcept
    {
        if (to.reaction)
            add(rows.impulse, cross(rows.s, rows.impulse), at.at(to.reaction, side.offset));
        if (!to.matrix) return;
        write_jacobian(at, rows.s, 1, side, to.J);
        if (to.tension) add_tension(at, rows.lambda, rows.s, to.h * to.h, side, to.H);
    }
    static void write_side_1(At at, const Rows& rows, const Side& side,
                             const BallArrays& to) noexcept
    {
        if (to.reaction)
            add((-1.0) * rows.impulse, cross(rows.impulse, rows.t),
                at.at(to.reaction, side.offset));
        if (!to.matrix) return;
        write_jacobian(at, rows.t, -1, side, to.J);
        if (to.tension) add_tension(at, (-1.0) * rows.lambda, rows.t, to.h * to.h, side, to.H);
    }

    // g = −φ/h̄, Σ = C/h̄²
    static void write_equations(At at, const Rows& rows, const BallPack& pack,
                                const BallArrays& to) noexcept
    {
        const double per_h = 1 / to.h;
        ((-per_h) * rows.phi).to(at.at(to.g, pack.row));
        if (!to.matrix) return;
        ((per_h * per_h) * gather_strided(at.at(to.compliance, pack.softness), kRowSoftness))
            .to(at.at(to.sigma, pack.row));
    }

    static Rows write_rows(At at, const BallPack& pack, const BallArrays& to) noexcept
    {
        const Rows rows = evaluate(at, pack, to);
        scatter_strided(rows.phi, at.at(to.phi, pack.at), kRowStart);
        write_equations(at, rows, pack, to);
        write_side_0(at, rows, pack.side[0], to);
        return rows;
    }

    // First one side of all four joints, then the other: the sums of a body with several joints have an order.
    static void write(const BallPack* packs, long count, const BallArrays& to) noexcept
    {
        for (long k = 0; k < count; ++k) {
            const BallPack& pack = packs[k];
            if constexpr (kIsScalar<N>) {
                for (int lane = 0; lane < 4; ++lane) write_rows(At(lane), pack, to);
                for (int lane = 0; lane < 4; ++lane)
                    write_side_1(At(lane), evaluate(At(lane), pack, to), pack.side[1], to);
            } else {
                const Rows rows = write_rows(At(0), pack, to);
                write_side_1(At(0), rows, pack.side[1], to);
            }
        }
    }

    // One joint: a lane of a pack, either of its bodies perhaps immovable. g and Σ are left to the caller.
    static void write_one(const BallPack& pack, int lane, const BallArrays& to) noexcept
    {
        const At at(lane);
        const Rows rows = evaluate(at, pack, to);
        scatter_strided(rows.phi, at.at(to.phi, pack.at), kRowStart);
        if (pack.side[0].offset.at[lane] >= 0) write_side_0(at, rows, pack.side[0], to);
        if (pack.side[1].offset.at[lane] >= 0) write_side_1(at, rows, pack.side[1], to);
    }
};

}  // namespace taut::assembly

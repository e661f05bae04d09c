// Elimination and substitution along the four pieces of a stretch. Included by one file per kind of machine; see four_lanes.h
// for what may be called from here.
//
// A node is a front: its N unknowns, then the R rows that it touches, then the right-hand side, as packed columns of fours:
//
//     body    [ 6 | D: joint after it | D: `before` | b ]           6 columns, column c from its diagonal down
//     joint   [ D | 6: next body      | D: `before` | b ]           D columns
//     rest    [ D: `after` | D: `before` | b ]                      what the pieces leave behind, to be added there
//
// After elimination a column holds 1/d in place of its diagonal, L below it, and D⁻¹L⁻¹b.
#pragma once

#include "core/four_lanes.h"
#include "linalg/block_kernels.h"
#include "linalg/stretches/stretch_moves.h"

namespace taut::linalg::kernels {

template <int W, int D>
struct StretchKernels {
    using F = Four<W>;
    using Link = StretchLink;
    using Source = typename F::template Located<const double>;

    template <int N, int R>
    struct Shape {
        static constexpr int kUnknowns = N, kTouched = R, kRows = N + R + 1;
        static constexpr int kSize = N * kRows - N * (N - 1) / 2;
        // stretch_place(), which is not called from here because others call it, too
        static constexpr int at(int c, int r) { return c * kRows - c * (c - 1) / 2 + r - c; }
    };
    using Body = Shape<6, 2 * D>;
    using Joint = Shape<D, 6 + D>;
    using Rest = Shape<2 * D, 0>;
    static_assert(4 * Body::kSize == stretch_body_size(D));
    static_assert(4 * Joint::kSize == stretch_joint_size(D));
    static_assert(4 * Rest::kSize == stretch_rest_size(D));
    static_assert(4 * Rest::at(1, 2) == stretch_place(Rest::kRows, 1, 2));

    template <class S>
    static F get(const double* record, int c, int r) noexcept
    {
        return F::load(record + 4 * S::at(c, r));
    }
    template <class S>
    static void put(const F& value, double* record, int c, int r) noexcept
    {
        value.store(record + 4 * S::at(c, r));
    }

    // --- loading ---

    static void load_body(const Link& link, const Places* first, const StretchInput& in,
                          double* to) noexcept
    {
        const Source block(in.H, link.body);
#pragma GCC unroll 6
        for (int c = 0; c < 6; ++c) {
            F row[6];  // of a symmetric block
            F::gather(block + 6 * c, row);
#pragma GCC unroll 6
            for (int r = c; r < 6; ++r) put<Body>(row[r], to, c, r);
        }
        load_rows(in.J, link.hold, 6, to);
        if (first) {
            load_rows(in.J, *first, 6 + D, to);
        } else {
            for (int c = 0; c < 6; ++c)
                for (int r = 0; r < D; ++r) put<Body>(F::all(0), to, c, 6 + D + r);
        }
        F b[6];
        F::gather(in.f, link.body_offset, b);
#pragma GCC unroll 6
        for (int c = 0; c < 6; ++c) put<Body>(b[c], to, c, Body::kRows - 1);
    }
    // D rows of J, to rows of a body's front from `start` on.
    static void load_rows(const double* J, const Places& block, int start, double* to) noexcept
    {
        const Source rows(J, block);
#pragma GCC unroll 5
        for (int r = 0; r < D; ++r) {
            F row[6];
            F::gather(rows + 6 * r, row);
#pragma GCC unroll 6
            for (int c = 0; c < 6; ++c) put<Body>(row[c], to, c, start + r);
        }
    }

    static void load_joint(const Link& link, const StretchInput& in, double* to) noexcept
    {
        F sigma[D], b[D];
        F::gather(in.sigma, link.joint_offset, sigma);
        F::gather(in.g, link.joint_offset, b);
        const Source onto(in.J, link.onto);
#pragma GCC unroll 5
        for (int c = 0; c < D; ++c) {
            put<Joint>(-sigma[c], to, c, c);
            for (int r = c + 1; r < D; ++r) put<Joint>(F::all(0), to, c, r);
            F row[6];
            F::gather(onto + 6 * c, row);
#pragma GCC unroll 6
            for (int r = 0; r < 6; ++r) put<Joint>(row[r], to, c, D + r);
            for (int r = 0; r < D; ++r) put<Joint>(F::all(0), to, c, D + 6 + r);
            put<Joint>(b[c], to, c, Joint::kRows - 1);
        }
    }

    // --- elimination ---

    struct Count {
        F negative, tiny;
    };

    static F invert_pivot(const F& d, const F& diagonal, Count& count) noexcept
    {
        F out;
        for (int k = 0; k < F::kParts; ++k) {
            using L = Lane<W>;
            const L pivot = d.part[k], zero = {};
            const L size = pivot < 0 ? -pivot : pivot;
            const L was = diagonal.part[k] < 0 ? -diagonal.part[k] : diagonal.part[k];
            // not a number: is not large enough
            const L inverse = 1 / pivot, limit = kTinyPivot * was;
            out.part[k] = size > limit ? inverse : zero;
            const L one = zero + 1;
            count.tiny.part[k] += size > limit ? zero : one;
            count.negative.part[k] += out.part[k] < 0 ? one : zero;
        }
        return out;
    }

    // Left-looking, as in block_kernels.h: `w` becomes L·D.
    template <class S>
    static void factor(double* record, F (&w)[S::kSize], Count& count) noexcept
    {
#pragma GCC unroll 6
        for (int j = 0; j < S::kUnknowns; ++j) {
            F sum[S::kRows];
#pragma GCC unroll 17
            for (int r = j; r < S::kRows; ++r) sum[r] = get<S>(record, j, r);
            const F diagonal = sum[j];
#pragma GCC unroll 6
            for (int c = 0; c < j; ++c) {
                const F factor = get<S>(record, c, j);
#pragma GCC unroll 17
                for (int r = j; r < S::kRows; ++r) sum[r] = sum[r] - factor * w[S::at(c, r)];
            }
            const F inverse = invert_pivot(sum[j], diagonal, count);
            put<S>(inverse, record, j, j);
#pragma GCC unroll 17
            for (int r = j + 1; r < S::kRows; ++r) {
                w[S::at(j, r)] = sum[r];
                put<S>(sum[r] * inverse, record, j, r);
            }
        }
    }

    // What the touched rows lose, column s of it: lose(r, loss) for r = s … R, the last being the right-hand side.
    template <class S, class Lose>
    [[gnu::always_inline]] static void update(const double* record, const F (&w)[S::kSize], int s,
                                              Lose&& lose) noexcept
    {
        constexpr int N = S::kUnknowns, R = S::kTouched;
        F sum[R + 1];
        const F first = get<S>(record, 0, N + s);
#pragma GCC unroll 13
        for (int r = s; r <= R; ++r) sum[r] = first * w[S::at(0, N + r)];
#pragma GCC unroll 6
        for (int c = 1; c < N; ++c) {
            const F factor = get<S>(record, c, N + s);
#pragma GCC unroll 13
            for (int r = s; r <= R; ++r) sum[r] = sum[r] + factor * w[S::at(c, N + r)];
        }
#pragma GCC unroll 13
        for (int r = s; r <= R; ++r) lose(r, sum[r]);
    }
    static void lose(const F& loss, double* number) noexcept
    {
        (F::load(number) - loss).store(number);
    }

    static void update_joint(const double* record, const F (&w)[Body::kSize], double* joint,
                             double* rest) noexcept
    {
#pragma GCC unroll 5
        for (int s = 0; s < D; ++s)
            update<Body>(record, w, s, [&](int r, const F& loss) {
                const int row = r < D ? r : 6 + r;  // past the rows of the next body
                lose(loss, joint + 4 * Joint::at(s, row));
            });
        update_before<Body, D>(record, w, rest);
    }
    static void update_body(const double* record, const F (&w)[Joint::kSize], double* body,
                            double* rest) noexcept
    {
#pragma GCC unroll 6
        for (int s = 0; s < 6; ++s)
            update<Joint>(record, w, s, [&](int r, const F& loss) {
                const int row = r < 6 ? r : D + r;  // past the rows of the joint after it
                lose(loss, body + 4 * Body::at(s, row));
            });
        update_before<Joint, 6>(record, w, rest);
    }
    // Rows of `before` follow `kAfter` others.
    template <class S, int kAfter>
    static void update_before(const double* record, const F (&w)[S::kSize], double* rest) noexcept
    {
#pragma GCC unroll 5
        for (int s = 0; s < D; ++s)
            update<S>(record, w, kAfter + s, [&](int r, const F& loss) {
                lose(loss, rest + 4 * Rest::at(D + s, D + r - kAfter));
            });
    }
    static void update_rest(const double* record, const F (&w)[Body::kSize], double* rest) noexcept
    {
#pragma GCC unroll 10
        for (int s = 0; s < 2 * D; ++s)
            update<Body>(record, w, s,
                         [&](int r, const F& loss) { lose(loss, rest + 4 * Rest::at(s, r)); });
    }

    static void clear(double* rest) noexcept
    {
        for (int k = 0; k < Rest::kSize; ++k) F::all(0).store(rest + 4 * k);
    }

    static void eliminate(const StretchMemory& m, const StretchInput& in,
                          StretchPivots& pivots) noexcept
    {
        Count bodies = {F::all(0), F::all(0)}, joints = bodies;
        double* body = m.store;
        clear(m.rest);
        load_body(m.links[0], &m.first, in, body);
        for (int k = 0; k + 1 < m.count; ++k) {
            double* const joint = body + 4 * Body::kSize;
            double* const next = joint + 4 * Joint::kSize;
            load_joint(m.links[k], in, joint);
            load_body(m.links[k + 1], nullptr, in, next);
            {
                F w[Body::kSize];
                factor<Body>(body, w, bodies);
                update_joint(body, w, joint, m.rest);
            }
            {
                F w[Joint::kSize];
                factor<Joint>(joint, w, joints);
                update_body(joint, w, next, m.rest);
            }
            body = next;
        }
        F w[Body::kSize];
        factor<Body>(body, w, bodies);
        update_rest(body, w, m.rest);
        pivots.body_negative = static_cast<int>(bodies.negative.sum());
        pivots.body_tiny = static_cast<int>(bodies.tiny.sum());
        pivots.joint_negative = static_cast<int>(joints.negative.sum());
        pivots.joint_tiny = static_cast<int>(joints.tiny.sum());
    }

    // --- substitution ---

    // b ← D⁻¹L⁻¹b; what the touched rows lose of theirs is taken from `touched`.
    template <class S>
    [[gnu::always_inline]] static void forward(double* record, F (&b)[S::kUnknowns],
                                               F (&touched)[S::kTouched]) noexcept
    {
        constexpr int N = S::kUnknowns, R = S::kTouched;
#pragma GCC unroll 6
        for (int c = 0; c < N; ++c) {
#pragma GCC unroll 6
            for (int r = c + 1; r < N; ++r) b[r] = b[r] - get<S>(record, c, r) * b[c];
#pragma GCC unroll 12
            for (int r = 0; r < R; ++r) touched[r] = touched[r] - get<S>(record, c, N + r) * b[c];
            put<S>(get<S>(record, c, c) * b[c], record, c, S::kRows - 1);
        }
    }

    // Right-hand sides alone, with a finished factor.
    static void substitute_forward(const StretchMemory& m, const StretchInput& in) noexcept
    {
        double* record = m.store;
        F before[D], body[6], joint[D];
        for (F& number : before) number = F::all(0);
        F::gather(in.f, m.links[0].body_offset, body);
        for (int k = 0;; ++k) {
            const bool last = k + 1 == m.count;
            F after_body[2 * D];
            if (last)
                for (F& number : joint) number = F::all(0);
            else
                F::gather(in.g, m.links[k].joint_offset, joint);
            for (int r = 0; r < D; ++r) after_body[r] = joint[r], after_body[D + r] = before[r];
            forward<Body>(record, body, after_body);
            for (int r = 0; r < D; ++r) joint[r] = after_body[r], before[r] = after_body[D + r];
            record += 4 * Body::kSize;
            if (last) break;

            F after_joint[6 + D];
            F::gather(in.f, m.links[k + 1].body_offset, body);
            for (int r = 0; r < 6; ++r) after_joint[r] = body[r];
            for (int r = 0; r < D; ++r) after_joint[6 + r] = before[r];
            forward<Joint>(record, joint, after_joint);
            for (int r = 0; r < 6; ++r) body[r] = after_joint[r];
            for (int r = 0; r < D; ++r) before[r] = after_joint[6 + r];
            record += 4 * Joint::kSize;
        }
        for (int r = 0; r < D; ++r) {
            put<Rest>(joint[r], m.rest, r, Rest::kRows - 1);
            put<Rest>(before[r], m.rest, D + r, Rest::kRows - 1);
        }
    }

    // x ← D⁻¹L⁻¹b − Lᵀ(x, touched), from the last to the first.
    template <class S>
    [[gnu::always_inline]] static void backward(const double* record,
                                                const F (&touched)[S::kTouched],
                                                F (&x)[S::kUnknowns]) noexcept
    {
        constexpr int N = S::kUnknowns, R = S::kTouched;
#pragma GCC unroll 6
        for (int c = 0; c < N; ++c) {
            F sum = get<S>(record, c, N) * touched[0];
#pragma GCC unroll 12
            for (int r = 1; r < R; ++r) sum = sum + get<S>(record, c, N + r) * touched[r];
            x[c] = get<S>(record, c, S::kRows - 1) - sum;
        }
#pragma GCC unroll 6
        for (int r = N - 1; r > 0; --r)
#pragma GCC unroll 6
            for (int c = r - 1; c >= 0; --c) x[c] = x[c] - get<S>(record, c, r) * x[r];
    }

    // From what `after` and `before` have become.
    static void substitute_back(const StretchMemory& m, const double* ends, double* x,
                                double* y) noexcept
    {
        F after_body[2 * D], after_joint[6 + D], body[6], joint[D];
        for (int r = 0; r < 2 * D; ++r) after_body[r] = F::load(ends + 4 * r);
        for (int r = 0; r < D; ++r) after_joint[6 + r] = after_body[D + r];
        const double* record = m.last;
        for (int k = m.count - 1;; --k) {
            backward<Body>(record, after_body, body);
            F::scatter(body, x, m.links[k].body_offset);
            if (k == 0) return;
            record -= 4 * Joint::kSize;
            for (int r = 0; r < 6; ++r) after_joint[r] = body[r];
            backward<Joint>(record, after_joint, joint);
            record -= 4 * Body::kSize;
            F out[D];
            for (int r = 0; r < D; ++r) {
                after_body[r] = joint[r];
                out[r] = -joint[r];  // the matrix is symmetric in (x, −y)
            }
            F::scatter(out, y, m.links[k - 1].joint_offset);
        }
    }

    static constexpr StretchMoves moves() noexcept
    {
        return {eliminate, substitute_forward, substitute_back};
    }
};

template <int W>
constexpr StretchTable make_stretch_table() noexcept
{
    static_assert(kLeastStretchRows == 3 && kMostStretchRows == 5);
    return {StretchMoves{},
            StretchMoves{},
            StretchMoves{},
            StretchKernels<W, 3>::moves(),
            StretchKernels<W, 4>::moves(),
            StretchKernels<W, 5>::moves()};
}

}  // namespace taut::linalg::kernels

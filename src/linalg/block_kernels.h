// Small dense kernels of the block LDLᵀ: fixed sizes 1…6, loops that the compiler unrolls, W numbers at a time.
//
// A node of size N is kept as   [ columns | x | panels ]:
//   columns    N columns of stride(N) numbers: rows 0…N−1 of the node's symmetric block, of which the lower triangle
//              counts, then the right-hand side b_c as row N. After elimination the unit factor L with 1/d in
//              place of its diagonal, and D⁻¹L⁻¹b;
//   x          the same once more, contiguous; after back substitution the solution;
//   panel      one M×N block by columns of stride(M) per later neighbour of size M; after elimination L_ik.
// A column of a panel with the node's b_c as row M looks like a column of that neighbour: the update of the neighbour's
// triangle and of its right-hand side is one and the same, whole lanes at a time.
// A pivot below kTinyPivot of its own diagonal belongs to a row that says nothing new. Its inverse is
// set to zero: the unknown becomes zero, and no inf or NaN arises.
#pragma once

#include "core/lanes.h"
#include "linalg/thresholds.h"

namespace taut::linalg::kernels {

inline constexpr int kMaxSize = 6;
inline constexpr double kTinyPivot = FactorThresholds::kTinyPivot;

constexpr int padded(int n) { return (n + 3) / 4 * 4; }
constexpr int stride(int n) { return padded(n + 1); }
constexpr int columns_size(int n) { return n * stride(n); }  // x comes after that
constexpr int node_size(int n) { return columns_size(n) + padded(n); }
constexpr int panel_size(int rows, int columns) { return columns * stride(rows); }

struct PivotCount {
    int negative = 0;
    int tiny = 0;
};

// How an M×N panel lies in memory when its elimination begins.
enum class PanelLayout : unsigned char { ByColumns, ByRows, Padded };

template <int W>
struct Kernels {
    using L = Lane<W>;

    static L load(const double* p) { return *reinterpret_cast<const L*>(p); }
    static void store(double* p, L v) { *reinterpret_cast<L*>(p) = v; }
    static L both(double s) { return s - L{}; }  // in every lane

    static double invert_pivot(double d, double diagonal, PivotCount& count)
    {
        const bool tiny = !(__builtin_fabs(d) > kTinyPivot * __builtin_fabs(diagonal));
        count.tiny += tiny;
        count.negative += !tiny && d < 0;
        const double inverse = 1 / (tiny ? 1 : d);
        return tiny ? 0 : inverse;
    }

    // Columns that are S apart, from however they lie.
    template <int M, int N, int S>
    static void load_panel(const double* source, PanelLayout layout, double* columns)
    {
        if (layout == PanelLayout::ByColumns) {
#pragma GCC unroll 6
            for (int c = 0; c < N; ++c)
#pragma GCC unroll 6
                for (int r = 0; r < M; ++r) columns[c * S + r] = source[c * M + r];
        } else if (layout == PanelLayout::ByRows) {
#pragma GCC unroll 6
            for (int c = 0; c < N; ++c)
#pragma GCC unroll 6
                for (int r = 0; r < M; ++r) columns[c * S + r] = source[r * N + c];
        } else {
            for (int c = 0; c < N; ++c)
                for (int r = 0; r < M; ++r) columns[c * S + r] = source[c * stride(M) + r];
        }
    }

    template <int N, int M>
    static void copy_panel(const double* source, PanelLayout layout, double* panel)
    {
        load_panel<M, N, stride(M)>(source, layout, panel);
    }

    // The numbers of the matrix to a node's columns: a symmetric block by rows, or −Σ on the diagonal.
    template <int N>
    static void load_primal(const double* block, const double* f, double* node)
    {
#pragma GCC unroll 6
        for (int c = 0; c < N; ++c) {
            double* const column = node + c * stride(N);
#pragma GCC unroll 6
            for (int r = 0; r < N; ++r) column[r] = block[c * N + r];
            column[N] = f[c];
            for (int r = N + 1; r < stride(N); ++r) column[r] = 0;
        }
    }

    template <int N>
    static void load_dual(const double* sigma, const double* g, double* node)
    {
#pragma GCC unroll 6
        for (int c = 0; c < N; ++c) {
            double* const column = node + c * stride(N);
            for (int k = 0; k < stride(N); k += W) store(column + k, both(0));
            column[c] = -sigma[c];
            column[N] = g[c];
        }
    }

    // Column j of a node and, if M > 0, of its panel: `w` becomes L·D, `node` and `panel` become L. Left-looking: a
    // column is finished before the next is begun.
    template <int N, int M>
    struct Front {
        static constexpr int kNode = stride(N), kPanel = M > 0 ? stride(M) : 0;
        static constexpr int kLanes = (kNode + kPanel) / W;
        alignas(32) double w[N][kNode + kPanel];

        void eliminate(double* node, double* panel, PivotCount& count)
        {
            double inverse[N];
#pragma GCC unroll 6
            for (int j = 0; j < N; ++j) {
                const int first = j / W;
                L sum[kLanes];
#pragma GCC unroll 8
                for (int k = first; k < kLanes; ++k)
                    sum[k] = load(W * k < kNode ? node + j * kNode + W * k : &w[j][W * k]);
                const double diagonal = node[j * kNode + j];
#pragma GCC unroll 6
                for (int c = 0; c < j; ++c) {
                    const L factor = both(node[c * kNode + j]);
#pragma GCC unroll 8
                    for (int k = first; k < kLanes; ++k) sum[k] -= factor * load(&w[c][W * k]);
                }
                inverse[j] = invert_pivot(sum[j / W][j % W], diagonal, count);
                const L scale = both(inverse[j]);
#pragma GCC unroll 8
                for (int k = first; k < kLanes; ++k) {
                    store(&w[j][W * k], sum[k]);
                    if (W * k < kNode)
                        store(node + j * kNode + W * k, sum[k] * scale);
                    else
                        store(panel + j * kPanel + W * k - kNode, sum[k] * scale);
                }
            }
            double* const x = node + columns_size(N);
#pragma GCC unroll 6
            for (int c = 0; c < N; ++c) {
                node[c * kNode + c] = inverse[c];
                x[c] = node[c * kNode + N];
            }
        }
    };

    // ── elimination of a node with exactly one later neighbour: the case of every tree ──────────────────

    // Factor, panel, update and forward substitution in one go. `source` may be the node's own panel.
    template <int N, int M>
    static void eliminate_one(double* node, const double* source, PanelLayout layout,
                              double* target, PivotCount& count)
    {
        using NodeFront = Front<N, M>;
        constexpr int kNode = NodeFront::kNode, S = NodeFront::kPanel;
        NodeFront front;
        load_panel<M, N, kNode + S>(source, layout, &front.w[0][kNode]);
#pragma GCC unroll 6
        for (int c = 0; c < N; ++c) {
            double* const column = &front.w[c][kNode];
            column[M] = node[c * kNode + N];
            for (int r = M + 1; r < S; ++r) column[r] = 0;
        }
        double* const panel = node + node_size(N);
        front.eliminate(node, panel, count);

        // what the neighbour loses, in its triangle and in its right-hand side
#pragma GCC unroll 6
        for (int j = 0; j < M; ++j) {
            constexpr int kLanes = S / W;
            const int first = j / W;
            L sum[kLanes];
#pragma GCC unroll 4
            for (int k = first; k < kLanes; ++k)
                sum[k] = both(panel[j]) * load(&front.w[0][kNode + W * k]);
#pragma GCC unroll 6
            for (int c = 1; c < N; ++c) {
                const L factor = both(panel[c * S + j]);
#pragma GCC unroll 4
                for (int k = first; k < kLanes; ++k)
                    sum[k] += factor * load(&front.w[c][kNode + W * k]);
            }
            double* const column = target + j * S;
#pragma GCC unroll 4
            for (int k = first; k < kLanes; ++k)
                store(column + W * k, load(column + W * k) - sum[k]);
        }
    }

    // ── elimination of any node, piece by piece ──────────────────────────────────────────────────────────

    template <int N>
    static void factor_node(double* node, PivotCount& count)
    {
        Front<N, 0> front;
        front.eliminate(node, nullptr, count);
    }

    // One panel of a factored node: L_ik to `panel`, L_ik·D to `w`, and the neighbour's right-hand side.
    template <int N, int M>
    static void factor_panel(const double* node, const double* source, PanelLayout layout,
                             double* panel, double* w, double* target)
    {
        constexpr int S = stride(M), kNode = stride(N);
        double a[N * S];
        load_panel<M, N, S>(source, layout, a);
        for (int j = 0; j < N; ++j) {
            for (int c = 0; c < j; ++c) {
                const double factor = node[c * kNode + j];
                for (int r = 0; r < M; ++r) a[j * S + r] -= factor * a[c * S + r];
            }
            const double inverse = node[j * kNode + j], rhs = node[j * kNode + N];
            for (int r = 0; r < M; ++r) {
                w[j * S + r] = a[j * S + r];
                panel[j * S + r] = a[j * S + r] * inverse;
                target[r * S + M] -= a[j * S + r] * rhs;
            }
            for (int r = M; r < S; ++r) w[j * S + r] = 0;  // leaves right-hand sides alone
        }
    }

    // Triangle of a neighbour: T −= L D Lᵀ, n columns.
    template <int M>
    static void update_triangle(int n, const double* l, const double* w, double* target)
    {
        constexpr int S = stride(M);
#pragma GCC unroll 6
        for (int j = 0; j < M; ++j) {
            L sum[S / W];
            const int first = j / W;
#pragma GCC unroll 4
            for (int k = first; k < S / W; ++k) sum[k] = load(target + j * S + W * k);
            for (int c = 0; c < n; ++c) {
                const L factor = both(l[c * S + j]);
#pragma GCC unroll 4
                for (int k = first; k < S / W; ++k) sum[k] -= factor * load(w + c * S + W * k);
            }
#pragma GCC unroll 4
            for (int k = first; k < S / W; ++k) store(target + j * S + W * k, sum[k]);
        }
    }

    // Block between two neighbours, the column J eliminated before the row I: T_IJ −= L_I D L_Jᵀ.
    template <int I, int J>
    static void update_block(int n, const double* w_i, const double* l_j, double* target)
    {
        constexpr int S = stride(I);
#pragma GCC unroll 6
        for (int j = 0; j < J; ++j) {
            L sum[S / W];
#pragma GCC unroll 4
            for (int k = 0; k < S / W; ++k) sum[k] = load(target + j * S + W * k);
            for (int c = 0; c < n; ++c) {
                const L factor = both(l_j[c * stride(J) + j]);
#pragma GCC unroll 4
                for (int k = 0; k < S / W; ++k) sum[k] -= factor * load(w_i + c * S + W * k);
            }
#pragma GCC unroll 4
            for (int k = 0; k < S / W; ++k) store(target + j * S + W * k, sum[k]);
        }
    }

    // ── substitution with a finished factor ──────────────────────────────────────────────────────────────

    // x ← L⁻¹ x.
    template <int N>
    static void forward_node(const double* node, double* x)
    {
        for (int c = 0; c < N; ++c)
            for (int r = c + 1; r < N; ++r) x[r] -= node[c * stride(N) + r] * x[c];
    }

    template <int N, int M>
    static void forward_panel(const double* panel, const double* x, double* x_i)
    {
        for (int c = 0; c < N; ++c)
            for (int r = 0; r < M; ++r) x_i[r] -= panel[c * stride(M) + r] * x[c];
    }

    template <int N>
    static void scale_node(const double* node, double* x)
    {
        for (int c = 0; c < N; ++c) x[c] *= node[c * stride(N) + c];
    }

    // x −= L_ikᵀ x_i.
    template <int N, int M>
    static void backward_panel(const double* panel, const double* x_i, double* x)
    {
#pragma GCC unroll 6
        for (int c = 0; c < N; ++c) {
            double sum = panel[c * stride(M)] * x_i[0];
#pragma GCC unroll 6
            for (int r = 1; r < M; ++r) sum += panel[c * stride(M) + r] * x_i[r];
            x[c] -= sum;
        }
    }

    // x ← L⁻ᵀ x.
    template <int N>
    static void backward_node(const double* node, double* x)
    {
#pragma GCC unroll 6
        for (int c = N - 2; c >= 0; --c) {
            double sum = 0;
#pragma GCC unroll 6
            for (int r = N - 1; r > c; --r) sum += node[c * stride(N) + r] * x[r];
            x[c] -= sum;
        }
    }

    // Both of the above for a node with one neighbour, and the solution to where it belongs.
    template <int N, int M>
    static void backward_one(double* node, const double* x_i, double* out, double sign)
    {
        double x[N];
        double* const kept = node + columns_size(N);
#pragma GCC unroll 6
        for (int c = 0; c < N; ++c) x[c] = kept[c];
        backward_panel<N, M>(node + node_size(N), x_i, x);
        backward_node<N>(node, x);
#pragma GCC unroll 6
        for (int c = 0; c < N; ++c) {
            kept[c] = x[c];
            out[c] = sign * x[c];
        }
    }
};

}  // namespace taut::linalg::kernels

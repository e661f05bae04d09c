// Small dense kernels of the block LDLᵀ: fixed sizes 1…6, loops that the compiler unrolls.
//
// A node of size N is kept as   [ lower triangle | right-hand side | panels ]:
//   triangle   packed by columns, column c holds rows c…N−1; after elimination the unit factor L with
//              1/d in place of its diagonal;
//   rhs        after elimination D⁻¹L⁻¹b, after back substitution the solution;
//   panel      one M×N block by columns per later neighbour of size M; after elimination L_ik.
// A pivot below kTinyPivot of its own diagonal belongs to a row that says nothing new. Its inverse is
// set to zero: the unknown becomes zero, and no inf or NaN arises.
#pragma once

#include <cmath>

namespace taut::linalg::kernels {

inline constexpr int kMaxSize = 6;
inline constexpr double kTinyPivot = 1e-15;

constexpr int packed_size(int n) { return n * (n + 1) / 2; }
// Of entry (c, c) in the packed triangle of size n; entry (r, c) comes r − c later.
constexpr int packed_column(int n, int c) { return c * n - c * (c - 1) / 2; }

struct PivotCount {
    int negative = 0;
    int tiny = 0;
};

inline double invert_pivot(double d, double diagonal, PivotCount& count)
{
    const bool tiny = !(std::abs(d) > kTinyPivot * std::abs(diagonal));
    count.tiny += tiny;
    count.negative += !tiny && d < 0;
    const double inverse = 1 / (tiny ? 1 : d);
    return tiny ? 0 : inverse;
}

// Two doubles side by side, which every target has; written out because the compilers' own choice was
// half as fast. Needs no alignment.
typedef double Lane __attribute__((vector_size(16), aligned(8), may_alias));

inline Lane load(const double* p) { return *reinterpret_cast<const Lane*>(p); }
inline void store(double* p, Lane v) { *reinterpret_cast<Lane*>(p) = v; }
inline Lane both(double s) { return Lane{s, s}; }
constexpr int lanes(int n) { return (n + 1) / 2; }

// How an M×N panel lies in memory when its elimination begins.
enum class Layout : unsigned char { ByColumns, ByRows };

// N columns over R rows, padded to whole lanes: `w` becomes L·D, `l` becomes L.
template <int N, int R>
struct Front {
    static constexpr int kLanes = lanes(R);
    alignas(16) double w[N][2 * kLanes];
    alignas(16) double l[N][2 * kLanes];
    double inverse[N];

    // The node's own triangle and its right-hand side, which goes to the last row.
    void load_node(const double* node)
    {
#pragma GCC unroll 6
        for (int c = 0; c < N; ++c) {
            if (c % 2) w[c][c - 1] = 0;
#pragma GCC unroll 6
            for (int r = c; r < N; ++r) w[c][r] = node[packed_column(N, c) + r - c];
            w[c][R - 1] = node[packed_size(N) + c];
            if (R % 2) w[c][R] = 0;
        }
    }

    void store_node(double* node) const
    {
#pragma GCC unroll 6
        for (int c = 0; c < N; ++c) {
            double* const column = node + packed_column(N, c);
            column[0] = inverse[c];
#pragma GCC unroll 6
            for (int r = c + 1; r < N; ++r) column[r - c] = l[c][r];
            node[packed_size(N) + c] = l[c][R - 1];
        }
    }

    // Left-looking: a column is finished before the next is begun.
    void eliminate(PivotCount& count)
    {
#pragma GCC unroll 6
        for (int j = 0; j < N; ++j) {
            const double diagonal = w[j][j];
            Lane sum[kLanes];
#pragma GCC unroll 7
            for (int k = j / 2; k < kLanes; ++k) sum[k] = load(&w[j][2 * k]);
#pragma GCC unroll 6
            for (int c = 0; c < j; ++c) {
                const Lane factor = both(l[c][j]);
#pragma GCC unroll 7
                for (int k = j / 2; k < kLanes; ++k) sum[k] -= factor * load(&w[c][2 * k]);
            }
            inverse[j] = invert_pivot(sum[j / 2][j % 2], diagonal, count);
            const Lane scale = both(inverse[j]);
#pragma GCC unroll 7
            for (int k = j / 2; k < kLanes; ++k) {
                store(&w[j][2 * k], sum[k]);
                store(&l[j][2 * k], sum[k] * scale);
            }
        }
    }
};

template <int M, int N>
void load_panel(const double* source, Layout layout, double* columns, int stride)
{
    if (layout == Layout::ByColumns) {
        for (int c = 0; c < N; ++c)
            for (int r = 0; r < M; ++r) columns[c * stride + r] = source[c * M + r];
    } else {
        for (int c = 0; c < N; ++c)
            for (int r = 0; r < M; ++r) columns[c * stride + r] = source[r * N + c];
    }
}

template <int N, int M>
void copy_panel(const double* source, Layout layout, double* panel)
{
    load_panel<M, N>(source, layout, panel, M);
}

// The numbers of the matrix to a node's triangle: a symmetric block by rows, or −Σ on the diagonal.
template <int N>
void load_primal(const double* block, const double* f, double* node)
{
#pragma GCC unroll 6
    for (int c = 0; c < N; ++c) {
#pragma GCC unroll 6
        for (int r = c; r < N; ++r) node[packed_column(N, c) + r - c] = block[c * N + r];
        node[packed_size(N) + c] = f[c];
    }
}

template <int N>
void load_dual(const double* sigma, const double* g, double* node)
{
    for (int k = 0; k < packed_size(N); ++k) node[k] = 0;
    for (int c = 0; c < N; ++c) {
        node[packed_column(N, c)] = -sigma[c];
        node[packed_size(N) + c] = g[c];
    }
}

// ── elimination of a node with exactly one later neighbour: the case of every tree ──────────────────

// Factor, panel, update and forward substitution in one go. `source` may be the node's own panel.
template <int N, int M>
void eliminate_one(double* node, const double* source, Layout layout, double* target,
                   PivotCount& count)
{
    constexpr int kRhs = N + M;
    using NodeFront = Front<N, kRhs + 1>;
    constexpr int kLanes = NodeFront::kLanes;

    NodeFront front;
    front.load_node(node);
    load_panel<M, N>(source, layout, &front.w[0][N], 2 * kLanes);
    front.eliminate(count);

    // what the neighbour loses, in its triangle and in its right-hand side
#pragma GCC unroll 6
    for (int j = 0; j < M; ++j) {
        const int first = (N + j) / 2;
        Lane sum[kLanes];
#pragma GCC unroll 7
        for (int k = first; k < kLanes; ++k)
            sum[k] = both(front.l[0][N + j]) * load(&front.w[0][2 * k]);
#pragma GCC unroll 6
        for (int c = 1; c < N; ++c) {
            const Lane factor = both(front.l[c][N + j]);
#pragma GCC unroll 7
            for (int k = first; k < kLanes; ++k) sum[k] += factor * load(&front.w[c][2 * k]);
        }
        double* const column = target + packed_column(M, j);
#pragma GCC unroll 6
        for (int r = j; r < M; ++r) column[r - j] -= sum[(N + r) / 2][(N + r) % 2];
        target[packed_size(M) + j] -= sum[kRhs / 2][kRhs % 2];
    }

    front.store_node(node);
    double* const panel = node + packed_size(N) + N;
#pragma GCC unroll 6
    for (int c = 0; c < N; ++c)
#pragma GCC unroll 6
        for (int r = 0; r < M; ++r) panel[c * M + r] = front.l[c][N + r];
}

// ── elimination of any node, piece by piece ──────────────────────────────────────────────────────────

template <int N>
void factor_node(double* node, PivotCount& count)
{
    Front<N, N + 1> front;
    front.load_node(node);
    front.eliminate(count);
    front.store_node(node);
}

// One panel of a factored node: L_ik to `panel`, L_ik·D to `w`, and the neighbour's right-hand side.
template <int N, int M>
void factor_panel(const double* node, const double* source, Layout layout, double* panel, double* w,
                  double* target)
{
    double a[N][M];
    load_panel<M, N>(source, layout, &a[0][0], M);
    const double* const rhs = node + packed_size(N);
    double* const target_rhs = target + packed_size(M);
    for (int j = 0; j < N; ++j) {
        for (int c = 0; c < j; ++c) {
            const double factor = node[packed_column(N, c) + j - c];
            for (int r = 0; r < M; ++r) a[j][r] -= factor * a[c][r];
        }
        const double inverse = node[packed_column(N, j)];
        for (int r = 0; r < M; ++r) {
            w[j * M + r] = a[j][r];
            panel[j * M + r] = a[j][r] * inverse;
            target_rhs[r] -= a[j][r] * rhs[j];
        }
    }
}

// Triangle of a neighbour: T −= L D Lᵀ, by columns, n columns.
template <int M>
void update_triangle(int n, const double* l, const double* w, double* target)
{
    for (int c = 0; c < n; ++c)
        for (int j = 0; j < M; ++j) {
            const double factor = l[c * M + j];
            for (int r = j; r < M; ++r)
                target[packed_column(M, j) + r - j] -= factor * w[c * M + r];
        }
}

// Block between two neighbours, the column J eliminated before the row I: T_IJ −= L_I D L_Jᵀ.
template <int I, int J>
void update_block(int n, const double* w_i, const double* l_j, double* target)
{
    for (int c = 0; c < n; ++c)
        for (int j = 0; j < J; ++j) {
            const double factor = l_j[c * J + j];
            for (int r = 0; r < I; ++r) target[j * I + r] -= factor * w_i[c * I + r];
        }
}

// ── substitution with a finished factor ──────────────────────────────────────────────────────────────

// rhs ← L⁻¹ rhs.
template <int N>
void forward_node(const double* node, double* rhs)
{
    for (int c = 0; c < N; ++c)
        for (int r = c + 1; r < N; ++r) rhs[r] -= node[packed_column(N, c) + r - c] * rhs[c];
}

template <int N, int M>
void forward_panel(const double* panel, const double* rhs, double* target_rhs)
{
    for (int c = 0; c < N; ++c)
        for (int r = 0; r < M; ++r) target_rhs[r] -= panel[c * M + r] * rhs[c];
}

template <int N>
void scale_node(const double* node, double* rhs)
{
    for (int c = 0; c < N; ++c) rhs[c] *= node[packed_column(N, c)];
}

// rhs −= L_ikᵀ x_i.
template <int N, int M>
void backward_panel(const double* panel, const double* x_i, double* rhs)
{
#pragma GCC unroll 6
    for (int c = 0; c < N; ++c) {
        double sum = panel[c * M] * x_i[0];
#pragma GCC unroll 6
        for (int r = 1; r < M; ++r) sum += panel[c * M + r] * x_i[r];
        rhs[c] -= sum;
    }
}

// rhs ← L⁻ᵀ rhs.
template <int N>
void backward_node(const double* node, double* rhs)
{
#pragma GCC unroll 6
    for (int c = N - 2; c >= 0; --c) {
        double sum = 0;
#pragma GCC unroll 6
        for (int r = N - 1; r > c; --r) sum += node[packed_column(N, c) + r - c] * rhs[r];
        rhs[c] -= sum;
    }
}

// Both of the above for a node with one neighbour.
template <int N, int M>
void backward_one(double* node, const double* x_i)
{
    double rhs[N];
    for (int c = 0; c < N; ++c) rhs[c] = node[packed_size(N) + c];
    backward_panel<N, M>(node + packed_size(N) + N, x_i, rhs);
    backward_node<N>(node, rhs);
    for (int c = 0; c < N; ++c) node[packed_size(N) + c] = rhs[c];
}

}  // namespace taut::linalg::kernels

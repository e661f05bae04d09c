#include "linalg/saddle_ops.h"

#include <algorithm>

#include "core/assert.h"

namespace taut::linalg {
namespace {

// Calls visit(row, column, value) for every entry of the blocks, J above and below.
template <class Visit>
void visit_entries(const SaddleSystem& system, Visit visit)
{
    const SaddlePattern& p = *system.pattern;
    const auto block = [&](const Real* values, int row, int rows, int column, int columns) {
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c) visit(row + r, column + c, values[r * columns + c]);
    };
    const auto transposed = [&](const Real* values, int row, int rows, int column, int columns) {
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c) visit(row + r, column + c, values[c * rows + r]);
    };

    for (const auto& i : p.primals) block(&system.H[i.block], i.offset, i.size, i.offset, i.size);
    for (const auto& pair : p.pairs) {
        const auto& i = p.primals[pair.i];
        const auto& j = p.primals[pair.j];
        block(&system.H[pair.block_ij], i.offset, i.size, j.offset, j.size);
        if (system.symmetric)
            transposed(&system.H[pair.block_ij], j.offset, j.size, i.offset, i.size);
        else
            block(&system.H[pair.block_ji], j.offset, j.size, i.offset, i.size);
    }
    for (const auto& dual : p.duals) {
        const int row = p.primal_unknowns + dual.offset;
        for (int t = 0; t < dual.touches; ++t) {
            const auto& touch = p.touches[dual.first_touch + t];
            const auto& i = p.primals[touch.primal];
            block(&system.J[touch.block], row, dual.size, i.offset, i.size);
            transposed(&system.J[touch.block], i.offset, i.size, row, dual.size);
        }
        for (int r = 0; r < dual.size; ++r) visit(row + r, row + r, -system.sigma[dual.offset + r]);
    }
}

// A block of R rows and C columns, in loops of known length.
template <int R, int C>
void add_block_product(const Real* block, const Real* x, Real* out) noexcept
{
    for (int r = 0; r < R; ++r) {
        Real sum = 0;
        for (int c = 0; c < C; ++c) sum += block[r * C + c] * x[c];
        out[r] += sum;
    }
}
template <int R, int C>
void add_transposed_product(const Real* block, const Real* y, Real* out) noexcept
{
    Real sum[C] = {};
    for (int r = 0; r < R; ++r)
        for (int c = 0; c < C; ++c) sum[c] += block[r * C + c] * y[r];
    for (int c = 0; c < C; ++c) out[c] += sum[c];
}

void add_block_product(const Real* block, int rows, int columns, const Real* x, Real* out) noexcept
{
    if (rows == 3 && columns == 6) return add_block_product<3, 6>(block, x, out);
    if (rows == 6 && columns == 6) return add_block_product<6, 6>(block, x, out);
    for (int r = 0; r < rows; ++r) {
        Real sum = 0;
        for (int c = 0; c < columns; ++c) sum += block[r * columns + c] * x[c];
        out[r] += sum;
    }
}
void add_transposed_product(const Real* block, int rows, int columns, const Real* y,
                            Real* out) noexcept
{
    if (rows == 3 && columns == 6) return add_transposed_product<3, 6>(block, y, out);
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) out[c] += block[r * columns + c] * y[r];
}

}  // namespace

void multiply_masses(const SaddleSystem& system, std::span<const Real> x,
                     std::span<Real> out) noexcept
{
    TAUT_ASSERT(system.symmetric);
    const SaddlePattern& p = *system.pattern;
    std::fill(out.begin(), out.end(), Real(0));
    for (const auto& i : p.primals)
        add_block_product(&system.H[i.block], i.size, i.size, &x[i.offset], &out[i.offset]);
    for (const auto& pair : p.pairs) {
        const auto &i = p.primals[pair.i], &j = p.primals[pair.j];
        const Real* const block = &system.H[pair.block_ij];
        add_block_product(block, i.size, j.size, &x[j.offset], &out[i.offset]);
        add_transposed_product(block, i.size, j.size, &x[i.offset], &out[j.offset]);
    }
}

void multiply_rows(const SaddleSystem& system, std::span<const Real> x,
                   std::span<Real> out) noexcept
{
    const SaddlePattern& p = *system.pattern;
    std::fill(out.begin(), out.end(), Real(0));
    for (const auto& dual : p.duals)
        for (int t = dual.first_touch; t < dual.first_touch + dual.touches; ++t) {
            const auto& touch = p.touches[t];
            const auto& i = p.primals[touch.primal];
            add_block_product(&system.J[touch.block], dual.size, i.size, &x[i.offset],
                              &out[dual.offset]);
        }
}

void add_row_impulses(const SaddleSystem& system, std::span<const Real> y,
                      std::span<Real> f) noexcept
{
    const SaddlePattern& p = *system.pattern;
    for (const auto& dual : p.duals)
        for (int t = dual.first_touch; t < dual.first_touch + dual.touches; ++t) {
            const auto& touch = p.touches[t];
            const auto& i = p.primals[touch.primal];
            add_transposed_product(&system.J[touch.block], dual.size, i.size, &y[dual.offset],
                                   &f[i.offset]);
        }
}

void add_row_impulses_by_terms(const SaddleSystem& system, std::span<const Real> y,
                               std::span<Real> f) noexcept
{
    const SaddlePattern& p = *system.pattern;
    for (const auto& dual : p.duals)
        for (int t = dual.first_touch; t < dual.first_touch + dual.touches; ++t) {
            const auto& i = p.primals[p.touches[t].primal];
            const Real* const J = &system.J[p.touches[t].block];
            for (int r = 0; r < dual.size; ++r)
                for (int c = 0; c < i.size; ++c)
                    f[i.offset + c] += J[r * i.size + c] * y[dual.offset + r];
        }
}

Real add_row_product(const SaddleSystem& system, const SaddlePattern::Dual& dual, int row,
                     std::span<const Real> x, Real start) noexcept
{
    const SaddlePattern& p = *system.pattern;
    Real sum = start;
    for (int t = dual.first_touch; t < dual.first_touch + dual.touches; ++t) {
        const auto& i = p.primals[p.touches[t].primal];
        const Real* const J = &system.J[p.touches[t].block + row * i.size];
        for (int c = 0; c < i.size; ++c) sum += J[c] * x[i.offset + c];
    }
    return sum;
}

void multiply(const SaddleSystem& system, std::span<const Real> x, std::span<const Real> y,
              std::span<Real> f_out, std::span<Real> g_out) noexcept
{
    TAUT_ASSERT(system.pattern != nullptr);
    TAUT_ASSERT(x.size() == system.f.size() && f_out.size() == system.f.size());
    TAUT_ASSERT(y.size() == system.g.size() && g_out.size() == system.g.size());
    const int n = system.pattern->primal_unknowns;
    std::fill(f_out.begin(), f_out.end(), Real(0));
    std::fill(g_out.begin(), g_out.end(), Real(0));
    visit_entries(system, [&](int row, int column, Real value) {
        const Real unknown = column < n ? x[column] : -y[column - n];
        (row < n ? f_out[row] : g_out[row - n]) += value * unknown;
    });
}

void primal_residual(const SaddleSystem& system, std::span<const Real> x,
                     std::span<Real> out) noexcept
{
    TAUT_ASSERT(system.symmetric);
    TAUT_ASSERT(x.size() == system.f.size() && out.size() == system.f.size());
    const SaddlePattern& p = *system.pattern;
    for (const auto& i : p.primals)
        for (int r = 0; r < i.size; ++r) {
            Real sum = system.f[i.offset + r];
            for (int c = 0; c < i.size; ++c)
                sum -= system.H[i.block + r * i.size + c] * x[i.offset + c];
            out[i.offset + r] = sum;
        }
    for (const auto& pair : p.pairs) {
        const auto &i = p.primals[pair.i], &j = p.primals[pair.j];
        for (int r = 0; r < i.size; ++r)
            for (int c = 0; c < j.size; ++c) {
                const Real b = system.H[pair.block_ij + r * j.size + c];
                out[i.offset + r] -= b * x[j.offset + c];
                out[j.offset + c] -= b * x[i.offset + r];
            }
    }
}

Eigen::MatrixXd to_dense(const SaddleSystem& system)
{
    TAUT_ASSERT(system.pattern != nullptr);
    const int size = system.pattern->primal_unknowns + system.pattern->dual_unknowns;
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(size, size);
    visit_entries(system, [&](int row, int column, Real value) { out(row, column) = value; });
    return out;
}

std::vector<Eigen::Triplet<Real>> to_triplets(const SaddleSystem& system)
{
    std::vector<Eigen::Triplet<Real>> out;
    out.reserve(system.H.size() + 2 * system.J.size() + system.sigma.size());
    visit_entries(system,
                  [&](int row, int column, Real value) { out.emplace_back(row, column, value); });
    return out;
}

Eigen::VectorXd join(std::span<const Real> f, std::span<const Real> g)
{
    Eigen::VectorXd out(static_cast<Eigen::Index>(f.size() + g.size()));
    std::copy(f.begin(), f.end(), out.data());
    std::copy(g.begin(), g.end(), out.data() + f.size());
    return out;
}

void split(const Eigen::VectorXd& unknowns, SaddleSolution& out)
{
    TAUT_ASSERT(static_cast<std::size_t>(unknowns.size()) == out.x.size() + out.y.size());
    std::copy_n(unknowns.data(), out.x.size(), out.x.begin());
    std::transform(unknowns.data() + out.x.size(), unknowns.data() + unknowns.size(), out.y.begin(),
                   [](Real z) { return -z; });
}

}  // namespace taut::linalg

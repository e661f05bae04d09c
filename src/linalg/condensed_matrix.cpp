#include "linalg/condensed_matrix.h"

#include <algorithm>

#include "core/assert.h"
#include "core/cpu.h"
#include "linalg/condensation_kernels.h"

namespace taut::linalg {
namespace kernels {

constexpr CondensationTable condensation_two_at_a_time = CondensationKernels<2>::table();

}  // namespace kernels

namespace {

const kernels::CondensationTable& best_condensation() noexcept
{
#ifdef __x86_64__
    static const kernels::CondensationTable& best = core::has_avx2()
                                                        ? kernels::condensation_four_at_a_time
                                                        : kernels::condensation_two_at_a_time;
    return best;
#else
    return kernels::condensation_two_at_a_time;
#endif
}

// out (m × n) += Lᵀ R, L `rows` × m and R `rows` × n, all by rows.
void add_product(const Real* L, int m, const Real* R, int n, int rows, Real* out) noexcept
{
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            Real sum = out[i * n + j];
            for (int r = 0; r < rows; ++r) sum += L[r * m + i] * R[r * n + j];
            out[i * n + j] = sum;
        }
}

void weigh(const Real* A, const Real* J, int size, Real* out) noexcept
{
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < size; ++c)
            out[r * size + c] = A[3 * r] * J[c] + A[3 * r + 1] * J[size + c] +
                                A[3 * r + 2] * J[2 * size + c];
}

}  // namespace

void CondensedMatrix::prepare(const SaddlePattern& full)
{
    pattern_ = full;
    pattern_.duals.clear();
    pattern_.touches.clear();
    pattern_.dual_unknowns = pattern_.j_values = 0;
    place_of_.assign(full.duals.size(), -1);
    targets_.assign(full.duals.size(), {});
    std::vector<int> touched;
    int last_i = -1, last_j = -1;
    Target target;
    for (std::size_t d = 0; d < full.duals.size(); ++d) {
        const SaddlePattern::Dual& dual = full.duals[d];
        const auto* const touches = &full.touches[dual.first_touch];
        if (!dual.early || dual.touches > 2) {
            touched.clear();
            for (int t = 0; t < dual.touches; ++t) touched.push_back(touches[t].primal);
            place_of_[d] = pattern_.add_dual(dual.size, touched, dual.early);
            continue;
        }
        if (dual.touches < 2) continue;
        // contacts of one pair of bodies follow each other
        const int i = touches[0].primal, j = touches[1].primal;
        if (i != last_i || j != last_j) {
            const auto& pair = pattern_.pairs[pattern_.add_pair(i, j)];
            target = {pair.block_ij, pair.i != i};
            last_i = i;
            last_j = j;
        }
        targets_[d] = target;
    }
    system_.prepare(pattern_);
}

void CondensedMatrix::load(const SaddleSystem& full) noexcept
{
    TAUT_ASSERT(full.H.size() <= system_.H.size());
    std::copy(full.H.begin(), full.H.end(), system_.H.begin());
    std::fill(system_.H.begin() + static_cast<std::ptrdiff_t>(full.H.size()), system_.H.end(),
              Real(0));
}

// add(J of the rows' node, its size, J of the columns' node, its size, block in H), both J of the whole dual
template <class Add>
void CondensedMatrix::visit_blocks(const SaddleSystem& full, int dual, Add&& add) noexcept
{
    const SaddlePattern& p = *full.pattern;
    const SaddlePattern::Dual& node = p.duals[dual];
    TAUT_ASSERT(place_of_[dual] < 0);
    const Real* J[2];
    int size[2];
    for (int t = 0; t < node.touches; ++t) {
        const auto& touch = p.touches[node.first_touch + t];
        const auto& primal = p.primals[touch.primal];
        J[t] = &full.J[touch.block];
        size[t] = primal.size;
        add(J[t], size[t], J[t], size[t], &system_.H[primal.block]);
    }
    if (node.touches < 2) return;
    const Target& target = targets_[dual];
    const int row = target.swapped ? 1 : 0;
    add(J[row], size[row], J[1 - row], size[1 - row], &system_.H[target.pair]);
}

void CondensedMatrix::add_three(const SaddleSystem& full, int dual, int first,
                                const Real* A) noexcept
{
    const kernels::CondensationTable& table = best_condensation();
    Real weighed[18];
    const Real* last = nullptr;
    visit_blocks(full, dual, [&](const Real* L, int m, const Real* R, int n, Real* block) {
        const Real* const left = L + first * m;
        const Real* const right = R + first * n;
        if (m == 6 && n == 6) {
            if (last != right) table.weigh(A, right, weighed);
            table.add_product(left, weighed, block);
        } else {
            if (last != right) weigh(A, right, n, weighed);
            add_product(left, m, weighed, n, 3, block);
        }
        last = right;
    });
}

void CondensedMatrix::add_one(const SaddleSystem& full, int dual, int row, Real a) noexcept
{
    visit_blocks(full, dual, [&](const Real* L, int m, const Real* R, int n, Real* block) {
        Real weighed[6];
        for (int c = 0; c < n; ++c) weighed[c] = a * R[row * n + c];
        add_product(L + row * m, m, weighed, n, 1, block);
    });
}

}  // namespace taut::linalg

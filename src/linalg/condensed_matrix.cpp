#include "linalg/condensed_matrix.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

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
            out[r * size + c] =
                A[3 * r] * J[c] + A[3 * r + 1] * J[size + c] + A[3 * r + 2] * J[2 * size + c];
}

}  // namespace

void CondensedMatrix::prepare(const SaddlePattern& full, Scope scope)
{
    scope_ = scope;
    pattern_.primals = full.primals;
    pattern_.pairs = full.pairs;
    pattern_.duals.clear();
    pattern_.touches.clear();
    pattern_.primal_unknowns = full.primal_unknowns;
    pattern_.h_values = full.h_values;
    pattern_.dual_unknowns = pattern_.j_values = 0;
    place_of_.assign(full.duals.size(), -1);
    std::vector<int> touched;
    for (std::size_t d = 0; d < full.duals.size(); ++d) {
        const SaddlePattern::Dual& dual = full.duals[d];
        if (scope == Scope::EarlyDuals && dual.early && dual.touches <= 2) continue;
        touched.clear();
        for (int t = 0; t < dual.touches; ++t)
            touched.push_back(full.touches[dual.first_touch + t].primal);
        place_of_[d] = pattern_.add_dual(dual.size, touched, dual.early);
    }
    place_pairs(full);
    system_.prepare(pattern_);
}

void CondensedMatrix::place_pairs(const SaddlePattern& full)
{
    // by pair of primal nodes, the lower one first
    struct Entry {
        int low, high, dual;
        bool operator<(const Entry& b) const
        {
            return std::tie(low, high, dual) < std::tie(b.low, b.high, b.dual);
        }
    };
    std::vector<Entry> entries;
    targets_.assign(full.duals.size(), {});
    for (int d = 0; d < static_cast<int>(full.duals.size()); ++d) {
        if (place_of_[d] >= 0 || full.duals[d].touches < 2) continue;
        const auto* const touches = &full.touches[full.duals[d].first_touch];
        const auto [low, high] = std::minmax(touches[0].primal, touches[1].primal);
        entries.push_back({low, high, d});
    }
    std::sort(entries.begin(), entries.end());
    SaddlePattern::Pair pair{-1, -1, 0, 0};
    for (const Entry& entry : entries) {
        if (std::minmax(pair.i, pair.j) != std::minmax(entry.low, entry.high)) {
            const auto key =
                static_cast<std::uint64_t>(entry.high) << 32 | static_cast<unsigned>(entry.low);
            const auto known = full.pair_of.find(key);
            if (known != full.pair_of.end()) {
                pair = full.pairs[known->second];
            } else {
                pair = {entry.low, entry.high, pattern_.h_values, pattern_.h_values};
                pattern_.h_values += full.primals[entry.low].size * full.primals[entry.high].size;
                pattern_.pairs.push_back(pair);
            }
        }
        const int first = full.touches[full.duals[entry.dual].first_touch].primal;
        targets_[entry.dual] = {pair.block_ij, pair.i != first};
    }
}

void CondensedMatrix::load(const SaddleSystem& full) noexcept
{
    TAUT_ASSERT(full.H.size() <= system_.H.size());
    std::copy(full.H.begin(), full.H.end(), system_.H.begin());
    std::fill(system_.H.begin() + static_cast<std::ptrdiff_t>(full.H.size()), system_.H.end(),
              Real(0));
    if (scope_ == Scope::Nothing) system_.rank = full.rank;
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

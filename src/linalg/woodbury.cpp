#include "linalg/woodbury.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include "core/assert.h"

namespace taut::linalg {
namespace {

using SmallBlock = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6, 6>;

template <int kSize>
// NOLINTNEXTLINE(readability-non-const-parameter): written through a Map
bool invert(Real* values, int size)
{
    using Block = std::conditional_t<kSize == Eigen::Dynamic, SmallBlock,
                                     Eigen::Matrix<Real, kSize, kSize, Eigen::RowMajor>>;
    Eigen::Map<Block> block(values, size, size);
    const Block inverse = Block(block).inverse();
    block = inverse;
    return inverse.allFinite();
}

// Six unknowns: translation and rotation seldom couple within one body, and two of three are cheaper.
bool invert_six(Real* values)
{
    Eigen::Map<Eigen::Matrix<Real, 6, 6, Eigen::RowMajor>> block(values);
    if (!block.topRightCorner<3, 3>().isZero(0) || !block.bottomLeftCorner<3, 3>().isZero(0))
        return invert<6>(values, 6);
    const Mat3 translation = block.topLeftCorner<3, 3>(),
               rotation = block.bottomRightCorner<3, 3>();
    block.topLeftCorner<3, 3>() = translation.inverse();
    block.bottomRightCorner<3, 3>() = rotation.inverse();
    return block.allFinite();
}

// out = block · in, or its transpose, on up to six numbers.
void multiply_block(const Real* block, int size, bool transposed, const Real* in, Real* out)
{
    for (int r = 0; r < size; ++r) {
        Real sum = 0;
        for (int c = 0; c < size; ++c)
            sum += (transposed ? block[c * size + r] : block[r * size + c]) * in[c];
        out[r] = sum;
    }
}

}  // namespace

bool add_rank_one(DenseMatrix& inverse, const Eigen::VectorXd& a, const Eigen::VectorXd& b, Real c)
{
    TAUT_ASSERT(inverse.rows() == a.size() && inverse.cols() == b.size());
    const Eigen::VectorXd x = inverse * a;
    const Real denominator = 1 + c * b.dot(x);
    if (denominator == 0 || !std::isfinite(denominator)) return false;
    const Eigen::RowVectorXd y = b.transpose() * inverse;
    inverse.noalias() -= (c / denominator * x) * y;
    return true;
}

bool WoodburyInverse::compute(const SaddlePattern& pattern, std::span<const Real> base,
                              std::span<const RankTerm> terms, DenseMatrix& inverse)
{
    TAUT_ASSERT(base.size() == static_cast<std::size_t>(pattern.h_values));
    if (!invert_blocks(pattern, base, terms)) return false;
    sort_coupling(terms);
    fill_updates(pattern);
    fill_band();
    fill_right_hand_side(pattern);
    if (!solve_band()) return false;
    write(pattern, inverse);
    return true;
}

bool WoodburyInverse::invert_blocks(const SaddlePattern& pattern, std::span<const Real> base,
                                    std::span<const RankTerm> terms)
{
    int end = 0;
    for (const auto& node : pattern.primals)
        end = std::max(end, node.block + node.size * node.size);
    blocks_.assign(base.begin(), base.begin() + end);
    for (const RankTerm& term : terms) {
        if (!term.local()) continue;
        const auto& node = pattern.primals[term.i];
        for (int r = 0; r < node.size; ++r)
            for (int c = 0; c < node.size; ++c)
                blocks_[node.block + r * node.size + c] += term.a[r] * term.b[c];
    }
    bool regular = true;
    for (const auto& node : pattern.primals) {
        Real* block = &blocks_[node.block];
        const bool good = node.size == 6   ? invert_six(block)
                          : node.size == 3 ? invert<3>(block, 3)
                                           : invert<Eigen::Dynamic>(block, node.size);
        regular = regular && good;
    }
    return regular;
}

// Along the nodes, so that terms which share one come close to each other.
void WoodburyInverse::sort_coupling(std::span<const RankTerm> terms)
{
    coupling_.clear();
    for (const RankTerm& term : terms)
        if (!term.local()) coupling_.push_back(&term);
    // Terms lie in one array, so the address settles ties: a stable sort that allocates nothing.
    std::sort(coupling_.begin(), coupling_.end(), [](const auto* s, const auto* t) {
        const auto key = [](const RankTerm* term) {
            return std::tuple(std::max(term->i, term->j), std::min(term->i, term->j), term);
        };
        return key(s) < key(t);
    });
}

// X and Y of every coupling term, the columns where some Y is not zero, and the half width of the band.
void WoodburyInverse::fill_updates(const SaddlePattern& pattern)
{
    const int count = static_cast<int>(coupling_.size());
    updates_.resize(count);
    place_.assign(pattern.primal_unknowns, -1);
    std::vector<int> first(pattern.primals.size(), count), last(pattern.primals.size(), -1);
    for (int k = 0; k < count; ++k) {
        const RankTerm& term = *coupling_[k];
        Update& update = updates_[k];
        update = {term.i, term.j, {}, {}, term.b};
        for (const int side : {0, 1}) {
            const int index = side == 0 ? term.i : term.j;
            const auto& node = pattern.primals[index];
            const Real* block = &blocks_[node.block];
            multiply_block(block, node.size, false, &term.a[6 * side], &update.x[6 * side]);
            multiply_block(block, node.size, true, &term.b[6 * side], &update.y[6 * side]);
            first[index] = std::min(first[index], k);
            last[index] = std::max(last[index], k);
            for (int c = 0; c < node.size; ++c)
                if (update.y[6 * side + c] != 0) place_[node.offset + c] = 0;
        }
    }
    used_.clear();
    for (int c = 0; c < pattern.primal_unknowns; ++c)
        if (place_[c] == 0) {
            place_[c] = static_cast<int>(used_.size());
            used_.push_back(c);
        }

    // terms interact from the first to the last term of each node
    reach_ = 0;
    for (std::size_t n = 0; n < first.size(); ++n) reach_ = std::max(reach_, last[n] - first[n]);
}

void WoodburyInverse::fill_band()
{
    const int count = static_cast<int>(updates_.size());
    width_ = 3 * reach_ + 1;
    band_.assign(static_cast<std::size_t>(count) * width_, 0);
    for (int k = 0; k < count; ++k) {
        const Update& row = updates_[k];
        const int end = std::min(count, k + reach_ + 1);
        for (int l = std::max(0, k - reach_); l < end; ++l) {
            const Update& column = updates_[l];
            Real sum = k == l ? 1 : 0;
            const auto add = [&](int side, int other) {
                for (int c = 0; c < 6; ++c) sum += row.b[6 * side + c] * column.x[6 * other + c];
            };
            if (row.i == column.i) add(0, 0);
            if (row.i == column.j) add(0, 1);
            if (row.j == column.i) add(1, 0);
            if (row.j == column.j) add(1, 1);
            band(k, l) = sum;
        }
    }
}

void WoodburyInverse::fill_right_hand_side(const SaddlePattern& pattern)
{
    const int count = static_cast<int>(updates_.size());
    const int columns = static_cast<int>(used_.size());
    right_.setZero(count, columns);
    from_.assign(count, columns);
    to_.assign(count, 0);
    for (int k = 0; k < count; ++k)
        for (const int side : {0, 1}) {
            const auto& node = pattern.primals[side == 0 ? updates_[k].i : updates_[k].j];
            for (int c = 0; c < node.size; ++c) {
                const int at = place_[node.offset + c];
                if (at < 0) continue;
                right_(k, at) = updates_[k].y[6 * side + c];
                from_[k] = std::min(from_[k], at);
                to_[k] = std::max(to_[k], at + 1);
            }
        }
}

// Gaussian elimination with row exchanges inside the band, on both sides at once.
bool WoodburyInverse::solve_band()
{
    const int count = static_cast<int>(updates_.size());
    const auto subtract = [&](int target, int source, Real factor) {
        if (factor == 0 || from_[source] >= to_[source]) return;
        const int from = from_[source], length = to_[source] - from;
        right_.row(target).segment(from, length).noalias() -=
            factor * right_.row(source).segment(from, length);
        from_[target] = std::min(from_[target], from);
        to_[target] = std::max(to_[target], to_[source]);
    };

    for (int k = 0; k < count; ++k) {
        const int last_row = std::min(count, k + reach_ + 1);
        const int last_column = std::min(count, k + 2 * reach_ + 1);
        int best = k;
        for (int r = k + 1; r < last_row; ++r)
            if (std::abs(band(r, k)) > std::abs(band(best, k))) best = r;
        if (best != k) {
            for (int c = k; c < last_column; ++c) std::swap(band(k, c), band(best, c));
            right_.row(k).swap(right_.row(best));
            std::swap(from_[k], from_[best]);
            std::swap(to_[k], to_[best]);
        }
        const Real pivot = band(k, k);
        if (pivot == 0 || !std::isfinite(pivot)) return false;
        for (int r = k + 1; r < last_row; ++r) {
            const Real factor = band(r, k) / pivot;
            if (factor == 0) continue;
            for (int c = k + 1; c < last_column; ++c) band(r, c) -= factor * band(k, c);
            subtract(r, k, factor);
        }
    }
    for (int k = count - 1; k >= 0; --k) {
        const int last_column = std::min(count, k + 2 * reach_ + 1);
        for (int c = k + 1; c < last_column; ++c) subtract(k, c, band(k, c));
        if (from_[k] < to_[k]) right_.row(k).segment(from_[k], to_[k] - from_[k]) /= band(k, k);
    }
    return right_.allFinite();
}

void WoodburyInverse::write(const SaddlePattern& pattern, DenseMatrix& inverse) const
{
    inverse.setZero(pattern.primal_unknowns, pattern.primal_unknowns);
    for (const auto& node : pattern.primals)
        for (int r = 0; r < node.size; ++r)
            for (int c = 0; c < node.size; ++c)
                inverse(node.offset + r, node.offset + c) = blocks_[node.block + r * node.size + c];

    // row by row of the result: summed on the used columns, then scattered
    std::vector<std::vector<std::pair<int, int>>> touching(pattern.primals.size());
    for (std::size_t k = 0; k < updates_.size(); ++k) {
        touching[updates_[k].i].emplace_back(static_cast<int>(k), 0);
        touching[updates_[k].j].emplace_back(static_cast<int>(k), 1);
    }
    Eigen::RowVectorXd sum(static_cast<Eigen::Index>(used_.size()));
    for (std::size_t n = 0; n < touching.size(); ++n) {
        const auto& node = pattern.primals[n];
        for (int r = 0; r < node.size; ++r) {
            bool any = false;
            sum.setZero();
            for (const auto& [k, side] : touching[n]) {
                const Real factor = updates_[k].x[6 * side + r];
                if (factor == 0) continue;
                sum.noalias() += factor * right_.row(k);
                any = true;
            }
            if (!any) continue;
            Real* row = inverse.row(node.offset + r).data();
            for (std::size_t c = 0; c < used_.size(); ++c)
                row[used_[c]] -= sum[static_cast<Eigen::Index>(c)];
        }
    }
}

}  // namespace taut::linalg

#include "complementarity/inequality_rows.h"

#include <algorithm>
#include <cmath>

namespace taut::complementarity {
namespace {

constexpr int kFree = -1;
constexpr int kCovered = -2;

// Copies the parameters of the law; false where they contradict each other.
struct LoadLaw {
    RowGroup& group;
    Real sliding_friction;

    bool operator()(Equal) const noexcept
    {
        group.kind = RowGroup::Kind::Equal;
        return true;
    }
    bool operator()(NonNegative) const noexcept
    {
        group.kind = RowGroup::Kind::NonNegative;
        return true;
    }
    bool operator()(const Interval& law) const noexcept
    {
        group.kind = RowGroup::Kind::Interval;
        group.lower = law.lower;
        group.upper = law.upper;
        constexpr Real kUnbounded = std::numeric_limits<Real>::infinity();
        return law.lower <= law.upper && law.lower < kUnbounded && law.upper > -kUnbounded;
    }
    bool operator()(const Cone& law) const noexcept
    {
        group.kind = RowGroup::Kind::Cone;
        group.rows = 3;
        group.friction = law.friction;
        group.sliding = sliding_friction < 0 ? law.friction : sliding_friction;
        return law.friction >= 0 && std::isfinite(law.friction) && group.sliding <= law.friction;
    }
};

}  // namespace

void InequalityRows::prepare(const linalg::SaddlePattern& pattern)
{
    pattern_ = &pattern;
    dual_of_row_.assign(pattern.dual_unknowns, 0);
    for (int d = 0; d < static_cast<int>(pattern.duals.size()); ++d)
        for (int r = 0; r < pattern.duals[d].size; ++r)
            dual_of_row_[pattern.duals[d].offset + r] = d;
    block_at_.assign(pattern.dual_unknowns, kFree);
    given_.reserve(pattern.dual_unknowns);
    groups_.reserve(pattern.dual_unknowns);
}

bool InequalityRows::load(std::span<const InequalityBlock> blocks, FrictionShape shape,
                          Real equality_rounding) noexcept
{
    std::fill(block_at_.begin(), block_at_.end(), kFree);
    given_.clear();
    groups_.clear();
    has_cones_ = false;
    bool valid = true;
    for (const InequalityBlock& block : blocks) valid = valid && load_block(block, shape);
    if (valid) order_groups(equality_rounding);
    return valid;
}

bool InequalityRows::load_block(const InequalityBlock& block, FrictionShape shape) noexcept
{
    if (std::holds_alternative<Equal>(block.law)) return true;  // treated as a row without a block
    RowGroup group;
    group.row = block.first_row;
    group.rounding = block.rounding;
    group.pyramid = shape == FrictionShape::Pyramid;
    if (!std::visit(LoadLaw{group, block.sliding_friction}, block.law)) return false;

    const int end = static_cast<int>(block_at_.size());
    if (group.row < 0 || group.row > end - group.rows) return false;
    group.dual = dual_of_row_[group.row];
    if (dual_of_row_[group.row + group.rows - 1] != group.dual) return false;
    group.local = group.row - pattern_->duals[group.dual].offset;
    for (int r = group.row; r < group.row + group.rows; ++r) {
        if (block_at_[r] != kFree) return false;
        block_at_[r] = kCovered;
    }
    block_at_[group.row] = static_cast<int>(given_.size());
    has_cones_ |= group.kind == RowGroup::Kind::Cone;
    given_.push_back(group);
    return true;
}

void InequalityRows::order_groups(Real equality_rounding) noexcept
{
    for (int d = 0; d < static_cast<int>(pattern_->duals.size()); ++d) {
        const auto& dual = pattern_->duals[d];
        for (int r = 0; r < dual.size;) {
            const int at = block_at_[dual.offset + r];
            if (at != kFree) {
                groups_.push_back(given_[at]);
                r += given_[at].rows;
                continue;
            }
            RowGroup group;
            group.row = dual.offset + r;
            group.dual = d;
            group.local = r;
            group.rows = 0;
            group.rounding = equality_rounding;
            while (r < dual.size && block_at_[dual.offset + r] == kFree) ++r, ++group.rows;
            groups_.push_back(group);
        }
    }
}

}  // namespace taut::complementarity

#include "complementarity/inequality_rows.h"

#include <algorithm>
#include <cmath>

namespace taut::complementarity {
namespace {

constexpr int kFree = -1;
constexpr int kCovered = -2;

// Fills in what the law says; false where that makes no sense.
struct ReadLaw {
    RowGroup& unit;
    Real sliding_friction;

    bool operator()(Equal) const noexcept
    {
        unit.kind = RowGroup::Kind::Equal;
        return true;
    }
    bool operator()(NonNegative) const noexcept
    {
        unit.kind = RowGroup::Kind::NonNegative;
        return true;
    }
    bool operator()(const Interval& law) const noexcept
    {
        unit.kind = RowGroup::Kind::Interval;
        unit.lower = law.lower;
        unit.upper = law.upper;
        constexpr Real kUnbounded = std::numeric_limits<Real>::infinity();
        return law.lower <= law.upper && law.lower < kUnbounded && law.upper > -kUnbounded;
    }
    bool operator()(const Cone& law) const noexcept
    {
        unit.kind = RowGroup::Kind::Cone;
        unit.rows = 3;
        unit.friction = law.friction;
        unit.sliding = sliding_friction < 0 ? law.friction : sliding_friction;
        return law.friction >= 0 && std::isfinite(law.friction) && unit.sliding <= law.friction;
    }
};

}  // namespace

void InequalityRows::attach(const linalg::SaddlePattern& pattern)
{
    pattern_ = &pattern;
    dual_of_row_.assign(pattern.dual_unknowns, 0);
    for (int d = 0; d < static_cast<int>(pattern.duals.size()); ++d)
        for (int r = 0; r < pattern.duals[d].size; ++r)
            dual_of_row_[pattern.duals[d].offset + r] = d;
    block_at_.assign(pattern.dual_unknowns, kFree);
    given_.reserve(pattern.dual_unknowns);
    units_.reserve(pattern.dual_unknowns);
}

bool InequalityRows::read(std::span<const InequalityBlock> blocks, FrictionShape shape) noexcept
{
    std::fill(block_at_.begin(), block_at_.end(), kFree);
    given_.clear();
    units_.clear();
    has_cones_ = false;
    bool valid = true;
    for (const InequalityBlock& block : blocks) valid = valid && read_block(block, shape);
    if (valid) order_units();
    return valid;
}

bool InequalityRows::read_block(const InequalityBlock& block, FrictionShape shape) noexcept
{
    if (std::holds_alternative<Equal>(block.law)) return true;  // as any row in no block
    RowGroup unit;
    unit.row = block.first_row;
    unit.pyramid = shape == FrictionShape::Pyramid;
    if (!std::visit(ReadLaw{unit, block.sliding_friction}, block.law)) return false;

    const int end = static_cast<int>(block_at_.size());
    if (unit.row < 0 || unit.row > end - unit.rows) return false;
    unit.dual = dual_of_row_[unit.row];
    if (dual_of_row_[unit.row + unit.rows - 1] != unit.dual) return false;
    unit.local = unit.row - pattern_->duals[unit.dual].offset;
    for (int r = unit.row; r < unit.row + unit.rows; ++r) {
        if (block_at_[r] != kFree) return false;
        block_at_[r] = kCovered;
    }
    block_at_[unit.row] = static_cast<int>(given_.size());
    has_cones_ |= unit.kind == RowGroup::Kind::Cone;
    given_.push_back(unit);
    return true;
}

void InequalityRows::order_units() noexcept
{
    for (int d = 0; d < static_cast<int>(pattern_->duals.size()); ++d) {
        const auto& dual = pattern_->duals[d];
        for (int r = 0; r < dual.size;) {
            const int at = block_at_[dual.offset + r];
            if (at != kFree) {
                units_.push_back(given_[at]);
                r += given_[at].rows;
                continue;
            }
            RowGroup unit;
            unit.row = dual.offset + r;
            unit.dual = d;
            unit.local = r;
            unit.rows = 0;
            while (r < dual.size && block_at_[dual.offset + r] == kFree) ++r, ++unit.rows;
            units_.push_back(unit);
        }
    }
}

}  // namespace taut::complementarity

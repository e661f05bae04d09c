// The rows of a solve in order, as groups that are solved together: inequality blocks, checked, and the equality rows between.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "complementarity/complementarity_solver.h"

namespace taut::complementarity {

inline constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// Consecutive rows of one dual node under one law.
struct RowGroup {
    enum class Kind : unsigned char { Equal, NonNegative, Interval, Cone };
    Kind kind = Kind::Equal;
    bool pyramid = false;  // of a cone
    int row = 0;           // its first row
    int rows = 1;
    int dual = 0;                    // the dual node of the rows
    int local = 0;                   // the first row within that node
    Real lower = 0, upper = 0;       // interval
    Real friction = 0, sliding = 0;  // cone: μ_s ≥ μ_d
    Real rounding = 0;               // of g

    bool is_one_sided() const noexcept { return kind == Kind::NonNegative || kind == Kind::Cone; }
};

// Length of the two tangent components. std::hypot, which guards against overflow, took a fifth of the step of a pile.
inline Real norm(Real a, Real b) noexcept { return std::sqrt(a * a + b * b); }

class InequalityRows {
public:
    void prepare(const linalg::SaddlePattern& pattern);
    // False where a block does not fit the pattern, overlaps another, or contradicts itself.
    bool load(std::span<const InequalityBlock> blocks, FrictionShape shape,
              Real equality_rounding = 0) noexcept;

    std::span<const RowGroup> groups() const noexcept { return groups_; }
    bool has_cones() const noexcept { return has_cones_; }

private:
    bool load_block(const InequalityBlock& block, FrictionShape shape) noexcept;
    void order_groups(Real equality_rounding) noexcept;

    const linalg::SaddlePattern* pattern_ = nullptr;
    std::vector<int> dual_of_row_;
    std::vector<int>
        block_at_;  // per row: the inequality group that begins there, kCovered or kFree
    std::vector<RowGroup> given_, groups_;
    bool has_cones_ = false;
};

}  // namespace taut::complementarity

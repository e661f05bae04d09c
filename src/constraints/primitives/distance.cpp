#include "constraints/primitives/distance.h"

namespace taut::constraints {

void DistanceRow::close(const Poses<2>& X, const Memory<0>&) noexcept
{
    if (std::isnan(length)) length = parts::points(X[0], frames[0], X[1], frames[1]).d.norm();
}

void DistanceRow::evaluate(const Poses<2>& X, const Memory<0>&, Rows<1, 2>& out) const noexcept
{
    parts::distance_row(parts::points(X[0], frames[0], X[1], frames[1]), length, 0, out);
}

void DistanceRow::geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                                      StiffnessBlocks<2>& K) const noexcept
{
    parts::distance_stiffness(parts::points(X[0], frames[0], X[1], frames[1]), lambda[0], K);
}

void DistanceRow::tension(const Poses<2>& X, const RowVector<1>& lambda,
                          StiffnessBlocks<2>& G) const noexcept
{
    parts::distance_tension(parts::points(X[0], frames[0], X[1], frames[1]), lambda[0], G);
}

}  // namespace taut::constraints

#include "constraints/primitives/angles.h"

namespace taut::constraints {

void AxialLock::evaluate(const Poses<2>& X, const Memory<0>&, Rows<1, 2>& out) const noexcept
{
    const Vec3 n = parts::axis(X[0], frames[0], 2);
    out.phi[0] = 0;
    parts::put_row(out.J[0], 0, Vec3::Zero(), n);
    parts::put_row(out.J[1], 0, Vec3::Zero(), -n);
}

void AxialLock::geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                                    StiffnessBlocks<2>& K) const noexcept
{
    const Mat3 turning = lambda[0] * skew(parts::axis(X[0], frames[0], 2));
    parts::angular_angular(K.block[0][0]) -= turning;
    parts::angular_angular(K.block[1][0]) += turning;
}

void Bend::evaluate(const Poses<2>& X, const Memory<0>&, Rows<2, 2>& out) const noexcept
{
    parts::bend_rows(parts::axes(X[0], frames[0]), parts::axis(X[1], frames[1], 2), 0, out);
}

void Bend::geometric_stiffness(const Poses<2>& X, const RowVector<2>& lambda,
                               StiffnessBlocks<2>& K) const noexcept
{
    parts::bend_stiffness(parts::axes(X[0], frames[0]), parts::axis(X[1], frames[1], 2), lambda[0],
                          lambda[1], K);
}

void TwistAngle::evaluate(const Poses<2>& X, const Memory<1>& memory,
                          Rows<1, 2>& out) const noexcept
{
    out.phi[0] = parts::twist_angle(X[0], frames[0], X[1], frames[1], memory[0]);
    parts::twist_jacobian(parts::axis(X[0], frames[0], 2), parts::axis(X[1], frames[1], 2), 0, out);
}

void TwistAngle::geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                                     StiffnessBlocks<2>& K) const noexcept
{
    parts::twist_stiffness(parts::axis(X[0], frames[0], 2), parts::axis(X[1], frames[1], 2),
                           lambda[0], K);
}

void TwistAngle::remember(const Poses<2>& X, Memory<1>& memory) const noexcept
{
    memory[0] = parts::twist_angle(X[0], frames[0], X[1], frames[1], memory[0]);
}

void RotationVector::evaluate(const Poses<2>& X, const Memory<0>&, Rows<3, 2>& out) const noexcept
{
    parts::rotation_vector_rows(parts::axes(X[0], frames[0]), parts::axes(X[1], frames[1]), 0, out);
}

void RotationVector::geometric_stiffness(const Poses<2>& X, const RowVector<3>& lambda,
                                         StiffnessBlocks<2>& K) const noexcept
{
    parts::rotation_vector_stiffness(parts::axes(X[0], frames[0]), parts::axes(X[1], frames[1]),
                                     lambda, K);
}

}  // namespace taut::constraints

// The whole rotation of frame j against frame i as one vector, in the axes of frame i: the rows of
// an isotropic rotational spring.
//
//     φ = log(Q_iᵀQ_j),  |φ| ≤ π        T = L⁻¹(φ) Q_iᵀ,  L⁻¹ = I − ½[φ]ₓ + c[φ]ₓ²   (math/so3.h)
//     J = (0, −T, 0, T),  τ = Tᵀλ
//     D = ∂(L⁻¹(φ)ᵀλ)/∂φ = −½[λ]ₓ + ċ([φ]ₓ²λ)φᵀ + c(φλᵀ + (φ·λ)I − 2λφᵀ),  N = Q_i D T:
//     K̃ on the rotations:  ⎡ [τ]ₓ+N  −N⎤
//                          ⎣−[τ]ₓ−N   N⎦
// Regular up to half a turn, where φ jumps to the other side; for many turns take twist.
#pragma once

#include "constraints/parts/blocks.h"
#include "math/so3.h"

namespace taut::constraints::parts {

// Rows r … r+2.
template <int kRows, int kBodies>
inline void rotation_vector_rows(const Mat3& Q_i, const Mat3& Q_j, int r, Rows<kRows, kBodies>& out,
                                 Pair pair = {}) noexcept
{
    const Vec3 phi = log_so3(Mat3(Q_i.transpose() * Q_j));
    const Mat3 T = left_jacobian_inverse(phi) * Q_i.transpose();
    for (int k = 0; k < 3; ++k) {
        out.phi[r + k] = phi[k];
        put_row(out.J[pair.i], r + k, Vec3::Zero(), -T.row(k).transpose());
        put_row(out.J[pair.j], r + k, Vec3::Zero(), T.row(k).transpose());
    }
}

template <int kBodies>
inline void rotation_vector_stiffness(const Mat3& Q_i, const Mat3& Q_j, const Vec3& lambda,
                                      StiffnessBlocks<kBodies>& K, Pair pair = {}) noexcept
{
    const Vec3 phi = log_so3(Mat3(Q_i.transpose() * Q_j));
    const auto [c, c_dot] = inverse_jacobian_terms(phi.norm());
    const Mat3 T = left_jacobian_inverse(phi) * Q_i.transpose();

    // how the torque, seen from frame i, changes with φ
    Mat3 D = Real(-0.5) * skew(lambda);
    D += (c_dot * phi.cross(phi.cross(lambda)) - 2 * c * lambda) * phi.transpose();
    D += (c * phi) * lambda.transpose();
    D.diagonal().array() += c * phi.dot(lambda);

    const Mat3 N = Q_i * D * T;
    const Mat3 turned = skew(T.transpose() * lambda) + N;
    angular_angular(K.block[pair.i][pair.i]) += turned;
    angular_angular(K.block[pair.i][pair.j]) -= N;
    angular_angular(K.block[pair.j][pair.i]) -= turned;
    angular_angular(K.block[pair.j][pair.j]) += N;
}

}  // namespace taut::constraints::parts

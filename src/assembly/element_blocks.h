// Scatters the 6×6 blocks of one element (joint or spring) into H and f.
#pragma once

#include "assembly/linearise.h"

namespace taut::assembly {

using Vec6 = Eigen::Matrix<Real, 6, 1>;

inline Vec6 stacked(const Vec3& linear, const Vec3& angular) noexcept
{
    Vec6 out;
    out << linear, angular;
    return out;
}

// H[rows×cols at target] += scale·block's upper left corner
inline void add_corner(Real* target, int rows, int cols, Real scale, const Mat6& block) noexcept
{
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) target[r * cols + c] += scale * block(r, c);
}

// Adds an element whose force on body b changes by −S_bc per displacement of body c, and by −D_bc
// per velocity of c: momentum row b gains h²α(β v⁺ + (1−β) v̂) S + hα(v⁺ − v) D on the left.
// Columns of bodies that cannot move are known and go to the right-hand side. A correction of an iterate
// has no known part: the iterate is where it is, and kinematic bodies are at the end of the step already.
template <int kBodies>
class ElementScatter {
public:
    ElementScatter(const StepModel& model, const Layout& layout, const SchemeWeights& scheme,
                   Linearisation& work, const std::array<BodyIndex, kBodies>& bodies,
                   std::span<const PairPlace> pairs) noexcept
        : model_(model),
          layout_(layout),
          scheme_(scheme),
          work_(work),
          bodies_(bodies),
          pairs_(pairs)
    {}

    void add_stiffness(const StiffnessBlocks<kBodies>& S) noexcept
    {
        add(S, scheme_.implicit_stiffness(), [this](BodyIndex c, bool moves) -> Vec6 {
            if (scheme_.newton) return Vec6::Zero();
            const BodyStart& body = work_.bodies[c];
            if (moves) return scheme_.explicit_stiffness() * stacked(body.drift_v, body.drift_w);
            return (scheme_.h * scheme_.h * scheme_.alpha) * stacked(body.v, body.w);
        });
    }

    void add_damping(const StiffnessBlocks<kBodies>& D) noexcept
    {
        add(D, scheme_.h * scheme_.alpha, [this](BodyIndex c, bool moves) -> Vec6 {
            if (scheme_.newton) return Vec6::Zero();
            const BodyStart& body = work_.bodies[c];
            if (moves) return (-scheme_.h * scheme_.alpha) * stacked(body.v, body.w);
            return Vec6::Zero();  // a prescribed velocity does not change within the step
        });
    }

private:
    // H_bc += implicit·B_bc where c can move; f_b −= B_bc known(c).
    template <class Known>
    void add(const StiffnessBlocks<kBodies>& B, Real implicit, Known&& known) noexcept
    {
        for (int c = 0; c < kBodies; ++c) {
            const int cols = model_.bodies[bodies_[c]].freedoms();
            const Vec6 motion = known(bodies_[c], cols > 0);
            for (int b = 0; b < kBodies; ++b) {
                const int rows = model_.bodies[bodies_[b]].freedoms();
                if (rows == 0) continue;
                const Vec6 impulse = B.block[b][c] * motion;
                Real* f = &work_.system.f[layout_.offset(bodies_[b])];
                for (int r = 0; r < rows; ++r) f[r] -= impulse[r];
                if (cols == 0) continue;
                const int at = b == c  ? layout_.block(bodies_[b])
                               : b < c ? pairs_[pair_slot(b, c)].forward
                                       : pairs_[pair_slot(b, c)].backward;
                if (at >= 0) add_corner(&work_.system.H[at], rows, cols, implicit, B.block[b][c]);
            }
        }
    }

    const StepModel& model_;
    const Layout& layout_;
    const SchemeWeights& scheme_;
    Linearisation& work_;
    const std::array<BodyIndex, kBodies>& bodies_;
    std::span<const PairPlace> pairs_;
};

}  // namespace taut::assembly

// Free rotation: angular momentum to round-off, energy never up, the flip of the middle axis on time.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "stepper/free_rotation.h"
#include "support/mechanisms.h"

namespace taut::test {
namespace {

const Vec3 kMoments(1, 2, 3);

BodyId add_spinner(World& world, const Vec3& w)
{
    must(world.set_gravity(Vec3::Zero()));
    BodyDef def;
    def.inertia = kMoments.asDiagonal();
    def.velocity.angular = w;
    return must(world.add_body(def));
}

// Time between two passages of the middle component of ω through zero: half the period 4K of Euler's
// equations for L² < 2E I₂ (else the roles of the first and third axis change).
Real exact_flip_time(const Vec3& w)
{
    const Vec3 L = kMoments.cwiseProduct(w);
    const Real E2 = w.dot(L), L2 = L.squaredNorm();
    Real a = kMoments.x(), c = kMoments.z();
    if (L2 > E2 * kMoments.y()) std::swap(a, c);
    const Real b = kMoments.y();
    const Real rate = std::sqrt((a - b) * (L2 - E2 * c) / (a * b * c));
    const Real k = std::sqrt((b - c) * (E2 * a - L2) / ((a - b) * (L2 - E2 * c)));
    return 2 * std::comp_ellint_1(k) / rate;
}

TEST(FreeBody, FlipsAboutTheMiddleAxisWithTheRightPeriodFor200Seconds)
{
    const Vec3 w0(0.01, 2, 0.01);
    World world;
    const BodyId b = add_spinner(world, w0);
    const StepSettings s = settings(1.0 / 240, Scheme::AlphaBeta);
    std::vector<Real> passages;
    const auto middle = [&] {
        return (world.pose(b).q.conjugate() * world.velocity(b).angular).y();
    };
    Real before = middle();
    while (world.time() < 200) {
        ASSERT_EQ(world.step(s).status, StepStatus::Ok);
        const Real now = middle();
        if ((before > 0) != (now > 0))
            passages.push_back(world.time() - s.dt * now / (now - before));
        before = now;
    }
    ASSERT_GE(passages.size(), 10u);
    const Real mean = (passages.back() - passages.front()) / static_cast<Real>(passages.size() - 1);
    EXPECT_NEAR(mean / exact_flip_time(w0), 1, 0.005);
}

TEST(FreeBody, NeverGainsEnergyAndKeepsAngularMomentumWithAnyScheme)
{
    std::mt19937 random(7);
    std::normal_distribution<Real> normal;
    struct Weights {
        Scheme scheme;
        Real alpha, beta;
    };
    for (const Weights weights :
         {Weights{Scheme::BackwardEuler, 1, 1}, Weights{Scheme::AlphaBeta, 0.5, 0.5},
          Weights{Scheme::AlphaBeta, 1, 0.5}, Weights{Scheme::AlphaBeta, 0.75, 0.75},
          Weights{Scheme::AlphaBeta, 1, 0.1}})
        for (const Real speed : {0.1, 10.0, 1e3, 1e5})
            for (const Real dt : {1e-3, 1.0 / 60, 0.1, 1.0}) {
                World world;
                add_spinner(world, speed * Vec3(normal(random), normal(random), normal(random)));
                StepSettings s = settings(dt, weights.scheme);
                s.research.alpha = weights.alpha;
                s.research.beta = weights.beta;
                const Vec3 L0 = world.momentum().angular;
                Real energy = world.energy().rotation;
                for (int i = 0; i < 100; ++i) {
                    ASSERT_EQ(world.step(s).status, StepStatus::Ok);
                    const Real now = world.energy().rotation;
                    // round-off of up to a thousand sub-steps, and of ω turned through h|ω| radians
                    ASSERT_LE(now, energy * (1 + 1e-14 * (1000 + speed * dt)))
                        << "speed " << speed << " dt " << dt;
                    energy = now;
                }
                EXPECT_LT((world.momentum().angular - L0).norm(), 1e-12 * 100 * L0.norm());
            }
}

// E⁺ − E = −(β − ½) ΔΛᵀ I⁻¹ ΔΛ in body axes: the identity that the bound above rests on.
TEST(FreeBody, EnergyChangeOfOneStepIsTheStatedQuadraticForm)
{
    std::mt19937 random(11);
    std::normal_distribution<Real> normal;
    for (int k = 0; k < 200; ++k) {
        const Mat3 I = kMoments.asDiagonal(), inverse = I.inverse();
        const Quat q =
            Quat(normal(random), normal(random), normal(random), normal(random)).normalized();
        const Vec3 w(normal(random), normal(random), normal(random));
        const Real beta = 0.5 + 0.5 * (k % 11) / 10;
        const FreeRotation to = rotate_free(I, inverse, q, w, 0.1, beta);
        const Vec3 before = I * (q.conjugate() * w), after = I * (to.q_new.conjugate() * to.w_new);
        const Real change = after.dot(inverse * after) / 2 - before.dot(inverse * before) / 2;
        const Vec3 d = after - before;
        EXPECT_NEAR(change, -(beta - 0.5) * d.dot(inverse * d), 1e-14 * before.squaredNorm());
    }
}

// Inertias of slender rods to discs, any spin, any step: the Newton loop or its fallback must hold.
TEST(FreeBody, RandomInertiasSpinsAndStepsKeepMomentumAndNeverGain)
{
    std::mt19937 random(13);
    std::normal_distribution<Real> normal;
    std::uniform_real_distribution<Real> uniform(0, 1);
    for (int k = 0; k < 5000; ++k) {
        // principal moments of a real body: sums of squared extents
        const Vec3 extent(std::pow(10, -2 * uniform(random)), std::pow(10, -2 * uniform(random)),
                          1);
        const Vec3 square = extent.cwiseAbs2();
        const Mat3 P = Quat(normal(random), normal(random), normal(random), normal(random))
                           .normalized()
                           .toRotationMatrix();
        const Mat3 I =
            P *
            Vec3(square.y() + square.z(), square.z() + square.x(), square.x() + square.y())
                .asDiagonal() *
            P.transpose();
        const Mat3 inverse = I.inverse();
        const Real condition = I.norm() * inverse.norm();
        const Quat q =
            Quat(normal(random), normal(random), normal(random), normal(random)).normalized();
        const Vec3 w = std::pow(10, 8 * uniform(random) - 2) *
                       Vec3(normal(random), normal(random), normal(random));
        const Real h = std::pow(10, -4 * uniform(random));
        const FreeRotation to = rotate_free(I, inverse, q, w, h, k % 2 == 0 ? 0.5 : 1.0);
        const Vec3 L = q * (I * (q.conjugate() * w)),
                   L_new = to.q_new * (I * (to.q_new.conjugate() * to.w_new));
        ASSERT_LT((L_new - L).norm(), 1e-14 * condition * L.norm()) << "case " << k;
        // up to a thousand sub-steps, each with the round-off of its own
        ASSERT_LT(to.w_new.dot(L_new) - w.dot(L), 1e-12 * condition * w.dot(L)) << "case " << k;
    }
}

}  // namespace
}  // namespace taut::test

// Free rotation of four bodies at once against that of one body, bit by bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>

#include "stepper/free_rotation.h"
#include "stepper/guard_settings.h"
#include "stepper/packs/rotation_table.h"

namespace taut::test {
namespace {

constexpr Real kStep = Real(1) / 60;
constexpr RotationSettings kRotation = kGuard.rotation;
constexpr RotationLimits kLimits = {kRotation.largest_turn,   kRotation.tolerance,
                                    kRotation.last_step,      kRotation.diverged,
                                    kRotation.singular,       kRotation.solvable_turn,
                                    kRotation.principal_axis, kRotation.largest_speed,
                                    kRotation.series,         kRotation.most_iterations};

struct Inertia {
    Mat3 I, inverse;
};
struct Rotated {
    Mat3 R, inertia;
    Vec3 momentum;
    FreeRotation to;
};

// What begin_rotation() of phases.cpp makes of a body under backward Euler.
Rotated rotate_one(const Inertia& body, const Quat& q, const Vec3& w)
{
    Rotated out;
    const Mat3 R = out.R = q.toRotationMatrix();
    out.momentum = R * (body.I * (R.transpose() * w));
    out.to = rotate_free(body.I, body.inverse, q, w, kStep, 1);
    out.to.q_new = Quat(1, 0, 0, 0) * out.to.q_new;
    out.to.turn += Vec3::Zero();
    out.to.w_new += Vec3::Zero();
    const Mat3 R_new = out.to.q_new.toRotationMatrix();
    out.inertia.noalias() = R_new * body.I * R_new.transpose();
    return out;
}

template <class A>
bool same_bits(const A& a, const A& b)
{
    return std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(Real)) == 0;
}

struct FourBodies {
    std::array<Inertia, 4> bodies;
    std::array<Quat, 4> q;
    std::array<Vec3, 4> w;
    std::array<Rotated, 4> out;

    bool rotate()
    {
        BodyPack pack;
        pack.count = 4;
        constexpr int kStride = sizeof(Rotated) / sizeof(Real);
        for (int i = 0; i < 4; ++i) {
            pack.vec.at[i] = 3 * i;
            pack.quat.at[i] = 4 * i;
            pack.start.at[i] = kStride * i;
        }
        Rotated& first = out[0];
        return fastest_rotate_pack()(
            pack, kLimits,
            {q[0].coeffs().data(), w[0].data(), bodies[0].I.data(), bodies[0].inverse.data(),
             sizeof(Inertia) / sizeof(Real), first.R.data(), first.inertia.data(),
             first.momentum.data(), first.to.q_new.coeffs().data(), first.to.turn.data(),
             first.to.w_new.data(), kStride, kStep});
    }
};

FourBodies random_bodies(std::mt19937& engine, int kind)
{
    std::normal_distribution<Real> any;
    std::uniform_real_distribution<Real> moment(0.5, 1);
    FourBodies four;
    for (int i = 0; i < 4; ++i) {
        Inertia& body = four.bodies[i];
        const Quat axes = Quat(any(engine), any(engine), any(engine), any(engine)).normalized();
        const Mat3 R = kind % 2 ? axes.toRotationMatrix() : Mat3(Mat3::Identity());
        const Vec3 moments = kind % 3 ? Vec3(moment(engine), moment(engine), moment(engine))
                                      : Vec3(9.3e-4, 9.3e-4, 2e-4);
        body.I = R * moments.asDiagonal() * R.transpose();
        body.inverse = body.I.inverse();
        four.q[i] = Quat(any(engine), any(engine), any(engine), any(engine)).normalized();
        four.w[i] = (kind % 5 ? 1 : 0.01) * Vec3(any(engine), any(engine), any(engine));
        if (kind % 7 == 0) {  // zeros, whose signs count
            four.q[i] = Quat(any(engine), 0, any(engine), 0).normalized();
            four.w[i].z() = 0;
        }
    }
    return four;
}

}  // namespace

TEST(RotationPack, EqualsTheRotationOfOneBodyBitByBit)
{
    if (!fastest_rotate_pack()) GTEST_SKIP() << "this machine rotates one body after the other";
    std::mt19937 engine(3);
    for (int k = 0; k < 2000; ++k) {
        FourBodies four = random_bodies(engine, k);
        ASSERT_TRUE(four.rotate()) << k;
        for (int i = 0; i < 4; ++i) {
            const Rotated one = rotate_one(four.bodies[i], four.q[i], four.w[i]);
            EXPECT_TRUE(same_bits(one.R, four.out[i].R)) << k;
            EXPECT_TRUE(same_bits(one.inertia, four.out[i].inertia)) << k;
            EXPECT_TRUE(same_bits(one.momentum, four.out[i].momentum)) << k;
            EXPECT_TRUE(same_bits(one.to.q_new.coeffs(), four.out[i].to.q_new.coeffs())) << k;
            EXPECT_TRUE(same_bits(one.to.turn, four.out[i].to.turn)) << k;
            EXPECT_TRUE(same_bits(one.to.w_new, four.out[i].to.w_new)) << k;
        }
    }
}

// At rest, about a principal axis, or by more than a radian in a step.
TEST(RotationPack, LeavesUnusualBodiesAlone)
{
    if (!fastest_rotate_pack()) GTEST_SKIP() << "this machine rotates one body after the other";
    std::mt19937 engine(4);
    for (const Vec3& w : {Vec3(0, 0, 0), Vec3(0, 0, 2), Vec3(50, 60, 70)}) {
        FourBodies four = random_bodies(engine, 4);
        four.q[2] = Quat::Identity();
        four.w[2] = w;
        EXPECT_FALSE(four.rotate());
    }
}

}  // namespace taut::test

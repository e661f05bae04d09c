// Four rotations at a time against one at a time, in every lane. Registers of four give the same bits as those of two: packs_test.
#include "math/four.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "math/so3.h"
#include "math/turn.h"

namespace taut::test {
namespace {

// Angles on both sides of where series end, in any mixture of lanes.
class Rotations {
public:
    Vec3 vector()
    {
        std::normal_distribution<Real> normal;
        std::uniform_int_distribution<int> which(0, 9);
        constexpr Real kAngles[] = {0, 1e-9, 1e-3, 0.1, 0.28, 0.29, 0.99, 1.01, 2, 3.1};
        const Vec3 axis = Vec3(normal(engine_), normal(engine_), normal(engine_)).normalized();
        return kAngles[which(engine_)] * axis;
    }

private:
    std::mt19937 engine_{7};
};

using F = Four<2>;

template <class T>
T pack(const std::array<Eigen::Matrix<Real, sizeof(T) / sizeof(F), 1>, 4>& lanes)
{
    T out;
    for (std::size_t k = 0; k < sizeof(T) / sizeof(F); ++k) {
        const Real four[4] = {lanes[0][k], lanes[1][k], lanes[2][k], lanes[3][k]};
        reinterpret_cast<F*>(&out)[k] = F::load(four);
    }
    return out;
}

template <class T>
Eigen::Matrix<Real, sizeof(T) / sizeof(F), 1> lane(const T& all, int i)
{
    Eigen::Matrix<Real, sizeof(T) / sizeof(F), 1> out;
    for (std::size_t k = 0; k < sizeof(T) / sizeof(F); ++k)
        out[k] = reinterpret_cast<const F*>(&all)[k][i];
    return out;
}

TEST(Four, ExponentialAndLogarithmAreThoseOfOne)
{
    Rotations random;
    for (int round = 0; round < 500; ++round) {
        std::array<Vec3, 4> theta;
        std::array<Eigen::Matrix<Real, 4, 1>, 4> q;
        for (int i = 0; i < 4; ++i) {
            theta[i] = random.vector();
            q[i] = exp_quat(theta[i]).coeffs();
        }
        const auto turns = exp_quat(pack<Vector3<F>>(theta));
        const auto back = log_so3(pack<Quaternion<F>>(q));
        for (int i = 0; i < 4; ++i) {
            EXPECT_LT((lane(turns, i) - q[i]).norm(), 4e-16) << theta[i].norm();
            EXPECT_LT((lane(back, i) - theta[i]).norm(), 2e-15 * (1 + theta[i].norm()))
                << theta[i].norm();
        }
    }
}

// What a body gets does not depend on which others are in its pack.
TEST(Four, LanesDoNotKnowOfEachOther)
{
    Rotations random;
    const Vec3 mine(0.2, -0.1, 0.15);
    Eigen::Matrix<Real, 4, 1> first;
    for (int round = 0; round < 200; ++round) {
        std::array<Vec3, 4> theta;
        for (Vec3& t : theta) t = random.vector();
        const int at = round % 4;
        theta[static_cast<std::size_t>(at)] = mine;
        const auto q = lane(made_unit(exp_quat(pack<Vector3<F>>(theta))), at);
        if (round == 0) first = q;
        EXPECT_EQ(q, first);
    }
}

TEST(Four, WhatIsNotUnitBecomesSo)
{
    const std::array<Eigen::Matrix<Real, 4, 1>, 4> q = {
        Eigen::Matrix<Real, 4, 1>(2, 0, 0, 1), Eigen::Matrix<Real, 4, 1>(0, 0, 0, 1 + 1e-10),
        Eigen::Matrix<Real, 4, 1>(0.1, 0.2, 0.3, 0.4), Eigen::Matrix<Real, 4, 1>(0, 1, 0, 0)};
    const auto unit = made_unit(pack<Quaternion<F>>(q));
    for (int i = 0; i < 4; ++i) EXPECT_LT((lane(unit, i) - q[i].normalized()).norm(), 4e-16) << i;
}

// Numbers side by side, an odd and an even count of them, from and to places in any order.
TEST(Four, GathersAndScattersWhatBelongsTogether)
{
    Real from[40], to[40] = {};
    for (int k = 0; k < 40; ++k) from[k] = k + 0.5;
    const Places at{{30, 7, 21, 0}};
    F five[5];
    F::gather(from, at, five);
    for (int k = 0; k < 5; ++k)
        for (int i = 0; i < 4; ++i) EXPECT_EQ(five[k][i], from[at.at[i] + k]);
    F::scatter(five, to, at);
    for (int k = 0; k < 40; ++k) {
        bool written = false;
        for (const int first : at.at) written = written || (k >= first && k < first + 5);
        EXPECT_EQ(to[k], written ? from[k] : 0) << k;
    }
}

}  // namespace
}  // namespace taut::test

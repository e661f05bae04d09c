// A block that rocks from one lower edge to the other (Housner 1963): each impact without restitution leaves (1 − 3/2 sin² α)² of
// the kinetic energy, where α is the angle of the diagonal to the upright edge.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/boxes.h"

namespace taut::test {
namespace {

struct Block {
    Real slenderness;  // width over height
    Real height;       // [m]
    Real mass;         // [kg]
    Real tilt;         // of the angle at which it falls over
};
void PrintTo(const Block& block, std::ostream* out)
{
    *out << "width/height " << block.slenderness << ", height " << block.height << " m";
}

class RockingBlock : public testing::TestWithParam<Block> {};

// Energies above the block at rest at its turning points [J].
std::vector<Real> turning_energies(const Block& block, Real dt, int turns)
{
    const Real width = block.slenderness * block.height;
    const Quat q(Eigen::AngleAxis<Real>(block.tilt * std::atan(block.slenderness), Vec3::UnitY()));
    World world;
    add_floor(world, 1);
    const Vec3 edge = q * Vec3(width / 2, 0, -block.height / 2);
    const BodyId body =
        add_box(world, Vec3(width, 0.4 * block.height, block.height), block.mass, {-edge, q}, 1);
    const Real at_rest = block.mass * world.gravity().norm() * block.height / 2;
    std::vector<Real> out{world.energy().total() - at_rest};
    Real before = 0;
    for (int i = 0; i < 10 / dt && static_cast<int>(out.size()) <= turns; ++i) {
        EXPECT_TRUE(world.step({.dt = dt}).settled);
        const Real now = world.velocity(body).angular.y();
        if (before * now < 0) out.push_back(world.energy().total() - at_rest);
        before = now;
    }
    return out;
}

TEST_P(RockingBlock, LosesAtEachImpactWhatHousnerSays)
{
    const Block block = GetParam();
    const Real sine = std::sin(std::atan(block.slenderness));
    const Real expected = std::pow(1 - 1.5 * sine * sine, 2);
    const std::vector<Real> energies = turning_energies(block, 1.0 / 240, 4);
    ASSERT_EQ(energies.size(), 5u);
    for (std::size_t k = 1; k < energies.size(); ++k)
        EXPECT_NEAR(energies[k] / energies[k - 1], expected, 0.005 * expected) << "impact " << k;
}

INSTANTIATE_TEST_SUITE_P(Blocks, RockingBlock,
                         testing::Values(Block{0.12, 0.7, 3, 0.5}, Block{0.2, 1.5, 400, 0.7},
                                         Block{0.33, 2, 25, 0.8}));

}  // namespace
}  // namespace taut::test

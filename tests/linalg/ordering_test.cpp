// The elimination order: no fill on trees, constraints only after the bodies they lean on.
#include "linalg/ordering.h"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "linalg/saddle_ops.h"
#include "linalg/samples/sample_systems.h"

namespace taut::linalg {
namespace {

using test::Sample;

EliminationOrder order_of(const SaddlePattern& p) { return find_order(p, find_spanning_forest(p)); }

// Primal nodes from i up to the root, itself first.
std::vector<int> path_to_root(const SpanningForest& forest, int i)
{
    std::vector<int> out;
    for (; i != -1; i = forest.parent[i]) out.push_back(i);
    return out;
}

// What must precede a dual by the rule of ordering.h, found the slow way.
std::vector<int> must_precede(const SaddlePattern& p, const SpanningForest& forest, int dual)
{
    if (forest.owner[dual] != -1) return {forest.owner[dual]};
    std::vector<int> seen(p.primals.size(), 0), out;
    const int touches = p.duals[dual].touches;
    for (int t = 0; t < touches; ++t)
        for (const int i : path_to_root(forest, p.touches[p.duals[dual].first_touch + t].primal))
            ++seen[i];
    for (int t = 0; t < touches; ++t)
        for (const int i : path_to_root(forest, p.touches[p.duals[dual].first_touch + t].primal)) {
            if (seen[i] == touches && touches > 1) break;  // the common ancestor and what is above
            out.push_back(i);
        }
    return out;
}

void expect_rule(const SaddlePattern& p)
{
    const SpanningForest forest = find_spanning_forest(p);
    const EliminationOrder order = find_order(p, forest);
    const int primals = static_cast<int>(p.primals.size());
    ASSERT_EQ(order.nodes.size(), p.primals.size() + p.duals.size());
    for (int d = 0; d < static_cast<int>(p.duals.size()); ++d)
        for (const int i : must_precede(p, forest, d))
            EXPECT_LT(order.position[i], order.position[primals + d]) << "dual " << d;
}

// Blocks of L by elimination of the graph in the given order, the slow way.
int count_blocks(const SaddlePattern& p, const EliminationOrder& order)
{
    const int n = static_cast<int>(order.nodes.size());
    const int primals = static_cast<int>(p.primals.size());
    Eigen::MatrixXi filled = Eigen::MatrixXi::Zero(n, n);
    const auto join = [&](int a, int b) {
        filled(order.position[a], order.position[b]) =
            filled(order.position[b], order.position[a]) = 1;
    };
    for (const auto& pair : p.pairs) join(pair.i, pair.j);
    for (int d = 0; d < static_cast<int>(p.duals.size()); ++d)
        for (int t = 0; t < p.duals[d].touches; ++t)
            join(primals + d, p.touches[p.duals[d].first_touch + t].primal);
    for (int k = 0; k < n; ++k)
        for (int i = k + 1; i < n; ++i)
            for (int j = k + 1; j < i; ++j)
                if (filled(i, k) && filled(j, k)) filled(i, j) = filled(j, i) = 1;
    return filled.sum() / 2;
}

TEST(Ordering, TreesHaveNoFill)
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const Sample sample = test::tree(seed, 60, 1, 0, false);
        EXPECT_EQ(order_of(*sample.pattern).fill, 0) << "seed " << seed;
    }
}

TEST(Ordering, PairsBetweenJointedBodiesAddNoFill)
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        test::Mechanism m(seed);
        m.add_body(Vec3::Zero(), 1);
        for (int i = 1; i < 60; ++i) {
            const int parent = m.index(i);
            const Vec3 p = m.position(parent) + m.vector(1);
            const int node = m.index(2) ? m.add_body(p, 1) : m.add_particle(p, 1);
            m.add_distance(parent, node, Vec3::Zero(), 0);
            m.add_spring(parent, node, 1);
        }
        EXPECT_EQ(order_of(*m.finish("tree").pattern).fill, 0) << "seed " << seed;
    }
}

TEST(Ordering, ConstraintsFollowTheBodiesTheyLeanOn)
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        expect_rule(*test::tree(seed, 40, 1, 0, true).pattern);
        expect_rule(*test::ring(seed, 12, 5, 1, 0).pattern);
        expect_rule(*test::net(seed, 7, 1, 0).pattern);
        expect_rule(*test::four_bar(seed, 1, 0).pattern);
        expect_rule(*test::random_blocks(seed, 30, 50).pattern);
    }
    expect_rule(*test::table(1).pattern);
}

TEST(Ordering, StructureIsThatOfTheElimination)
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const Sample sample = test::random_blocks(seed, 20, 25);
        const auto& p = *sample.pattern;
        const EliminationOrder order = order_of(p);
        EXPECT_EQ(static_cast<int>(order.below.size()), count_blocks(p, order)) << "seed " << seed;
        EXPECT_EQ(order.fill,
                  static_cast<int>(order.below.size() - p.pairs.size() - p.touches.size()));
    }
}

TEST(Ordering, PostorderKeepsFillAndFollowsChildrenAtOnce)
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const Sample sample = test::net(seed, 6, 1, 0);
        const EliminationOrder order = order_of(*sample.pattern);
        const EliminationOrder post = postordered(order);
        EXPECT_EQ(static_cast<int>(post.below.size()), count_blocks(*sample.pattern, post));
        EXPECT_EQ(post.below.size(), order.below.size()) << "seed " << seed;
        for (int k = 1; k < static_cast<int>(post.nodes.size()); ++k) {
            // either a leaf of the elimination tree, or the parent of the node just before
            bool is_leaf = true;
            for (int c = 0; c < k; ++c)
                if (post.first_below[c] < post.first_below[c + 1])
                    is_leaf &= post.below[post.first_below[c]] != k;
            const bool follows = post.first_below[k - 1] < post.first_below[k] &&
                                 post.below[post.first_below[k - 1]] == k;
            EXPECT_TRUE(is_leaf || follows) << "position " << k << ", seed " << seed;
        }
    }
}

// The reason for the rule: pivots of hard, non-redundant mechanisms stay away from zero. A pivot is
// of order one here; round-off would leave 1e-14.
TEST(Ordering, EveryLeadingMinorOfAHardMechanismIsNonsingular)
{
    for (unsigned seed = 1; seed <= 6; ++seed)
        for (const Sample& sample : {test::ring(seed, 8, 2, 1, 0), test::net(seed, 5, 1, 0)}) {
            const auto& p = *sample.pattern;
            const EliminationOrder order = order_of(p);
            Eigen::MatrixXd a = to_dense(sample.system);
            const int primals = static_cast<int>(p.primals.size());
            for (const int node : order.nodes) {
                const bool is_dual = node >= primals;
                const int first = is_dual ? p.primal_unknowns + p.duals[node - primals].offset
                                          : p.primals[node].offset;
                const int size = is_dual ? p.duals[node - primals].size : p.primals[node].size;
                for (int r = first; r < first + size; ++r) {
                    const Real pivot = a(r, r);
                    ASSERT_TRUE(is_dual ? pivot < -1e-6 : pivot > 1e-6)
                        << sample.name << " seed " << seed << " row " << r << ": " << pivot;
                    const Eigen::VectorXd column = a.col(r) / pivot;
                    a -= column * a.row(r);
                }
            }
        }
}

TEST(SpanningForest, MarksExactlyTheRowsOnCycles)
{
    // a triangle 0-1-2 hung from the ground at 0, a tail 3 on 2, a doubled joint between 4 and 5
    SaddlePattern p;
    for (int i = 0; i < 6; ++i) p.add_primal(6);
    const int links[][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {4, 5}, {4, 5}};
    for (const auto& link : links) p.add_dual(3, link);
    const int ground[] = {0};
    p.add_dual(3, ground);
    const SpanningForest forest = find_spanning_forest(p);
    EXPECT_EQ(forest.cyclic, (std::vector<char>{1, 1, 1, 0, 1, 1, 0}));

    const SpanningForest tree = find_spanning_forest(*test::tree(3, 50, 1, 0, true).pattern);
    for (const char cyclic : tree.cyclic) EXPECT_FALSE(cyclic);
}

TEST(SpanningForest, LoopThroughTheGroundReachesTheRoots)
{
    const SpanningForest forest = find_spanning_forest(*test::four_bar(1, 1, 0).pattern);
    ASSERT_EQ(forest.cyclic.size(), 4u);
    for (const char cyclic : forest.cyclic) EXPECT_TRUE(cyclic);
}

std::int64_t visits_to_order(const SaddlePattern& p)
{
    const EliminationOrder order = postordered(order_of(p));
    EXPECT_EQ(order.fill, 0);
    EXPECT_GT(order.visits, static_cast<std::int64_t>(p.primals.size())) << "the work is counted";
    return order.visits;
}

// Ten times the nodes: proportional work is ten times as much, but for the ends, quadratic work a hundred times.
constexpr std::int64_t kTenTimesTheNodes = 11;

TEST(Ordering, WorkGrowsInProportionToTheChain)
{
    const auto chain = [](int links) {
        SaddlePattern p;
        for (int i = 0; i < links; ++i) p.add_primal(6);
        for (int i = 0; i + 1 < links; ++i) {
            const int both[] = {i, i + 1};
            p.add_dual(3, both);
        }
        return p;
    };
    EXPECT_LT(visits_to_order(chain(10000)), kTenTimesTheNodes * visits_to_order(chain(1000)));
}

TEST(Ordering, HubWithManyLeavesIsNotWalkedOncePerLeaf)
{
    const auto star = [](int leaves) {
        SaddlePattern p;
        const int hub = p.add_primal(6);
        for (int i = 0; i < leaves; ++i) {
            const int both[] = {hub, p.add_primal(6)};
            p.add_dual(3, both);
            p.add_pair(both[0], both[1]);
        }
        return p;
    };
    EXPECT_LT(visits_to_order(star(10000)), kTenTimesTheNodes * visits_to_order(star(1000)));
}

TEST(Ordering, EarlyDualsComeFirst)
{
    const test::Sample sample = test::ring(3, 12, 6, 1, 1e-6);
    SaddlePattern& p = *sample.pattern;
    for (std::size_t d = 0; d < p.duals.size(); d += 2) p.duals[d].early = true;
    const EliminationOrder order = order_of(p);
    const int primals = static_cast<int>(p.primals.size());
    ASSERT_EQ(order.nodes.size(), p.primals.size() + p.duals.size());
    for (int d = 0; d < static_cast<int>(p.duals.size()); d += 2)
        for (int t = 0; t < p.duals[d].touches; ++t)
            EXPECT_LT(order.position[primals + d],
                      order.position[p.touches[p.duals[d].first_touch + t].primal]);
    EXPECT_EQ(static_cast<int>(order.below.size()), count_blocks(p, order));
}

// Parts touch nothing of each other, the rest comes last, and it is the same elimination.
TEST(Ordering, PartsAreIndependentSubtrees)
{
    for (const Sample& sample : {test::tree(3, 2000, 10, 0, false), test::net(5, 40, 10, 1e-3)}) {
        const SaddlePattern& p = *sample.pattern;
        const EliminationOrder whole = postordered(order_of(p)), order = split_into_parts(whole);
        ASSERT_GE(order.parts.size(), 4u);
        EXPECT_EQ(order.below.size(), whole.below.size());
        EXPECT_EQ(order.fill, whole.fill);
        const int count = static_cast<int>(order.nodes.size());
        std::vector<int> part_of(order.nodes.size(), -1);
        int last = 0;
        for (std::size_t k = 0; k < order.parts.size(); ++k) {
            EXPECT_EQ(order.parts[k].first, last);
            last = order.parts[k].last;
            for (int i = order.parts[k].first; i < last; ++i) part_of[i] = static_cast<int>(k);
        }
        EXPECT_GT(last, count / 4) << "much is left to do one by one";
        // who changes a node of the rest: one part alone
        std::vector<int> changed_by(order.nodes.size(), -1);
        for (int k = 0; k < count; ++k)
            for (int b = order.first_below[k]; b < order.first_below[k + 1]; ++b) {
                const int other = order.below[b];
                ASSERT_GT(other, k);
                if (part_of[k] < 0) continue;
                if (part_of[other] >= 0) {
                    EXPECT_EQ(part_of[other], part_of[k]);
                    continue;
                }
                EXPECT_TRUE(changed_by[other] < 0 || changed_by[other] == part_of[k]);
                changed_by[other] = part_of[k];
            }
    }
}

TEST(Ordering, SmallSystemsAndChainsHaveNoParts)
{
    EXPECT_TRUE(split_into_parts(postordered(order_of(*test::tree(3, 100, 10, 0, false).pattern)))
                    .parts.empty());
    EXPECT_TRUE(split_into_parts(postordered(order_of(*test::chain(3, 2000, 3, 10, 0).pattern)))
                    .parts.empty());
}

}  // namespace
}  // namespace taut::linalg

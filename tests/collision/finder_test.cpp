// The search as a whole: pairs, filters, matching, determinism, no allocation.
#include "collision/contact_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

#include "collision/samples.h"
#include "solver/counting_new.h"

namespace taut::collision::test {
namespace {

struct Scene {
    std::vector<BodyState> bodies;
    ContactFinder finder;

    int add(const ColliderShape& shape, const Vec3& p, bool movable = true)
    {
        BodyState b;
        b.pose.p = p;
        b.movable = movable;
        bodies.push_back(b);
        Collider c;
        c.body = static_cast<int>(bodies.size()) - 1;
        c.shape = shape;
        return finder.add(c);
    }
};

// A heap of mixed shapes over a plane.
Scene heap(int count, unsigned seed)
{
    Scene s;
    Random random(seed);
    s.add(Shape::Plane{}, Vec3::Zero(), false);
    const HullShape hull = prism(5, 0.3, 0.3);
    for (int i = 0; i < count; ++i) {
        const ColliderShape shape = i % 5 == 0   ? ColliderShape(Shape::Sphere{0.3})
                                    : i % 5 == 1 ? ColliderShape(Shape::Capsule{0.15, 0.6})
                                    : i % 5 == 2 ? ColliderShape(Shape::Box{Vec3(0.4, 0.6, 0.8)})
                                    : i % 5 == 3 ? ColliderShape(Shape::Cylinder{0.3, 0.6})
                                                 : ColliderShape(hull);
        s.add(shape, {uniform(random, -2, 2), uniform(random, -2, 2), uniform(random, 0, 2)});
        s.bodies.back().pose.q = Quat(random_frame(random, 1).R);
        s.bodies.back().velocity.linear = random_direction(random);
        s.bodies.back().velocity.angular = random_direction(random);
    }
    return s;
}

bool same_bits(std::span<const ContactPoint> a, std::span<const ContactPoint> b)
{
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].collider_a != b[i].collider_a || a[i].collider_b != b[i].collider_b ||
            a[i].feature != b[i].feature || std::memcmp(&a[i].gap, &b[i].gap, sizeof(Real)) != 0 ||
            a[i].p_a != b[i].p_a || a[i].p_b != b[i].p_b || a[i].normal != b[i].normal)
            return false;
    return true;
}

TEST(BoxTree, FindsThePairsThatAllAgainstAllFinds)
{
    Random random(31);
    for (int n : {0, 1, 2, 3, 10, 300}) {
        std::vector<Aabb> boxes;
        std::vector<char> still;
        for (int i = 0; i < n; ++i) {
            const Vec3 c = 3 * random_direction(random) * uniform(random, 0, 1);
            const Vec3 h =
                Vec3(uniform(random, 0, 1), uniform(random, 0, 1), uniform(random, 0, 1)) *
                (i % 50 == 0 ? 5 : 0.5);
            boxes.push_back({c - h, c + h});
            if (i % 7 == 0) boxes.back() = boxes.front();  // equal boxes
            if (i % 11 == 10) boxes.back() = Aabb{};       // empty
            still.push_back(i % 3 == 0);
        }
        std::vector<IndexPair> expected, found;
        for (int i = 0; i < n; ++i)
            for (int k = i + 1; k < n; ++k)
                if (!(still[i] && still[k]) && overlap(boxes[i], boxes[k]))
                    expected.push_back({i, k});
        BoxTree tree;
        tree.find_pairs(boxes, still, found);
        EXPECT_EQ(found, expected) << n;
    }
}

TEST(ContactFinder, FindsEveryContactThatAllAgainstAllFinds)
{
    Scene s = heap(120, 41);
    const SearchSettings settings{0.01, 0.02};
    const auto contacts = s.finder.find(s.bodies, settings);
    std::size_t at = 0;
    const auto colliders = s.finder.colliders();
    for (int a = 0; a < static_cast<int>(colliders.size()); ++a)
        for (int b = a + 1; b < static_cast<int>(colliders.size()); ++b) {
            const auto& A = s.bodies[a];
            const auto& B = s.bodies[b];
            const Real speed = (A.velocity.linear - B.velocity.linear).norm() +
                               (a ? turning_speed(colliders[a], A.velocity) : 0) +
                               turning_speed(colliders[b], B.velocity);
            auto points = points_of(colliders[a].shape, to_transform(A.pose), colliders[b].shape,
                                    to_transform(B.pose), settings.margin + settings.dt * speed);
            // those seen by their boxes: others cannot come together however they turn
            if (points.empty() || at >= contacts.size() || contacts[at].collider_a != a ||
                contacts[at].collider_b != b) {
                for (const auto& p : points) EXPECT_GT(p.gap, settings.margin);
                continue;
            }
            for (std::size_t k = 0; k < points.size(); ++k, ++at) {
                EXPECT_EQ(contacts[at].collider_a, a);
                const ContactPoint& c = contacts[at];
                const Vec3 x_a = to_transform(A.pose).point(c.p_a),
                           x_b = to_transform(B.pose).point(c.p_b);
                EXPECT_NEAR(c.normal.dot(x_a - x_b), c.gap, 1e-12);
                const Transform carrier = to_transform(c.carried_by_a ? A.pose : B.pose);
                EXPECT_LT((carrier.R * c.carried - c.normal).norm(), 1e-12);
            }
        }
    EXPECT_EQ(at, contacts.size());
    EXPECT_GT(contacts.size(), 100u);
    EXPECT_TRUE(std::is_sorted(contacts.begin(), contacts.end(), in_order<ContactPoint>));
}

TEST(ContactFinder, GivesTheSameBitsWhateverWasAskedBefore)
{
    Scene s = heap(80, 43), fresh = heap(80, 43);
    auto elsewhere = s.bodies;
    for (auto& b : elsewhere) b.pose.p = b.pose.p * -3.7 + Vec3(1, 2, 3);
    s.finder.find(elsewhere, {0.02, 0.1});
    s.finder.find(s.bodies, {0.1, 0});
    const auto a = s.finder.find(s.bodies, {0.01, 0.01});
    const auto b = fresh.finder.find(fresh.bodies, {0.01, 0.01});
    EXPECT_GT(a.size(), 50u);
    EXPECT_TRUE(same_bits(a, b));
}

TEST(ContactFinder, FindsTheSameContactsInWhateverOrderBodiesWereAdded)
{
    const Scene original = heap(60, 47);
    std::vector<int> order(original.bodies.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    Random random(3);
    std::shuffle(order.begin(), order.end(), random);
    Scene s = heap(60, 47), shuffled;
    for (int i : order) {
        shuffled.bodies.push_back(s.bodies[i]);
        Collider c = s.finder.colliders()[i];
        c.body = static_cast<int>(shuffled.bodies.size()) - 1;
        shuffled.finder.add(c);
    }
    // by what does not depend on numbering: bodies, sides sorted, and the smallest gap of the pair
    using Key = std::tuple<int, int>;
    const auto summary = [](std::span<const ContactPoint> contacts, auto&& body) {
        std::map<Key, std::pair<int, Real>> sum;
        for (const auto& c : contacts) {
            auto& [count, gap] =
                sum.try_emplace(std::minmax(body(c.body_a), body(c.body_b)), 0, 1e9).first->second;
            ++count;
            gap = std::min(gap, c.gap);
        }
        return sum;
    };
    const auto a = summary(s.finder.find(s.bodies, {0.01, 0.01}), [](int i) { return i; });
    const auto b = summary(shuffled.finder.find(shuffled.bodies, {0.01, 0.01}),
                           [&](int i) { return order[i]; });
    ASSERT_EQ(a.size(), b.size());
    for (auto i = a.begin(), k = b.begin(); i != a.end(); ++i, ++k) {
        EXPECT_EQ(i->first, k->first);
        EXPECT_EQ(i->second.first, k->second.first);
        EXPECT_NEAR(i->second.second, k->second.second, 1e-6);
    }
}

TEST(ContactFinder, AsksGroupsExclusionsAndWhetherAnyoneMoves)
{
    const auto count = [](auto&& prepare) {
        Scene s;
        s.add(Shape::Box{Vec3::Constant(2)}, {0, 0, 0});
        s.add(Shape::Box{Vec3::Constant(2)}, {0, 0, 1.9});
        prepare(s);
        return s.finder.find(s.bodies, {0, 0}).size();
    };
    EXPECT_EQ(count([](Scene&) {}), 4u);
    EXPECT_EQ(count([](Scene& s) { s.finder.exclude(1, 0); }), 0u);
    EXPECT_EQ(count([](Scene& s) { s.bodies[0].movable = false; }), 4u);
    EXPECT_EQ(count([](Scene& s) { s.bodies[0].movable = s.bodies[1].movable = false; }), 0u);
    const auto with_groups = [&](std::uint32_t groups, std::uint32_t with) {
        return count([&](Scene& s) {
            Collider c = s.finder.colliders()[1];
            s.finder.clear();
            c.body = 0, s.finder.add(c);
            c.body = 1, c.groups = groups, c.collides_with = with, s.finder.add(c);
        });
    };
    EXPECT_EQ(with_groups(2, ~0u), 4u);
    EXPECT_EQ(with_groups(2, 2), 0u);
    EXPECT_EQ(with_groups(0, ~0u), 0u);
}

TEST(ContactFinder, ACompoundMeetsWithEachPartAndNotWithItself)
{
    Scene s;
    s.add(Shape::Plane{}, Vec3::Zero(), false);
    s.add(Shape::Sphere{0.5}, {0, 0, 0.5});
    Collider second;
    second.body = 1;
    second.pose.p = Vec3(0.6, 0, 0);
    second.shape = Shape::Sphere{0.5};
    s.finder.add(second);
    const auto contacts = s.finder.find(s.bodies, {0, 1e-6});
    ASSERT_EQ(contacts.size(), 2u);
    EXPECT_LT((contacts[1].p_b - Vec3(0.6, 0, -0.5)).norm(), 1e-12);
    EXPECT_LT((contacts[1].normal + Vec3::UnitZ()).norm(),
              1e-12);  // from b, the ball, to a, the plane
}

TEST(ContactFinder, LeavesOutWhatIsNotFinite)
{
    Scene s;
    s.add(Shape::Plane{}, Vec3::Zero(), false);
    s.add(Shape::Sphere{1}, {0, 0, 0.5});
    s.add(Shape::Sphere{1}, {0, 0, std::nan("")});
    s.add(Shape::Sphere{-1}, {0, 0, 0});
    EXPECT_EQ(s.finder.find(s.bodies, {0.01, 0}).size(), 1u);
}

TEST(ContactFinder, CatchesAFastBodyInFrontOfAThinPlate)
{
    for (const ColliderShape& shape :
         {ColliderShape(Shape::Sphere{0.02}), ColliderShape(Shape::Capsule{0.02, 0.2}),
          ColliderShape(Shape::Box{Vec3(0.2, 0.2, 0.002)})}) {
        Scene s;
        s.add(Shape::Box{Vec3(2, 2, 0.01)}, Vec3::Zero(), false);
        s.add(shape, {0.1, 0.2, 1.5});
        s.bodies[1].velocity.linear = Vec3(0, 0, -100);
        s.bodies[1].velocity.angular = Vec3(3, 1, 2);
        const auto contacts = s.finder.find(s.bodies, {1.0 / 60, 0});
        ASSERT_FALSE(contacts.empty()) << kind_name(kind(shape));
        EXPECT_GT(contacts[0].gap, 1.3);
        EXPECT_LT((contacts[0].normal + Vec3::UnitZ()).norm(), 1e-12);
    }
}

TEST(ContactFinder, AllocatesNothingOnceItsBuffersHaveGrown)
{
    Scene s = heap(200, 53);
    s.add(flat_field(9, 0.5), Vec3(-2, -2, 0.1), false);
    s.finder.find(s.bodies, {0.02, 0.05});
    ContactMatcher matcher;
    const std::vector<Real> tolerances(s.finder.colliders().size(), 0.01);
    const std::vector<ContactPoint> last(s.finder.find(s.bodies, {0.01, 0.01}).begin(),
                                         s.finder.find(s.bodies, {0.01, 0.01}).end());
    matcher.match(last, last, tolerances);
    const long before = taut::test::allocations();
    const auto contacts = s.finder.find(s.bodies, {0.01, 0.01});
    matcher.match(last, contacts, tolerances);
    EXPECT_EQ(taut::test::allocations(), before);
}

TEST(SweptAabb, HoldsTheShapeThroughoutTheStep)
{
    Random random(61);
    for (int i = 0; i < 200; ++i) {
        Collider c;
        c.shape = Shape::Box{Vec3(0.6, 0.4, 0.2)};
        c.pose.p = 0.5 * random_direction(random);
        BodyState b;
        b.pose.p = random_direction(random);
        b.pose.q = Quat(random_frame(random, 1).R);
        b.velocity.linear = 10 * random_direction(random);
        b.velocity.angular = uniform(random, 0, 100) * random_direction(random);
        const Real dt = 0.05;
        const Transform X = to_transform(b.pose) * to_transform(c.pose);
        const Aabb box = grown(swept_aabb(c, b, X, dt, 0), 1e-12);
        for (int k = 0; k <= 20; ++k) {
            const Real t = dt * k / 20;
            const Real angle = b.velocity.angular.norm() * t;
            Transform Y = to_transform(b.pose);
            Y.R = turned(b.velocity.angular, angle, {0, 0, 0}).R * Y.R;
            Y.p += b.velocity.linear * t;
            const Aabb there = box_at(c.shape, Y * to_transform(c.pose));
            EXPECT_TRUE((there.low.array() >= box.low.array()).all() &&
                        (there.high.array() <= box.high.array()).all());
        }
    }
}

const std::vector<Real> kTolerances{0.1, 0.2, 5, 0.1};

ContactPoint contact(int a, int b, std::uint64_t feature, Real x)
{
    ContactPoint c;
    c.collider_a = a, c.collider_b = b, c.feature = feature;
    c.p_b = Vec3(x, 0, 0);
    return c;
}

TEST(ContactMatcher, MatchesByFeatureThenByPlace)
{
    const std::vector<ContactPoint> last{contact(0, 1, 5, 0), contact(0, 1, 7, 1),
                                         contact(0, 2, 1, 0), contact(1, 2, 1, 0)};
    const std::vector<ContactPoint> now{contact(0, 1, 5, 0.5), contact(0, 1, 8, 1.01),
                                        contact(0, 1, 9, 1.02), contact(0, 3, 1, 0),
                                        contact(1, 2, 2, 0.5)};
    ContactMatcher matcher;
    const auto found = matcher.match(last, now, kTolerances);
    EXPECT_EQ((std::vector<int>(found.begin(), found.end())), (std::vector<int>{0, 1, -1, -1, -1}));
    EXPECT_TRUE(matcher.match({}, {}, kTolerances).empty());
}

}  // namespace
}  // namespace taut::collision::test

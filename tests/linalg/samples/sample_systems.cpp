#include "linalg/samples/sample_systems.h"

#include <algorithm>
#include <cmath>

namespace taut::test {
namespace {

void add_some_joint(Mechanism& m, int rows, int a, int b, const Vec3& p, Real compliance)
{
    if (rows == 1)
        return m.add_joint(a, b, p, m.vector(1).normalized().transpose(), Mechanism::Block(0, 3),
                           compliance);
    if (rows == 2)
        return m.add_joint(a, b, p, Mat3::Identity().topRows(2), Mechanism::Block(0, 3),
                           compliance);
    if (rows == 3) return m.add_ball(a, b, p, compliance);
    if (rows == 5) return m.add_hinge(a, b, p, m.vector(1), compliance);
    m.add_weld(a, b, p, compliance);
}

}  // namespace

Sample chain(unsigned seed, int links, int rows, Real ratio, Real compliance)
{
    Mechanism m(seed);
    Vec3 end = Vec3::Zero();
    for (int i = 0; i < links; ++i) {
        const Vec3 half = 0.25 * (m.vector(1) + Vec3(1, 0, 0)).normalized();
        const int body = m.add_body(end + half, i + 1 == links ? ratio : 1);
        add_some_joint(m, rows, body - 1, body, end, compliance);
        end += 2 * half;
    }
    m.add_stiffness(0.1);
    return m.finish("chain");
}

Sample tree(unsigned seed, int bodies, Real ratio, Real compliance, bool with_springs)
{
    Mechanism m(seed);
    const int kinds[] = {1, 2, 3, 5, 6};
    for (int i = 0; i < bodies; ++i) {
        const int parent = i == 0 ? (seed % 2 ? kGround : -2) : m.index(i);
        const Vec3 from = parent >= 0 ? m.position(parent) : Vec3::Zero();
        const Vec3 half = m.vector(0.3);
        const int body = m.add_body(from + 2 * half, std::pow(ratio, m.uniform(0, 1)));
        if (parent >= kGround)
            add_some_joint(m, kinds[m.index(5)], parent, body, from + half, compliance);
        if (with_springs && parent >= 0) m.add_spring(parent, body, m.uniform(0, 100));
    }
    if (with_springs)
        for (int k = 0; k < bodies / 4; ++k) {
            const int a = m.index(bodies), b = m.index(bodies);
            if (a != b) m.add_spring(a, b, m.uniform(0, 100));
        }
    m.add_stiffness(0.3);
    return m.finish("tree");
}

Sample ring(unsigned seed, int bodies, int rods, Real ratio, Real compliance)
{
    Mechanism m(seed);
    const auto corner = [&](int i) {
        const Real angle = 2 * 3.14159265358979 * i / bodies;
        return Vec3(std::cos(angle), std::sin(angle), 0.3 * std::sin(3 * angle));
    };
    for (int i = 0; i < bodies; ++i)
        m.add_body(0.5 * (corner(i) + corner(i + 1)) + m.vector(0.05),
                   std::pow(ratio, m.uniform(0, 1)));
    for (int i = 0; i < bodies; ++i) m.add_ball(i, (i + 1) % bodies, corner(i + 1), compliance);
    m.add_ball(kGround, 0, corner(0), compliance);
    for (int k = 0; k < rods; ++k)
        m.add_distance(k, k + 2 + m.index(bodies - 2 - rods), Vec3::Zero(), compliance);
    m.add_stiffness(0.1);
    return m.finish("ring");
}

Sample net(unsigned seed, int n, Real ratio, Real compliance)
{
    Mechanism m(seed);
    for (int i = 0; i < n * n; ++i)
        m.add_particle(Vec3(i % n, i / n, 0) + m.vector(0.2), std::pow(ratio, m.uniform(0, 1)));
    m.add_distance(kGround, 0, Vec3(-1, -1, 1), compliance);
    m.add_distance(kGround, n - 1, Vec3(n, -1, 1), compliance);
    for (int i = 0; i < n * n; ++i) {
        if (i % n + 1 < n) m.add_distance(i, i + 1, Vec3::Zero(), compliance);
        if (i / n + 1 < n) m.add_distance(i, i + n, Vec3::Zero(), compliance);
    }
    m.add_stiffness(0.1);
    return m.finish("net");
}

Sample four_bar(unsigned seed, Real ratio, Real compliance)
{
    Mechanism m(seed);
    const Vec3 corners[] = {{0, 0, 0}, {0.2, 0.9, 0}, {1.3, 1.2, 0}, {1.5, 0, 0}};
    for (int i = 0; i < 3; ++i)
        m.add_body(0.5 * (corners[i] + corners[i + 1]), std::pow(ratio, 0.5 * i));
    for (int i = 0; i < 4; ++i)
        m.add_hinge(i - 1, i == 3 ? kGround : i, corners[i], Vec3(0, 0, 1), compliance);
    return m.finish("four-bar", compliance < 1e-6);
}

Sample table(Real mass)
{
    Mechanism m(1);
    const int top = m.add_body(Vec3::Zero(), mass, Mat3::Identity());
    for (const auto& [x, y] :
         {std::pair(1, 1), std::pair(-1, 1), std::pair(-1, -1), std::pair(1, -1)})
        m.add_joint(kGround, top, Vec3(0.5 * x, 0.4 * y, -0.1), Vec3(0, 0, 1).transpose(),
                    Mechanism::Block(0, 3), 0);
    Sample out = m.finish("table", true);
    std::fill(out.system.f.begin(), out.system.f.end(), 0);
    std::fill(out.system.g.begin(), out.system.g.end(), 0);
    out.system.f[2] = -9.81 * mass * kStep;
    return out;
}

Sample random_blocks(unsigned seed, int primals, int duals)
{
    Mechanism m(seed);
    Sample out;
    out.name = "blocks";
    auto& p = *out.pattern;
    for (int i = 0; i < primals; ++i) p.add_primal(1 + m.index(6));
    for (int i = 0; i < primals / 2; ++i) {
        const int a = m.index(primals), b = m.index(primals);
        if (a != b) p.add_pair(a, b);
    }
    for (int d = 0; d < duals; ++d) {
        std::vector<int> touched;
        for (int k = m.index(4); k > 0; --k) {
            const int i = m.index(primals);
            if (std::find(touched.begin(), touched.end(), i) == touched.end()) touched.push_back(i);
        }
        p.add_dual(1 + m.index(6), touched);
    }
    auto& s = out.system;
    s.prepare(p);
    for (auto* values : {&s.H, &s.J, &s.f, &s.g})
        for (Real& value : *values) value = m.uniform(-1, 1);
    for (Real& value : s.sigma) value = m.uniform(0.01, 1);
    for (const auto& pair : p.pairs)
        for (int r = 0; r < p.primals[pair.i].size; ++r)
            for (int c = 0; c < p.primals[pair.j].size; ++c)
                s.H[pair.block_ji + c * p.primals[pair.i].size + r] =
                    s.H[pair.block_ij + r * p.primals[pair.j].size + c];
    for (const auto& primal : p.primals)
        for (int r = 0; r < primal.size; ++r) {
            Real* const block = &s.H[primal.block];
            for (int c = 0; c < r; ++c) block[r * primal.size + c] = block[c * primal.size + r];
            block[r * primal.size + r] =
                40;  // above the sum of its row: at most 36 entries below 1
        }
    return out;
}

}  // namespace taut::test

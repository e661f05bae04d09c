// Saddle systems of small mechanisms with realistic geometry, for the tests of linalg and solver.
//
// Bodies sit at random poses, rows are those of points, axes and distances, Σ = C/h² with h = 1/60.
// Right-hand sides are consistent even where rows are redundant: g = J u + Σ w for random u, w.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include "linalg/saddle_matrix.h"

namespace taut::test {

inline constexpr Real kStep = Real(1) / 60;
inline constexpr int kGround = -1;

struct Sample {
    std::string name;
    std::unique_ptr<linalg::SaddlePattern> pattern = std::make_unique<linalg::SaddlePattern>();
    linalg::SaddleSystem system;
    bool redundant = false;  // or so nearly that y is not determined to the digits asked for
};

// Collects nodes and blocks, then writes them to a Sample.
class Mechanism {
public:
    using Block = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    explicit Mechanism(unsigned seed) : random_(seed) {}

    Real uniform(Real low, Real high)
    {
        return std::uniform_real_distribution<Real>(low, high)(random_);
    }
    int index(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
    Vec3 vector(Real size)
    {
        return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
    }

    int add_body(const Vec3& p, Real mass)
    {
        const Quat q(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
        return add_body(p, mass, q.normalized().toRotationMatrix());
    }

    int add_body(const Vec3& p, Real mass, const Mat3& R)
    {
        Block H = Block::Zero(6, 6);
        H.topLeftCorner<3, 3>() = mass * Mat3::Identity();
        H.bottomRightCorner<3, 3>() =
            mass * R * Vec3(0.01, 0.08, 0.09).asDiagonal() * R.transpose();
        H = (0.5 * (H + H.transpose())).eval();
        return add_node(p, H);
    }

    int add_particle(const Vec3& p, Real mass) { return add_node(p, mass * Mat3::Identity()); }

    const Vec3& position(int node) const { return p_[node]; }
    int nodes() const { return static_cast<int>(p_.size()); }

    // Rows: `directions` of the relative motion of the points of a and b at p, then `axes` of their
    // relative rotation. Either may be the ground.
    void add_joint(int a, int b, const Vec3& p, const Block& directions, const Block& axes,
                   Real compliance)
    {
        std::vector<std::pair<int, Block>> touches;
        for (const auto& [node, sign] : {std::pair(a, Real(-1)), std::pair(b, Real(1))}) {
            if (node == kGround) continue;
            const Vec3 r = p - p_[node];
            Mat3 lever;
            lever << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0;
            Block J = Block::Zero(directions.rows() + axes.rows(), h_[node].rows());
            J.topLeftCorner(directions.rows(), 3) = sign * directions;
            if (J.cols() == 6) {
                J.topRightCorner(directions.rows(), 3) = sign * directions * lever;
                J.bottomRightCorner(axes.rows(), 3) = sign * axes;
            }
            touches.emplace_back(node, J);
        }
        add_rows(std::move(touches), compliance);
    }

    void add_ball(int a, int b, const Vec3& p, Real compliance)
    {
        add_joint(a, b, p, Mat3::Identity(), Block(0, 3), compliance);
    }
    void add_hinge(int a, int b, const Vec3& p, const Vec3& axis, Real compliance)
    {
        const Vec3 u = axis.unitOrthogonal();
        Block axes(2, 3);
        axes << u.transpose(), axis.normalized().cross(u).transpose();
        add_joint(a, b, p, Mat3::Identity(), axes, compliance);
    }
    void add_weld(int a, int b, const Vec3& p, Real compliance)
    {
        add_joint(a, b, p, Mat3::Identity(), Mat3::Identity(), compliance);
    }
    // Distance between the centres, or from a centre to a point of the ground.
    void add_distance(int a, int b, const Vec3& ground_point, Real compliance)
    {
        const Vec3 from = a == kGround ? ground_point : p_[a];
        const Vec3 u = (p_[b] - from).normalized();
        std::vector<std::pair<int, Block>> touches;
        for (const auto& [node, sign] : {std::pair(a, Real(-1)), std::pair(b, Real(1))}) {
            if (node == kGround) continue;
            Block J = Block::Zero(1, h_[node].rows());
            J.leftCols(3) = sign * u.transpose();
            touches.emplace_back(node, J);
        }
        add_rows(std::move(touches), compliance);
    }

    void add_rows(std::vector<std::pair<int, Block>> touches, Real compliance)
    {
        duals_.push_back({std::move(touches), compliance});
    }

    // Stiffness k u uᵀ in the direction between two nodes, as a spring puts it into H.
    void add_spring(int a, int b, Real k)
    {
        const Vec3 u = (p_[b] - p_[a]).normalized();
        h_[a].topLeftCorner(3, 3) += k * u * u.transpose();
        h_[b].topLeftCorner(3, 3) += k * u * u.transpose();
        Block between = Block::Zero(h_[a].rows(), h_[b].rows());
        between.topLeftCorner(3, 3) = -k * u * u.transpose();
        pairs_.push_back({a, b, between});
    }

    // A random positive semidefinite addition to each diagonal block, relative to its size.
    void add_stiffness(Real size)
    {
        for (auto& H : h_) {
            Block a(H.rows(), 2);
            for (int k = 0; k < a.size(); ++k) a.data()[k] = uniform(-1, 1);
            a = H.diagonal().cwiseSqrt().asDiagonal() * a;
            H += size * a * a.transpose();
        }
    }

    Sample finish(std::string name, bool redundant = false)
    {
        Sample out;
        out.name = std::move(name);
        out.redundant = redundant;
        auto& p = *out.pattern;
        for (const auto& H : h_) p.add_primal(static_cast<int>(H.rows()));
        for (const auto& pair : pairs_) p.add_pair(pair.a, pair.b);
        for (const auto& dual : duals_) {
            std::vector<int> touched;
            for (const auto& touch : dual.touches) touched.push_back(touch.first);
            const int rows =
                dual.touches.empty() ? 1 : static_cast<int>(dual.touches[0].second.rows());
            p.add_dual(rows, touched);
        }
        out.system.attach(p);
        write_values(out.system);
        write_right_hand_side(out.system);
        return out;
    }

private:
    struct Pair {
        int a, b;
        Block between;
    };
    struct Dual {
        std::vector<std::pair<int, Block>> touches;
        Real compliance;
    };

    int add_node(const Vec3& p, const Block& H)
    {
        p_.push_back(p);
        h_.push_back(H);
        return nodes() - 1;
    }

    void write_values(linalg::SaddleSystem& s)
    {
        const auto& p = *s.pattern;
        const auto add = [](Real* to, const Block& block) {
            for (int k = 0; k < block.size(); ++k) to[k] += block.data()[k];
        };
        for (std::size_t i = 0; i < h_.size(); ++i) add(&s.H[p.primals[i].block], h_[i]);
        for (const auto& pair : pairs_) {
            for (const auto& to : p.pairs) {
                const bool same = to.i == pair.a && to.j == pair.b;
                if (!same && !(to.i == pair.b && to.j == pair.a)) continue;
                add(&s.H[to.block_ij], same ? pair.between : Block(pair.between.transpose()));
                add(&s.H[to.block_ji], same ? Block(pair.between.transpose()) : pair.between);
            }
        }
        for (std::size_t d = 0; d < duals_.size(); ++d) {
            const auto& dual = p.duals[d];
            for (int t = 0; t < dual.touches; ++t)
                add(&s.J[p.touches[dual.first_touch + t].block], duals_[d].touches[t].second);
            for (int r = 0; r < dual.size; ++r)
                s.sigma[dual.offset + r] = duals_[d].compliance / (kStep * kStep);
        }
    }

    // Momentum of random velocities plus gravity; speeds that some motion has.
    void write_right_hand_side(linalg::SaddleSystem& s)
    {
        const auto& p = *s.pattern;
        std::vector<Real> u(s.f.size());
        for (std::size_t i = 0; i < h_.size(); ++i) {
            const auto& primal = p.primals[i];
            for (int r = 0; r < primal.size; ++r) {
                u[primal.offset + r] = uniform(-0.1, 0.1);
                s.f[primal.offset + r] = h_[i](r, r) * uniform(-1, 1);
            }
            s.f[primal.offset + std::min(2, primal.size - 1)] -= h_[i](0, 0) * 9.81 * kStep;
        }
        for (std::size_t d = 0; d < duals_.size(); ++d) {
            const auto& dual = p.duals[d];
            for (int r = 0; r < dual.size; ++r) {
                Real speed = s.sigma[dual.offset + r] * uniform(-1, 1);
                for (const auto& [node, J] : duals_[d].touches)
                    for (int c = 0; c < J.cols(); ++c)
                        speed += J(r, c) * u[p.primals[node].offset + c];
                s.g[dual.offset + r] = speed;
            }
        }
    }

    std::mt19937 random_;
    std::vector<Vec3> p_;
    std::vector<Block> h_;
    std::vector<Pair> pairs_;
    std::vector<Dual> duals_;
};

// ── the zoo ──────────────────────────────────────────────────────────────────────────────────────────

inline void add_some_joint(Mechanism& m, int rows, int a, int b, const Vec3& p, Real compliance)
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

// A chain of links of 1 kg that hangs from the ground, its tip `ratio` times as heavy.
inline Sample chain(unsigned seed, int links, int rows, Real ratio, Real compliance)
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

// A random tree, masses spread over `ratio`, every other tree floating, joints of all sizes.
inline Sample tree(unsigned seed, int bodies, Real ratio, Real compliance, bool with_springs)
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

// Bodies on a ring of ball joints, plus rods across: loops within loops, all rows independent.
inline Sample ring(unsigned seed, int bodies, int rods, Real ratio, Real compliance)
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

// n×n particles joined by rods along both directions, hung by two corners, a little crumpled.
inline Sample net(unsigned seed, int n, Real ratio, Real compliance)
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

// A planar four-bar of four spatial hinges: 18 unknowns, 20 rows, of which three say nothing new.
inline Sample four_bar(unsigned seed, Real ratio, Real compliance)
{
    Mechanism m(seed);
    const Vec3 corners[] = {{0, 0, 0}, {0.2, 0.9, 0}, {1.3, 1.2, 0}, {1.5, 0, 0}};
    for (int i = 0; i < 3; ++i)
        m.add_body(0.5 * (corners[i] + corners[i + 1]), std::pow(ratio, 0.5 * i));
    for (int i = 0; i < 4; ++i)
        m.add_hinge(i - 1, i == 3 ? kGround : i, corners[i], Vec3(0, 0, 1), compliance);
    return m.finish("four-bar", compliance < 1e-6);
}

// A square table on four legs, one row each: three would do.
inline Sample table(Real mass)
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

// Any graph, any sizes 1…6, positive definite H with pairs, soft rows: for the kernels.
inline Sample random_blocks(unsigned seed, int primals, int duals)
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
    s.attach(p);
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

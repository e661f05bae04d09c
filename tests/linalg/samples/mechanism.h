// Builds the saddle system of a mechanism from bodies, joints and springs.
//
// Bodies sit at random poses, rows are those of points, axes and distances, Σ = C/h² with h = 1/60.
// Right-hand sides are consistent even where rows are redundant: g = J u + Σ w for random u, w.
#pragma once

#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

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

    Real uniform(Real low, Real high);
    int index(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
    Vec3 vector(Real size);

    int add_body(const Vec3& p, Real mass);  // turned at random
    int add_body(const Vec3& p, Real mass, const Mat3& R);

    int add_particle(const Vec3& p, Real mass) { return add_node(p, mass * Mat3::Identity()); }

    const Vec3& position(int node) const { return p_[node]; }
    int nodes() const { return static_cast<int>(p_.size()); }

    // Rows: `directions` of the relative motion of the points of a and b at p, then `axes` of their
    // relative rotation. Either may be the ground.
    void add_joint(int a, int b, const Vec3& p, const Block& directions, const Block& axes,
                   Real compliance);

    void add_ball(int a, int b, const Vec3& p, Real compliance);
    void add_hinge(int a, int b, const Vec3& p, const Vec3& axis, Real compliance);
    void add_weld(int a, int b, const Vec3& p, Real compliance);
    // Distance between the centres, or from a centre to a point of the ground.
    void add_distance(int a, int b, const Vec3& ground_point, Real compliance);

    void add_rows(std::vector<std::pair<int, Block>> touches, Real compliance);

    // Stiffness k u uᵀ in the direction between two nodes, as a spring puts it into H.
    void add_spring(int a, int b, Real k);

    // A random positive semidefinite addition to each diagonal block, relative to its size.
    void add_stiffness(Real size);

    Sample finish(std::string name, bool redundant = false);

private:
    struct Pair {
        int a, b;
        Block between;
    };
    struct Dual {
        std::vector<std::pair<int, Block>> touches;
        Real compliance;
    };

    int add_node(const Vec3& p, const Block& H);
    void write_values(linalg::SaddleSystem& s);
    // Momentum of random velocities plus gravity; speeds that some motion has.
    void write_right_hand_side(linalg::SaddleSystem& s);

    std::mt19937 random_;
    std::vector<Vec3> p_;
    std::vector<Block> h_;
    std::vector<Pair> pairs_;
    std::vector<Dual> duals_;
};

}  // namespace taut::test

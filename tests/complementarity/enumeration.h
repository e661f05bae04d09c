// The reference for small problems: every combination of what the rows may do, each solved densely.
//
// Limits: open or closed. Intervals: at lower, free, at upper. Cones: open, stick, or slide, the direction of a
// slide found by Newton from many starts, so that a solution in which three or more contacts slide may be missed.
// Equal rows are always closed. Works on A = J H⁻¹Jᵀ + Σ, rows scaled to unit diagonal; redundant rows by least squares.
#pragma once

#include <vector>

#include <Eigen/Dense>

#include "complementarity/contact_scene.h"

namespace taut::test {

struct ComplementaritySolution {
    Eigen::VectorXd x, y;
};

class Enumeration {
public:
    explicit Enumeration(const ComplementarityProblem& problem);
    // All that were found, each once.
    std::vector<ComplementaritySolution> solve();
    // How far (x, y) is from the laws: |e| of the natural map in the units of velocity, written here anew; with the momentum
    // error |M⁻¹r| of each body's linear part.
    Real natural_map_error(const Eigen::VectorXd& x, const Eigen::VectorXd& y) const;
    const Eigen::MatrixXd& A() const { return A_; }

private:
    enum class Act { Closed, Off, Lower, Upper, Stick, Slide };
    void try_acts();
    bool solve_linear(const Eigen::VectorXd& angles, Eigen::VectorXd& y, Eigen::VectorXd& s) const;
    Eigen::VectorXd misalignment(const Eigen::VectorXd& y, const Eigen::VectorXd& s,
                                 const Eigen::VectorXd& angles) const;
    void accept(const Eigen::VectorXd& y);

    const ComplementarityProblem& problem_;
    Eigen::MatrixXd A_, J_, H_inverse_;
    Eigen::VectorXd b_, d_;  // s = A y + b
    std::vector<Act> acts_;  // per block
    std::vector<int> block_of_row_;
    std::vector<ComplementaritySolution> found_;
};

}  // namespace taut::test

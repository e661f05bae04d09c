// What can be done with a stretch, by the number of rows of its joints; one set of these per kind of machine.
#pragma once

#include <array>

#include "linalg/stretches/stretch_links.h"

namespace taut::linalg::kernels {

// Fronts are packed columns of fours, see stretch_kernels.h: where number r of column c is if the first column has so many,
constexpr int stretch_place(int rows, int c, int r)
{
    return 4 * (c * rows - c * (c - 1) / 2 + r - c);
}
// and the doubles of one with n unknowns that touches r rows.
constexpr int stretch_front_size(int n, int r) { return stretch_place(n + r + 1, n, n); }
constexpr int stretch_body_size(int rows) { return stretch_front_size(6, 2 * rows); }
constexpr int stretch_joint_size(int rows) { return stretch_front_size(rows, 6 + rows); }
constexpr int stretch_rest_size(int rows) { return stretch_front_size(2 * rows, 0); }
constexpr int stretch_size(int rows, int links)
{
    return links * stretch_body_size(rows) + (links - 1) * stretch_joint_size(rows);
}

struct StretchInput {
    const double *H, *J, *sigma, *f, *g;
};

struct StretchMemory {
    const StretchLink* links;
    int count;
    Places first;
    double* store;  // stretch_size()
    double* last;   // the front of the last body in it
    double* rest;   // stretch_rest_size(): what is to be added to `after` and `before`
};

struct StretchPivots {
    int body_negative, body_tiny, joint_negative, joint_tiny;
};

struct StretchMoves {
    // Factorises and substitutes forward.
    void (*eliminate)(const StretchMemory&, const StretchInput&, StretchPivots&);
    // Right-hand sides f and g alone.
    void (*substitute_forward)(const StretchMemory&, const StretchInput&);
    // `ends`: the unknowns of `after` and `before`, in fours. To x and y.
    void (*substitute_back)(const StretchMemory&, const double* ends, double* x, double* y);
};

// By the number of rows; the first ones are empty.
using StretchTable = std::array<StretchMoves, kMostStretchRows + 1>;
extern const StretchTable stretch_two_at_a_time;
#ifdef __x86_64__
extern const StretchTable stretch_four_at_a_time;  // wants AVX2
#endif

}  // namespace taut::linalg::kernels

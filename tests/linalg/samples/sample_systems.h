// Saddle systems of small mechanisms with realistic geometry, for the tests of linalg and solver.
#pragma once

#include "linalg/samples/mechanism.h"

namespace taut::test {

// A chain of links of 1 kg that hangs from the ground, its tip `ratio` times as heavy.
Sample chain(unsigned seed, int links, int rows, Real ratio, Real compliance);

// A random tree, masses spread over `ratio`, every other tree floating, joints of all sizes.
Sample tree(unsigned seed, int bodies, Real ratio, Real compliance, bool with_springs);

// Bodies on a ring of ball joints, plus rods across: loops within loops, all rows independent.
Sample ring(unsigned seed, int bodies, int rods, Real ratio, Real compliance);

// n×n particles joined by rods along both directions, hung by two corners, a little crumpled.
Sample net(unsigned seed, int n, Real ratio, Real compliance);

// A planar four-bar of four spatial hinges: 18 unknowns, 20 rows, of which three say nothing new.
Sample four_bar(unsigned seed, Real ratio, Real compliance);

// A square table on four legs, one row each: three would do.
Sample table(Real mass);

// Any graph, any sizes 1…6, positive definite H with pairs, soft rows: for the kernels.
Sample random_blocks(unsigned seed, int primals, int duals);

}  // namespace taut::test

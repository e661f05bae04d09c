// The matrix of every step, as data on a fixed pattern:
//
//     ⎡ H   Jᵀ ⎤ ⎡  x ⎤   ⎡ f ⎤      H  block-sparse, positive definite when all is well (M̃)
//     ⎣ J  −Σ  ⎦ ⎣ −y ⎦ = ⎣ g ⎦      Σ  diagonal ≥ 0
//
// i.e. H x − Jᵀ y = f and J x + Σ y = g. Primal nodes (bodies, 1…6 unknowns) own the diagonal blocks
// of H; pairs own its blocks between two primal nodes; dual nodes (constraints, 1…6 rows) own one
// block of J per primal node they touch. The pattern is made once per topology, the numbers per solve.
// All blocks are row-major. H is symmetric unless `symmetric` says otherwise: then both triangles of
// the diagonal blocks and both blocks of a pair are meaningful; otherwise only pair.block_ij is read,
// and diagonal blocks hold both triangles anyway.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <taut/types.h>

#include "linalg/rank_terms.h"
#include "linalg/thresholds.h"

namespace taut::linalg {

struct SaddlePattern {
    struct Primal {
        int size;    // 1…6
        int offset;  // of its unknowns in x and f
        int block;   // of its size×size diagonal block in H
    };
    struct Pair {
        int i, j;      // primal nodes, i ≠ j
        int block_ij;  // of the size_i×size_j block in H
        int block_ji;  // of the size_j×size_i block in H
    };
    struct Dual {
        int size;                  // rows, 1…6
        int offset;                // of its rows in y, g and sigma
        int first_touch, touches;  // range in `touches`
        bool early = false;        // eliminated before its primal nodes, see ordering.h
    };
    struct Touch {
        int primal;
        int block;  // of the rows×size block in J
    };

    std::vector<Primal> primals;
    std::vector<Pair> pairs;
    std::vector<Dual> duals;
    std::vector<Touch> touches;
    int primal_unknowns = 0;
    int dual_unknowns = 0;
    int h_values = 0;
    int j_values = 0;
    std::unordered_map<std::uint64_t, int>
        pair_of;  // (smaller, larger primal) -> pair; looked up only

    int add_primal(int size);
    // Returns the existing pair's index if there is one, whichever way round it was made: read i and j
    // from the pair, not from the call.
    int add_pair(int i, int j);
    // The same primal may not occur twice.
    int add_dual(int size, std::span<const int> touched, bool early = false);
};

struct SaddleSystem {
    const SaddlePattern* pattern = nullptr;
    bool symmetric = true;
    std::vector<Real> H, J, sigma;  // values
    std::vector<Real> f, g;         // right-hand sides
    RankTerms rank;                 // H once more as a sum; empty unless wanted

    void prepare(const SaddlePattern& p);  // sizes everything, zero
    void clear_pairs() noexcept;           // blocks of H between two primal nodes ← 0
};

struct SaddleSolution {
    std::vector<Real> x, y;
    void prepare(const SaddlePattern& p);
};

}  // namespace taut::linalg

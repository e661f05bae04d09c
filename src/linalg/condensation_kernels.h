// The product of CondensedMatrix for the usual sizes, bodies with six unknowns and three rows, in registers of W numbers.
#pragma once

#include "core/lanes.h"

namespace taut::linalg::kernels {

struct CondensationTable {
    // out (3×6) ← A (3×3) · J (3×6), all by rows
    void (*weigh)(const double* A, const double* J, double* out);
    // out (6×6) += Lᵀ R, both 3×6, all by rows
    void (*add_product)(const double* L, const double* R, double* out);
};

extern const CondensationTable condensation_two_at_a_time;
#ifdef __x86_64__
extern const CondensationTable condensation_four_at_a_time;  // wants AVX2
#endif

template <int W>
struct CondensationKernels {
    // Six numbers: one register of W, the rest in pairs.
    static constexpr int kPairs = (6 - W) / 2;
    struct Row {
        Lane<W> wide;
        Lane<2> pair[kPairs];

        static Row load(const double* at)
        {
            Row out;
            out.wide = *reinterpret_cast<const Lane<W>*>(at);
            for (int k = 0; k < kPairs; ++k)
                out.pair[k] = *reinterpret_cast<const Lane<2>*>(at + W + 2 * k);
            return out;
        }
        void store(double* at) const
        {
            *reinterpret_cast<Lane<W>*>(at) = wide;
            for (int k = 0; k < kPairs; ++k) *reinterpret_cast<Lane<2>*>(at + W + 2 * k) = pair[k];
        }
        void add(double factor, const Row& other)
        {
            wide += factor * other.wide;
            for (int k = 0; k < kPairs; ++k) pair[k] += factor * other.pair[k];
        }
        static Row product(double factor, const Row& other)
        {
            Row out;
            out.wide = factor * other.wide;
            for (int k = 0; k < kPairs; ++k) out.pair[k] = factor * other.pair[k];
            return out;
        }
    };

    static void weigh(const double* A, const double* J, double* out)
    {
        const Row rows[3] = {Row::load(J), Row::load(J + 6), Row::load(J + 12)};
        for (int r = 0; r < 3; ++r) {
            Row sum = Row::product(A[3 * r], rows[0]);
            sum.add(A[3 * r + 1], rows[1]);
            sum.add(A[3 * r + 2], rows[2]);
            sum.store(out + 6 * r);
        }
    }

    static void add_product(const double* L, const double* R, double* out)
    {
        const Row rows[3] = {Row::load(R), Row::load(R + 6), Row::load(R + 12)};
        for (int c = 0; c < 6; ++c) {
            Row sum = Row::load(out + 6 * c);
            sum.add(L[c], rows[0]);
            sum.add(L[6 + c], rows[1]);
            sum.add(L[12 + c], rows[2]);
            sum.store(out + 6 * c);
        }
    }

    static constexpr CondensationTable table() { return {weigh, add_product}; }
};

}  // namespace taut::linalg::kernels

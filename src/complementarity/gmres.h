// GMRES for (I − T) δ = gap with T given by its products: solves the unsymmetric part of friction with a symmetric factor. Modified Gram–Schmidt, Givens rotations, no restart, no allocation.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <taut/types.h>

#include "complementarity/thresholds.h"
#include "core/assert.h"
#include "core/namespaces.h"

namespace taut::complementarity {

class Gmres {
public:
    static constexpr int kMost = GmresThresholds::kIterations;

    void prepare(std::size_t size) { basis_.assign((kMost + 1) * size, 0); }

    // `gap` becomes δ, to a relative residual of `small`. apply(v, out): out ← T v.
    template <class Apply>
    void solve(Real* gap, std::size_t count, Real small, Apply apply) noexcept
    {
        TAUT_ASSERT((kMost + 1) * count <= basis_.size());
        const auto vector = [&](int k) { return basis_.data() + k * count; };
        const auto dot = [&](const Real* a, const Real* b) {
            Real sum = 0;
            for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
            return sum;
        };
        const Real size = std::sqrt(dot(gap, gap));
        if (!(size > 0) || !std::isfinite(size)) return;
        for (std::size_t i = 0; i < count; ++i) vector(0)[i] = gap[i] / size;

        Real cosine[kMost], sine[kMost], rhs[kMost + 1] = {size};
        const int most = static_cast<int>(std::min<std::size_t>(kMost, count));
        int k = 0;
        while (k < most && std::abs(rhs[k]) > small * size) {
            Real* const next = vector(k + 1);
            apply(vector(k), next);
            for (std::size_t i = 0; i < count; ++i) next[i] = vector(k)[i] - next[i];
            const Real before = std::sqrt(dot(next, next));
            for (int j = 0; j <= k; ++j) {
                const Real h = dot(vector(j), next);
                hessenberg_[j][k] = h;
                for (std::size_t i = 0; i < count; ++i) next[i] -= h * vector(j)[i];
            }
            const Real length = std::sqrt(dot(next, next));
            if (length > 0)
                for (std::size_t i = 0; i < count; ++i) next[i] /= length;

            // rotations keep the small matrix triangular
            for (int j = 0; j < k; ++j) {
                const Real a = hessenberg_[j][k], b = hessenberg_[j + 1][k];
                hessenberg_[j][k] = cosine[j] * a + sine[j] * b;
                hessenberg_[j + 1][k] = cosine[j] * b - sine[j] * a;
            }
            const Real diagonal = std::hypot(hessenberg_[k][k], length);
            if (!(diagonal > GmresThresholds::kBreakdown * before) || !std::isfinite(diagonal))
                break;
            cosine[k] = hessenberg_[k][k] / diagonal;
            sine[k] = length / diagonal;
            hessenberg_[k][k] = diagonal;
            rhs[k + 1] = -sine[k] * rhs[k];
            rhs[k] *= cosine[k];
            ++k;
        }

        for (int i = k - 1; i >= 0; --i) {
            for (int j = i + 1; j < k; ++j) rhs[i] -= hessenberg_[i][j] * rhs[j];
            rhs[i] /= hessenberg_[i][i];
        }
        std::fill_n(gap, count, Real(0));
        for (int j = 0; j < k; ++j)
            for (std::size_t i = 0; i < count; ++i) gap[i] += rhs[j] * vector(j)[i];
    }

private:
    std::vector<Real> basis_;
    Real hessenberg_[kMost + 1][kMost] = {};
};

}  // namespace taut::complementarity

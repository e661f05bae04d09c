#include "linalg/spanning_forest.h"

#include <span>
#include <utility>

namespace taut::linalg {
namespace {

constexpr int kNowhere = -1;

std::span<const SaddlePattern::Touch> touches_of(const SaddlePattern& p, int dual)
{
    const auto& d = p.duals[dual];
    return {p.touches.data() + d.first_touch, static_cast<std::size_t>(d.touches)};
}

// Duals of each primal node, ascending, as one list with ranges.
struct Incidence {
    std::vector<int> first, duals;

    explicit Incidence(const SaddlePattern& p) : first(p.primals.size() + 1, 0)
    {
        for (const auto& touch : p.touches) ++first[touch.primal + 1];
        for (std::size_t i = 0; i < p.primals.size(); ++i) first[i + 1] += first[i];
        duals.resize(p.touches.size());
        std::vector<int> next(first.begin(), first.end() - 1);
        for (int d = 0; d < static_cast<int>(p.duals.size()); ++d)
            for (const auto& touch : touches_of(p, d)) duals[next[touch.primal]++] = d;
    }
};

class ForestBuilder {
public:
    explicit ForestBuilder(const SaddlePattern& p) : p_(p), incidence_(p)
    {
        const std::size_t primals = p.primals.size();
        const std::size_t duals = p.duals.size();
        forest_.parent.assign(primals, kNowhere);
        forest_.depth.assign(primals, kNowhere);
        forest_.owned_dual.assign(primals, kNowhere);
        forest_.owner.assign(duals, kNowhere);
        forest_.stop.assign(duals, kNowhere);
        forest_.cyclic.assign(duals, 0);
        queue_.reserve(primals);
    }

    SpanningForest build()
    {
        // trees with the ground as root, all at once
        for (int d = 0; d < static_cast<int>(p_.duals.size()); ++d) {
            const auto touched = touches_of(p_, d);
            if (touched.size() == 1 && !p_.duals[d].early) visit(touched[0].primal, kNowhere, d);
        }
        grow();

        // components without connection to the ground
        for (int i = 0; i < static_cast<int>(p_.primals.size()); ++i) {
            visit(i, kNowhere, kNowhere);
            grow();
        }

        mark_cycles();
        return std::move(forest_);
    }

private:
    void visit(int primal, int parent, int dual)
    {
        if (forest_.depth[primal] != kNowhere) return;
        forest_.parent[primal] = parent;
        forest_.depth[primal] = parent == kNowhere ? 0 : forest_.depth[parent] + 1;
        forest_.owned_dual[primal] = dual;
        if (dual != kNowhere) forest_.owner[dual] = primal;
        queue_.push_back(primal);
    }

    void grow()
    {
        for (; head_ < queue_.size(); ++head_) {
            const int here = queue_[head_];
            for (int k = incidence_.first[here]; k < incidence_.first[here + 1]; ++k) {
                const int d = incidence_.duals[k];
                const auto touched = touches_of(p_, d);
                if (touched.size() != 2 || p_.duals[d].early) continue;
                visit(touched[0].primal == here ? touched[1].primal : touched[0].primal, here, d);
            }
        }
    }

    // Lowest common ancestor; none if only the ground, or nothing, joins the two.
    int common_ancestor(int a, int b) const
    {
        while (a != b && a != kNowhere && b != kNowhere) {
            if (forest_.depth[a] < forest_.depth[b]) std::swap(a, b);
            if (forest_.depth[a] > forest_.depth[b]) {
                a = forest_.parent[a];
            } else {
                a = forest_.parent[a];
                b = forest_.parent[b];
            }
        }
        return a == b ? a : kNowhere;
    }

    void mark_cycles()
    {
        // skip[i]: the nearest of i and its ancestors whose own dual is not yet marked
        std::vector<int> skip(p_.primals.size());
        for (std::size_t i = 0; i < skip.size(); ++i) skip[i] = static_cast<int>(i);
        const auto unmarked = [&](int i) {
            int top = i;
            while (top != kNowhere && skip[top] != top) top = skip[top];
            while (i != kNowhere && i != top) i = std::exchange(skip[i], top);
            return top;
        };

        for (int d = 0; d < static_cast<int>(p_.duals.size()); ++d) {
            const auto touched = touches_of(p_, d);
            if (forest_.owner[d] != kNowhere || touched.empty()) continue;
            forest_.cyclic[d] = 1;
            if (p_.duals[d].early) continue;
            if (touched.size() > 1) {
                int meet = touched[0].primal;
                for (std::size_t k = 1; k < touched.size() && meet != kNowhere; ++k)
                    meet = common_ancestor(meet, touched[k].primal);
                forest_.stop[d] = meet == kNowhere ? kNowhere : forest_.depth[meet];
            }
            for (const auto& touch : touched) {
                int i = unmarked(touch.primal);
                while (i != kNowhere && forest_.depth[i] > forest_.stop[d]) {
                    if (forest_.owned_dual[i] != kNowhere)
                        forest_.cyclic[forest_.owned_dual[i]] = 1;
                    skip[i] = forest_.parent[i];
                    i = unmarked(i);
                }
            }
        }
    }

    const SaddlePattern& p_;
    Incidence incidence_;
    SpanningForest forest_;
    std::vector<int> queue_;
    std::size_t head_ = 0;
};

}  // namespace

SpanningForest find_spanning_forest(const SaddlePattern& pattern)
{
    return ForestBuilder(pattern).build();
}

}  // namespace taut::linalg

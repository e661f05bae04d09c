#include "linalg/ordering.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "core/assert.h"

namespace taut::linalg {
namespace {

constexpr int kNone = -1;

// The graph of the nodes that remain. Eliminated neighbours are removed from a list when it is read, not when they are
// eliminated: otherwise the list of a node with many leaves would be read once per leaf.
struct Graph {
    std::vector<std::vector<int>> neighbours;
    std::vector<int> size, degree, weight;
    std::vector<char> remaining;
    std::int64_t visits = 0;  // entries of neighbour lists that were read

    explicit Graph(const SaddlePattern& p)
    {
        const int primals = static_cast<int>(p.primals.size());
        const std::size_t count = p.primals.size() + p.duals.size();
        neighbours.resize(count);
        size.reserve(count);
        for (const auto& primal : p.primals) size.push_back(primal.size);
        for (const auto& dual : p.duals) size.push_back(dual.size);
        degree.assign(count, 0);
        weight.assign(count, 0);
        remaining.assign(count, 1);
        for (const auto& pair : p.pairs) connect(pair.i, pair.j);
        for (int d = 0; d < static_cast<int>(p.duals.size()); ++d)
            for (int t = 0; t < p.duals[d].touches; ++t)
                connect(primals + d, p.touches[p.duals[d].first_touch + t].primal);
    }

    void connect(int a, int b)
    {
        point(a, b);
        point(b, a);
    }

    void point(int from, int to)
    {
        neighbours[from].push_back(to);
        ++degree[from];
        weight[from] += size[to];
    }

    const std::vector<int>& remaining_neighbours(int node)
    {
        auto& list = neighbours[node];
        visits += static_cast<std::int64_t>(list.size());
        if (static_cast<int>(list.size()) != degree[node])
            list.erase(
                std::remove_if(list.begin(), list.end(), [&](int i) { return !remaining[i]; }),
                list.end());
        return list;
    }

    bool adjacent(int a, int b)
    {
        const bool a_is_shorter = neighbours[a].size() < neighbours[b].size();
        const auto& list = neighbours[a_is_shorter ? a : b];
        const auto found = std::find(list.begin(), list.end(), a_is_shorter ? b : a);
        visits += found - list.begin();
        return found != list.end();
    }

    bool costs_no_fill(int node)
    {
        if (degree[node] <= 1) return true;
        if (degree[node] > 2) return false;
        const auto& list = remaining_neighbours(node);
        return adjacent(list[0], list[1]);
    }
};

// Decides when a dual may be eliminated. A dual in no tree waits for one remaining primal on its paths at a time.
class EliminationRule {
public:
    EliminationRule(const SaddlePattern& p, const SpanningForest& forest) : p_(p), forest_(forest)
    {
        up_.resize(p.primals.size());
        for (std::size_t i = 0; i < up_.size(); ++i) up_[i] = static_cast<int>(i);
        first_waiting_.assign(p.primals.size(), kNone);
        next_waiting_.assign(p.duals.size(), kNone);
        side_.assign(p.duals.size(), 0);
    }

    // True if the dual may be eliminated; otherwise a later on_primal_eliminated() reports it.
    bool is_allowed(int dual)
    {
        if (forest_.owner[dual] != kNone) return false;
        const auto& d = p_.duals[dual];
        if (d.early) return true;
        for (int& side = side_[dual]; side < d.touches; ++side) {
            const int i = remaining_ancestor(p_.touches[d.first_touch + side].primal);
            if (i == kNone || forest_.depth[i] <= forest_.stop[dual]) continue;
            next_waiting_[dual] = std::exchange(first_waiting_[i], dual);
            return false;
        }
        return true;
    }

    template <class Allow>
    void on_primal_eliminated(int primal, Allow allow)
    {
        up_[primal] = forest_.parent[primal];
        if (forest_.owned_dual[primal] != kNone) allow(forest_.owned_dual[primal]);
        for (int dual = first_waiting_[primal]; dual != kNone;) {
            const int next = next_waiting_[dual];
            if (is_allowed(dual)) allow(dual);
            dual = next;
        }
    }

    std::int64_t visits() const noexcept { return visits_; }

private:
    int remaining_ancestor(int i)
    {
        int top = i;
        for (; top != kNone && up_[top] != top; top = up_[top]) ++visits_;
        while (i != kNone && i != top) i = std::exchange(up_[i], top);
        return top;
    }

    const SaddlePattern& p_;
    const SpanningForest& forest_;
    std::vector<int> up_;  // itself while it remains, then towards the nearest remaining ancestor
    std::vector<int> first_waiting_, next_waiting_, side_;
    std::int64_t visits_ = 0;  // steps towards the root
};

class Elimination {
public:
    Elimination(const SaddlePattern& p, const SpanningForest& forest)
        : p_(p),
          primals_(static_cast<int>(p.primals.size())),
          blocks_(p.pairs.size() + p.touches.size()),
          graph_(p),
          rule_(p, forest),
          key_(graph_.size.size(), 0),
          allowed_(graph_.size.size(), 0),
          mark_(graph_.size.size(), kNone)
    {
        out_.nodes.reserve(key_.size());
        out_.position.assign(key_.size(), kNone);
        out_.first_below.push_back(0);
    }

    EliminationOrder run(std::span<const int> ahead)
    {
        for (const int node : ahead) eliminate(node);
        out_.ahead = static_cast<int>(ahead.size());
        for (int node = 0; node < static_cast<int>(key_.size()); ++node)
            if (node < primals_ || rule_.is_allowed(node - primals_)) allow(node);

        while (!queue_.empty()) {
            const auto [key, node] = queue_.top();
            queue_.pop();
            if (graph_.remaining[node] && key == key_[node]) eliminate(node);
        }

        for (int& below : out_.below) below = out_.position[below];
        for (std::size_t k = 0; k + 1 < out_.first_below.size(); ++k)
            std::sort(out_.below.begin() + out_.first_below[k],
                      out_.below.begin() + out_.first_below[k + 1]);
        out_.fill = static_cast<int>(out_.below.size() - blocks_);
        out_.visits = graph_.visits + rule_.visits();
        return std::move(out_);
    }

private:
    void allow(int node)
    {
        if (!graph_.remaining[node]) return;  // eliminated in advance
        allowed_[node] = 1;
        enqueue(node);
    }

    void enqueue(int node)
    {
        const std::uint64_t fills = graph_.costs_no_fill(node) ? 0 : 1;
        const std::uint64_t weight = static_cast<std::uint32_t>(graph_.weight[node]);
        key_[node] = (fills << 40) | (weight << 1) | (node < primals_ ? 1 : 0);
        if (node >= primals_ && p_.duals[node - primals_].early) key_[node] = 0;
        queue_.push({key_[node], node});
    }

    void eliminate(int node)
    {
        out_.position[node] = static_cast<int>(out_.nodes.size());
        out_.nodes.push_back(node);
        const std::vector<int> clique = graph_.remaining_neighbours(node);
        const bool is_clique = graph_.costs_no_fill(node);
        out_.below.insert(out_.below.end(), clique.begin(), clique.end());
        out_.first_below.push_back(static_cast<int>(out_.below.size()));

        // the neighbours lose the node and become neighbours of each other
        graph_.remaining[node] = 0;
        for (const int i : clique) {
            --graph_.degree[i];
            graph_.weight[i] -= graph_.size[node];
        }
        if (!is_clique) {
            for (const int i : clique) {
                mark_[i] = i;
                for (const int j : graph_.remaining_neighbours(i)) mark_[j] = i;
                for (const int j : clique)
                    if (mark_[j] != i) graph_.point(i, j);
            }
            for (const int i : clique) mark_[i] = kNone;
        }

        for (const int i : clique)
            if (allowed_[i]) enqueue(i);
        if (node < primals_)
            rule_.on_primal_eliminated(node, [&](int dual) { allow(primals_ + dual); });
        graph_.neighbours[node] = {};
    }

    using Entry = std::pair<std::uint64_t, int>;

    const SaddlePattern& p_;
    int primals_;
    std::size_t blocks_;
    Graph graph_;
    EliminationRule rule_;
    std::vector<std::uint64_t> key_;
    std::vector<char> allowed_;
    std::vector<int> mark_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
    EliminationOrder out_;
};

// Positions in depth-first post-order of the elimination tree, children ascending.
std::vector<int> depth_first(const EliminationOrder& order)
{
    const int count = static_cast<int>(order.nodes.size());
    std::vector<int> first_child(count + 1, kNone), next_sibling(count, kNone);
    for (int k = count - 1; k >= 0; --k) {
        const bool is_root = order.first_below[k] == order.first_below[k + 1];
        const int parent = is_root ? count : order.below[order.first_below[k]];
        next_sibling[k] = std::exchange(first_child[parent], k);
    }

    std::vector<int> sequence, stack;
    sequence.reserve(count);
    for (int root = first_child[count]; root != kNone; root = next_sibling[root]) {
        stack.push_back(root);
        while (!stack.empty()) {
            const int k = stack.back();
            const int child = first_child[k];
            if (child == kNone) {
                sequence.push_back(k);
                stack.pop_back();
            } else {
                first_child[k] = next_sibling[child];
                stack.push_back(child);
            }
        }
    }
    return sequence;
}

// The same elimination with its positions in another sequence.
EliminationOrder renumbered(const EliminationOrder& order, const std::vector<int>& sequence)
{
    std::vector<int> moved_to(sequence.size());
    for (std::size_t k = 0; k < sequence.size(); ++k) moved_to[sequence[k]] = static_cast<int>(k);

    EliminationOrder out;
    out.ahead = order.ahead;
    out.fill = order.fill;
    out.visits = order.visits;
    out.position.resize(order.position.size());
    out.nodes.reserve(sequence.size());
    out.first_below.push_back(0);
    out.below.reserve(order.below.size());
    for (const int old : sequence) {
        out.position[order.nodes[old]] = static_cast<int>(out.nodes.size());
        out.nodes.push_back(order.nodes[old]);
        for (int b = order.first_below[old]; b < order.first_below[old + 1]; ++b)
            out.below.push_back(moved_to[order.below[b]]);
        std::sort(out.below.begin() + out.first_below.back(), out.below.end());
        out.first_below.push_back(static_cast<int>(out.below.size()));
    }
    return out;
}

}  // namespace

EliminationOrder find_order(const SaddlePattern& pattern, const SpanningForest& forest,
                            std::span<const int> ahead)
{
    TAUT_ASSERT(forest.parent.size() == pattern.primals.size());
    TAUT_ASSERT(forest.owner.size() == pattern.duals.size());
    return Elimination(pattern, forest).run(ahead);
}

int find_below(const EliminationOrder& order, int column, int row)
{
    const auto first = order.below.begin() + order.first_below[column];
    const auto last = order.below.begin() + order.first_below[column + 1];
    const auto found = std::lower_bound(first, last, row);
    TAUT_ASSERT(found != last && *found == row);
    return static_cast<int>(found - order.below.begin());
}

EliminationOrder postordered(const EliminationOrder& order)
{
    std::vector<int> sequence;
    sequence.reserve(order.nodes.size());
    for (int k = 0; k < order.ahead; ++k) sequence.push_back(k);
    for (const int k : depth_first(order))
        if (k >= order.ahead) sequence.push_back(k);
    return renumbered(order, sequence);
}

EliminationOrder split_into_parts(const EliminationOrder& order)
{
    // fewer nodes are not worth the synchronisation; each part has about this share of all nodes
    constexpr int kFewestNodes = 1000, kShares = 16;
    const int count = static_cast<int>(order.nodes.size()), ahead = order.ahead;
    if (count - ahead < kFewestNodes) return order;
    const int largest = (count - ahead) / kShares;

    // in post-order a subtree is the run of positions that ends with its root
    std::vector<int> size(count, 1), parent(count, kNone);
    for (int k = ahead; k < count; ++k) {
        if (order.first_below[k] == order.first_below[k + 1]) continue;
        parent[k] = order.below[order.first_below[k]];
        size[parent[k]] += size[k];
    }
    std::vector<int> inner(ahead);  // nodes eliminated in advance, then those inside of parts
    std::iota(inner.begin(), inner.end(), 0);
    std::vector<char> is_inner(count, 0);
    std::vector<EliminationOrder::Part> parts;
    EliminationOrder::Part part{ahead, ahead};
    for (int root = ahead; root < count; ++root) {
        if (size[root] > largest || (parent[root] != kNone && size[parent[root]] <= largest))
            continue;
        for (int k = root - size[root] + 1; k <= root; ++k) {
            const int end = order.first_below[k + 1];
            if (end > order.first_below[k] && order.below[end - 1] > root) continue;
            is_inner[k] = 1;
            inner.push_back(k);
        }
        // small subtrees share a part
        part.last = static_cast<int>(inner.size());
        if (part.last - part.first < largest / 2) continue;
        parts.push_back(part);
        part.first = part.last;
    }
    if (part.last > part.first) parts.push_back(part);
    if (parts.size() < 2) return order;

    std::vector<int> sequence = std::move(inner);
    for (int k = ahead; k < count; ++k)
        if (!is_inner[k]) sequence.push_back(k);
    EliminationOrder out = renumbered(order, sequence);
    out.parts = std::move(parts);
    return out;
}

}  // namespace taut::linalg

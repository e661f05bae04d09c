// Finds the closed loops of a mechanism: the components of the graph of bodies and joints without its bridges.
#include <algorithm>
#include <numeric>

#include "scene/physics_check.h"

namespace taut::scene {
namespace {

struct Edge {
    int a;
    int b;
    int rows;
};

// All fixed bodies are one node, the last, so that loops may be closed through several fixed bodies.
class BodyGraph {
public:
    explicit BodyGraph(const SceneDraft& draft)
        : ground_(static_cast<int>(draft.bodies.size())), edges_at_(draft.bodies.size() + 1)
    {
        for (const DraftJoint& joint : draft.joints) {
            // servos (forces) and one-sided rows cannot be redundant, so they close no loop
            if (joint.type->family == JointFamily::Servo || joint.type->law != RowLaw::Equal)
                continue;
            int rows = joint.type->rows;
            for (int k = 1; k < joint.type->bodies; ++k) {
                add({node(draft, joint.def.bodies[0]), node(draft, joint.def.bodies[k]), rows});
                rows = 0;  // a joint of three bodies has two edges; its rows are counted once
            }
        }
    }

    int ground() const { return ground_; }
    const std::vector<Edge>& edges() const { return edges_; }

    // Bridges: edges whose removal disconnects their ends. Depth-first search without recursion, because a
    // chain may have a hundred thousand links.
    std::vector<bool> find_bridges() const
    {
        const std::size_t nodes = edges_at_.size();
        std::vector<int> order(nodes, -1), low(nodes, 0), arrived_by(nodes, -1);
        std::vector<std::size_t> next(nodes, 0);
        std::vector<bool> bridge(edges_.size(), false);
        int clock = 0;
        for (int root = 0; root < static_cast<int>(nodes); ++root) {
            if (order[root] >= 0) continue;
            std::vector<int> path = {root};
            order[root] = low[root] = clock++;
            while (!path.empty()) {
                const int here = path.back();
                if (next[here] < edges_at_[here].size()) {
                    const int edge = edges_at_[here][next[here]++];
                    if (edge == arrived_by[here]) continue;
                    const int there = edges_[edge].a == here ? edges_[edge].b : edges_[edge].a;
                    if (order[there] >= 0) {
                        low[here] = std::min(low[here], order[there]);
                    } else {
                        order[there] = low[there] = clock++;
                        arrived_by[there] = edge;
                        path.push_back(there);
                    }
                } else {
                    path.pop_back();
                    if (path.empty()) continue;
                    low[path.back()] = std::min(low[path.back()], low[here]);
                    if (low[here] > order[path.back()]) bridge[arrived_by[here]] = true;
                }
            }
        }
        return bridge;
    }

private:
    int node(const SceneDraft& draft, BodyId id) const
    {
        const DraftBody* body = draft.body(id);
        const bool moves =
            body && (body->def.kind == BodyKind::Rigid || body->def.kind == BodyKind::Particle);
        return moves ? id.index : ground_;
    }

    void add(const Edge& edge)
    {
        if (edge.a == edge.b) return;
        edges_at_[edge.a].push_back(static_cast<int>(edges_.size()));
        edges_at_[edge.b].push_back(static_cast<int>(edges_.size()));
        edges_.push_back(edge);
    }

    int ground_;
    std::vector<Edge> edges_;
    std::vector<std::vector<int>> edges_at_;
};

int root_of(std::vector<int>& parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

}  // namespace

std::vector<LoopCount> count_loops(const SceneDraft& draft)
{
    const BodyGraph graph(draft);
    const auto bridge = graph.find_bridges();

    // bodies that belong to loops
    std::vector<int> parent(draft.bodies.size() + 1);
    std::iota(parent.begin(), parent.end(), 0);
    for (std::size_t i = 0; i < graph.edges().size(); ++i)
        if (!bridge[i])
            parent[root_of(parent, graph.edges()[i].a)] = root_of(parent, graph.edges()[i].b);

    std::vector<LoopCount> of_root(parent.size());
    std::vector<bool> grounded(parent.size(), false);
    for (std::size_t i = 0; i < graph.edges().size(); ++i)
        if (!bridge[i]) of_root[root_of(parent, graph.edges()[i].a)].rows += graph.edges()[i].rows;
    for (std::size_t body = 0; body < draft.bodies.size(); ++body) {
        LoopCount& loop = of_root[root_of(parent, static_cast<int>(body))];
        loop.freedoms += draft.bodies[body].def.kind == BodyKind::Particle ? 3 : 6;
        loop.bodies.push_back(static_cast<int>(body));
    }
    grounded[root_of(parent, graph.ground())] = true;

    std::vector<LoopCount> loops;
    for (std::size_t i = 0; i < of_root.size(); ++i) {
        if (of_root[i].rows == 0) continue;
        LoopCount loop = std::move(of_root[i]);
        std::erase_if(loop.bodies, [&](int body) {
            const BodyKind kind = draft.bodies[static_cast<std::size_t>(body)].def.kind;
            const bool ground = kind == BodyKind::Fixed || kind == BodyKind::Kinematic;
            if (ground) loop.freedoms -= 6;
            return ground;
        });
        if (!grounded[i]) loop.freedoms -= 6;  // the loop as a whole has six degrees of freedom
        loops.push_back(std::move(loop));
    }
    return loops;
}

}  // namespace taut::scene

#include "assembly/neighbourhoods.h"

#include "model/step_model.h"

namespace taut::assembly {

Neighbourhoods find_neighbourhoods(const StepModel& model)
{
    constexpr int kGroup = 256;  // bodies
    Neighbourhoods out;
    const std::size_t count = model.bodies.size();
    if (count < 2 * kGroup) return out;

    std::vector<int> first(count + 1, 0), neighbour;
    const auto each_edge = [&](auto&& visit) {
        for (const ConstraintRows& group : model.rows.groups) {
            const std::span<const BodyIndex> bodies = model.rows.bodies(group);
            for (std::size_t s = 0; s < bodies.size(); ++s)
                for (std::size_t t = 0; t < bodies.size(); ++t)
                    if (s != t && model.bodies[bodies[t]].dynamic()) visit(bodies[s], bodies[t]);
        }
    };
    each_edge([&](int a, int) { ++first[a + 1]; });
    for (std::size_t b = 0; b < count; ++b) first[b + 1] += first[b];
    neighbour.resize(first[count]);
    std::vector<int> next(first.begin(), first.end() - 1);
    each_edge([&](int a, int b) { neighbour[next[a]++] = b; });

    // depth first: bodies with consecutive numbers are connected
    out.of_body.assign(count, -1);
    std::vector<int> stack;
    int numbered = 0;
    for (std::size_t root = 0; root < count; ++root) {
        if (!model.bodies[root].dynamic() || out.of_body[root] >= 0) continue;
        stack.push_back(static_cast<int>(root));
        while (!stack.empty()) {
            const int b = stack.back();
            stack.pop_back();
            if (out.of_body[b] >= 0) continue;
            out.of_body[b] = numbered++ / kGroup;
            for (int k = first[b + 1] - 1; k >= first[b]; --k)
                if (out.of_body[neighbour[k]] < 0) stack.push_back(neighbour[k]);
        }
    }
    out.groups = (numbered + kGroup - 1) / kGroup;
    return out;
}

}  // namespace taut::assembly

#include "stepper/loops.h"

#include <algorithm>
#include <set>

#include "linalg/spanning_forest.h"
#include "stepper/guard_settings.h"

namespace taut::stepper {

std::vector<int> find_loop_rows(const StepModel& model)
{
    linalg::SaddlePattern graph;
    std::vector<int> node_of(model.bodies.size(), -1), groups, touched;
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (model.bodies[b].dynamic()) node_of[b] = graph.add_primal(model.bodies[b].freedoms());

    // joints first, then ropes; the stops of a joint connect what it connects already and close no loop
    std::set<std::vector<int>> joined;
    for (const RowLaw law : {RowLaw::Equal, RowLaw::NonNegative})
        for (std::size_t j = 0; j < model.joints.size(); ++j) {
            const ConstraintRows& joint = model.rows.groups[j];
            if (joint.kind != RowKind::Position || joint.law != law) continue;
            touched.clear();
            for (int s = 0; s < joint.body_count; ++s)
                if (const int node = node_of[model.rows.bodies(joint)[s]]; node >= 0)
                    touched.push_back(node);
            std::sort(touched.begin(), touched.end());
            if (law == RowLaw::Equal)
                joined.insert(touched);
            else if (joined.count(touched) > 0)
                continue;
            graph.add_dual(joint.rows, touched);
            groups.push_back(static_cast<int>(j));
        }

    const linalg::SpanningForest forest = linalg::find_spanning_forest(graph);
    std::vector<int> rows;
    for (std::size_t d = 0; d < groups.size(); ++d) {
        if (forest.cyclic[d] == 0) continue;
        const ConstraintRows& joint = model.rows.groups[groups[d]];
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) rows.push_back(r);
    }
    return rows;
}

Real loop_compliance(const StepModel& model, const Workspace& work, int row) noexcept
{
    if (model.rows.softness[row].compliance > 0) return 0;
    const Real arm = model.rows.units[row] == RowUnit::Length ? 1 : model.size();
    return work.loop_compliance / (arm * arm);
}

void add_loop_compliance(const StepModel& model, Real h_bar, Real move, const Workspace& work,
                         linalg::SaddleSystem& system) noexcept
{
    for (const int r : work.loop_rows) {
        const RowSoftness& soft = model.rows.softness[r];
        if (soft.compliance > 0) continue;
        system.sigma[r] = loop_compliance(model, work, r) / (h_bar * (move + soft.damping_time));
    }
}

Real loop_energy(const StepModel& model, const State& state, const Workspace& work) noexcept
{
    Real sum = 0;
    for (const int r : work.loop_rows)
        sum += loop_compliance(model, work, r) * state.lambda[r] * state.lambda[r] / 2;
    return sum;
}

void set_loop_compliance(const StepModel& model, Real dt, Workspace& work) noexcept
{
    if (work.loop_rows.empty()) return;
    Real mass = 0;
    for (const BodyModel& body : model.bodies)
        if (body.dynamic()) mass += body.mass;
    work.loop_compliance = kGuard.scheme.loop_yield * dt * dt / mass;
}

}  // namespace taut::stepper

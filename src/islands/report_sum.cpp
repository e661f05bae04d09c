#include "islands/report_sum.h"

#include <algorithm>
#include <cmath>

#include "stepper/add_reports.h"

namespace taut::islands {
namespace {

// How bad it was: the worst island gives the reason.
int severity(const StepReport& report) noexcept
{
    if (report.status != StepStatus::Ok) return 5;
    if (!report.settled) return 4;
    if (report.halvings > 0) return 3;
    if (report.gains_refused > 0) return 2;
    return report.restarts > 0 ? 1 : 0;
}

// Orders of magnitude between a number and one; none for zero.
Real magnitude(Real x) noexcept { return x != 0 ? std::abs(std::log(std::abs(x))) : 0; }

}  // namespace

ReportSum::ReportSum() noexcept { all_.solve.residual.reset(); }  // until one is measured

void ReportSum::add(const StepReport& one) noexcept
{
    ++added_;
    if (one.status == StepStatus::Diverged) all_.status = one.status;
    all_.solves = std::max(all_.solves, one.solves);
    all_.back_substitutions = std::max(all_.back_substitutions, one.back_substitutions);
    all_.solve.finite = all_.solve.finite && one.solve.finite;
    all_.solve.residual = std::max(all_.solve.residual, one.solve.residual);
    all_.solve.refinements = std::max(all_.solve.refinements, one.solve.refinements);
    pivots_ = pivots_ && one.solve.negative_pivots.has_value();
    negative_ += one.solve.negative_pivots.value_or(0);
    expected_ += one.solve.expected_negative_pivots.value_or(0);
    add_sums(one, all_);
    if (severity(one) <= worst_) return;
    worst_ = severity(one);
    all_.status = one.status;
    all_.reason = one.reason;
    all_.hardest_body = one.hardest_body;
}

StepReport ReportSum::finish(const StepModel& model, const State& state) noexcept
{
    const std::vector<IslandMemory>& islands = state.division.islands;
    all_.islands = std::max(1, static_cast<int>(islands.size()));  // none: all as one
    if (pivots_ && added_ > 0) {
        all_.solve.negative_pivots = negative_;
        all_.solve.expected_negative_pivots = expected_;
    }
    for (std::size_t i = 0; i < islands.size(); ++i) {
        if (islands[i].frozen != 0 && ++all_.frozen == 1 && all_.status == StepStatus::Ok) {
            all_.settled = false;
            all_.reason =
                "an island has no next state, because its numbers are out of range or its solve "
                "has no solution: it is frozen and takes no part in collisions; the others go on";
            all_.hardest_body = id_of(find_out_of_range(model, state, static_cast<int>(i)));
        } else if (islands[i].frozen == 0 && islands[i].asleep != 0) {
            ++all_.asleep;
        }
    }
    return all_;
}

BodyIndex find_out_of_range(const Model& model, const State& state, int island) noexcept
{
    BodyIndex found = kGround;
    Real farthest = -1;
    for (const BodyIndex b : BodyRange(model.bodies.size())) {
        if (state.division.find(b) != island) continue;
        const BodyModel& body = model.bodies[b];
        Real far = std::max({magnitude(body.mass), magnitude(state.p[b].norm()),
                             magnitude(state.v[b].norm()), magnitude(state.w[b].norm())});
        far = std::max({far, magnitude(state.wrench[b].force.norm()),
                        magnitude(state.wrench[b].torque.norm())});
        for (const LoadModel& load : model.loads)
            if (load.body == b)
                far = std::max({far, magnitude(load.force.norm()), magnitude(load.torque.norm())});
        for (int k = 0; k < 3 && body.kind == BodyKind::Rigid; ++k)
            far = std::max(far, magnitude(body.inertia(k, k)));
        if (!(far > farthest)) continue;
        farthest = far;
        found = b;
    }
    return found;
}

}  // namespace taut::islands

// Reads the settings of the run and the expectations.
#include <limits>

#include "scene/readers.h"
#include "scene/values.h"

namespace taut::scene {
namespace {

void read_step(const Node& node, StepSettings& settings)
{
    settings.dt = number_or(node, "dt", settings.dt);
    settings.alpha = number_or(node, "alpha", settings.alpha);
    settings.beta = number_or(node, "beta", settings.beta);
    settings.tolerance = number_or(node, "tolerance", settings.tolerance);
    settings.max_solves = static_cast<int>(number_or(node, "max_solves", settings.max_solves));
    settings.penalty_stiffness = number_or(node, "penalty_stiffness", settings.penalty_stiffness);
    settings.baumgarte_rate = number_or(node, "baumgarte_rate", settings.baumgarte_rate);
    settings.damping_alpha = number_or(node, "damping_alpha", settings.damping_alpha);
    settings.threads = static_cast<int>(number_or(node, "threads", settings.threads));
    settings.sleep = flag_or(node, "sleep", settings.sleep);
    if (const Node* name = node.find("scheme"))
        settings.scheme = find_choice(schemes(), name->filled).value_or(settings.scheme);
    if (const Node* name = node.find("stabilisation"))
        settings.stabilisation =
            find_choice(stabilisations(), name->filled).value_or(settings.stabilisation);
    if (const Node* name = node.find("solver"))
        settings.solver = find_choice(solvers(), name->filled).value_or(settings.solver);
    if (const Node* name = node.find("laws"))
        settings.laws = find_choice(law_methods(), name->filled).value_or(settings.laws);
    if (const Node* name = node.find("friction"))
        settings.friction =
            find_choice(friction_shapes(), name->filled).value_or(settings.friction);
}

Expectation read_expectation(const Node& node, Problems& problems)
{
    constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
    Expectation expectation{text_or(node, "reading", ""), -kInfinity, kInfinity,
                            node.find("reading")->where.text()};
    if (const auto near = number(node, "near")) {
        const Real within = number_or(node, "within", 0);
        expectation.lowest = *near - within;
        expectation.highest = *near + within;
    } else {
        expectation.lowest = number_or(node, "above", -kInfinity);
        expectation.highest = number_or(node, "below", kInfinity);
    }
    if (expectation.lowest > expectation.highest)
        problems.error(node.find("below")->where,
                       "the bounds exclude each other; 'below' must not be less than 'above'");
    return expectation;
}

}  // namespace

void read_run(const Node& scene, SceneDraft& draft, Problems& problems)
{
    draft.name = text_or(scene, "name", "");
    draft.title = text_or(scene, "title", "");
    draft.gravity = vector_or(scene, "gravity", draft.gravity);
    draft.duration = number_or(scene, "duration", draft.duration);
    if (const Node* gravity = scene.find("gravity")) draft.gravity_where = gravity->where;
    if (const Node* step = scene.find("step")) {
        read_step(*step, draft.settings);
        draft.step_where = step->where;
    }
    if (const Node* record = scene.find("record"))
        for (const NodePtr& column : record->items) draft.columns.push_back(column->filled);
    if (const Node* expect = scene.find("expect"))
        for (const NodePtr& item : expect->items)
            draft.expectations.push_back(read_expectation(*item, problems));
}

}  // namespace taut::scene

// Reads the settings of the run and the expectations.
#include <limits>

#include "scene/readers.h"
#include "scene/values.h"

namespace taut::scene {
namespace {

void read_step(const Node& node, StepSettings& settings)
{
    for (const StepOption& option : kStepOptions) {
        const std::string name(option.name);
        visit_option(settings, option, [&](auto& value) {
            using Value = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, bool>)
                value = flag_or(node, name, value);
            else if constexpr (!std::is_enum_v<Value>)
                value = static_cast<Value>(number_or(node, name, static_cast<Real>(value)));
            else if (const Node* choice = node.find(name))
                value = find_choice(choices_of(value), choice->filled).value_or(value);
        });
    }
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

// The parameters of a scene with their current values: defaults or overrides.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <taut/scene.h>
#include "scene/formula.h"
#include "scene/node.h"

namespace taut::scene {

struct Parameter {
    SceneParameter info;
    Value value;
    Where where;
    bool used = false;
};

class ParameterTable : public Names {
public:
    // Reading a parameter marks it as used.
    const Value* find(std::string_view name) override;
    std::vector<std::string> all() const override;

    void add(Parameter parameter);
    const std::deque<Parameter>& parameters() const noexcept { return parameters_; }

private:
    std::deque<Parameter> parameters_;  // in the order of the file
    std::map<std::string, Parameter*, std::less<>> by_name_;
};

// `section` maps names to defaults; `overrides` contains the values of --set by name.
ParameterTable read_parameters(const Node& section, const std::map<std::string, NodePtr>& overrides,
                               Problems& problems);

}  // namespace taut::scene

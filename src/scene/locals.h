// Names with local scope that hide those of the scene: the number of a copy, a point of a height field.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scene/formula.h"

namespace taut::scene {

class Locals : public Names {
public:
    explicit Locals(Names& outer) : outer_(outer) {}

    void set(std::string_view name, Real value)
    {
        for (auto& [known, held] : values_)
            if (known == name) {
                held = value;
                return;
            }
        values_.emplace_back(name, value);
    }

    const Value* find(std::string_view name) override
    {
        for (const auto& [known, held] : values_)
            if (known == name) return &held;
        return outer_.find(name);
    }

    std::vector<std::string> all() const override
    {
        std::vector<std::string> names;
        for (const auto& [known, held] : values_) names.push_back(known);
        const auto more = outer_.all();
        names.insert(names.end(), more.begin(), more.end());
        return names;
    }

private:
    Names& outer_;
    std::vector<std::pair<std::string, Value>> values_;
};

}  // namespace taut::scene

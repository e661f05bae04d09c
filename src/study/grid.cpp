#include "study/grid.h"

namespace taut::study {

std::size_t Grid::combinations() const noexcept
{
    std::size_t count = 1;
    for (const GridAxis& axis : axes) count *= axis.values.size();
    return count;
}

std::size_t Grid::size() const noexcept { return methods.size() * combinations() * steps.size(); }

Grid::Place Grid::place(std::size_t cell) const
{
    Place place;
    place.step = cell % steps.size();
    cell /= steps.size();
    place.values = values_of(cell % combinations());
    place.method = cell / combinations();
    return place;
}

std::vector<std::size_t> Grid::values_of(std::size_t combination) const
{
    std::vector<std::size_t> values(axes.size());
    for (std::size_t i = axes.size(); i-- > 0;) {
        values[i] = combination % axes[i].values.size();
        combination /= axes[i].values.size();
    }
    return values;
}

Overrides Grid::overrides(const std::vector<std::size_t>& values) const
{
    Overrides overrides;
    for (std::size_t i = 0; i < axes.size(); ++i)
        overrides.emplace_back(axes[i].name, axes[i].values[values[i]]);
    return overrides;
}

}  // namespace taut::study

#include "map_folder.h"

#include <filesystem>
#include <sstream>
#include <system_error>

#include "record/csv_line.h"
#include "record/csv_writer.h"

namespace taut::cli {

namespace {

// The fields that identify a cell: method, parameters, time step.
std::vector<std::string> cell_key(const Grid& grid, std::size_t cell)
{
    const Grid::Place place = grid.place(cell);
    std::vector<std::string> key = {grid.methods[place.method].name()};
    for (std::size_t i = 0; i < grid.axes.size(); ++i)
        key.push_back(grid.axes[i].values[place.values[i]]);
    key.push_back(shortest(grid.steps[place.step].dt));
    return key;
}

// The first key in which two requests differ.
std::string difference(const Json& asked, const Json& there)
{
    for (const auto& [name, value] : asked.items())
        if (!there.contains(name) || there[name] != value) return name;
    return "request";
}

std::string file_text(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// Succeeds if the folder holds no map or one of the same request; the error says what to do otherwise.
Status check_request(const std::string& folder, const std::string& request_file,
                     const std::string& csv_file, const Json& request)
{
    namespace fs = std::filesystem;
    if (!fs::exists(request_file) && !fs::exists(csv_file)) return Done{};
    const Json there = Json::parse(file_text(request_file), nullptr, false);
    const std::string advice = "; choose another folder, or discard its contents with --fresh";
    if (there.is_discarded() || !there.is_object())
        return Error{"'" + folder + "' contains map.csv but no request.json that describes it" +
                     advice};
    if (there != request)
        return Error{"'" + folder + "' contains the map of another request (different '" +
                     difference(request, there) + "')" + advice};
    return Done{};
}

}  // namespace

std::string MapFolder::file(const std::string& name) const
{
    return (std::filesystem::path(folder_) / name).string();
}

Result<std::unique_ptr<MapFolder>> MapFolder::open(const std::string& folder, const Json& request,
                                                   const Grid& grid, bool fresh)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return Error{"cannot create the folder '" + folder + "': " + error.message()};

    auto map = std::make_unique<MapFolder>();
    map->folder_ = folder;
    map->grid_ = grid;
    if (!fresh) {
        TAUT_TRY(check_request(folder, map->file("request.json"), map->file("map.csv"), request));
        map->find_finished();
    }

    // keep the complete lines of an earlier run; a truncated last line is dropped
    TAUT_TRY(replace_file(map->file("map.csv"), map->table(map->found_, {})));
    TAUT_TRY(replace_file(map->file("request.json"), json_text(request)));
    map->csv_.open(map->file("map.csv"), std::ios::binary | std::ios::app);
    if (!map->csv_) return Error{"cannot write '" + map->file("map.csv") + "'"};
    return map;
}

void MapFolder::find_finished()
{
    std::map<std::vector<std::string>, std::size_t> cells;
    for (std::size_t i = 0; i < grid_.size(); ++i) cells[cell_key(grid_, i)] = i;
    const auto key_size = static_cast<std::ptrdiff_t>(grid_.axes.size() + 2);

    const std::string text = file_text(file("map.csv"));
    for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1) {
        end = text.find('\n', begin);
        if (end == std::string::npos) return;  // truncated line: its last number may be incomplete
        const auto fields = split_csv_line(text.substr(begin, end - begin));
        if (!fields || fields->size() < static_cast<std::size_t>(key_size)) continue;
        const auto middle = fields->begin() + key_size;
        const auto cell = cells.find({fields->begin(), middle});
        const auto result = read_figures({middle, fields->end()});
        if (cell != cells.end() && result) found_[cell->second] = *result;
    }
}

std::string MapFolder::line(std::size_t cell, const CellResult& result,
                            const StabilityLimits& limits) const
{
    std::vector<std::string> fields = cell_key(grid_, cell);
    for (std::string& field : figure_fields(result, limits)) fields.push_back(std::move(field));
    return csv_line(fields) + "\n";
}

std::string MapFolder::table(const std::map<std::size_t, CellResult>& cells,
                             const StabilityLimits& limits) const
{
    std::vector<std::string> headings = {"method"};
    for (const GridAxis& axis : grid_.axes) headings.push_back(axis.name);
    headings.emplace_back("dt [s]");
    for (std::string& heading : figure_headings()) headings.push_back(std::move(heading));
    std::string text = csv_line(headings) + "\n";
    for (const auto& [cell, result] : cells) text += line(cell, result, limits);
    return text;
}

Status MapFolder::add(std::size_t cell, const CellResult& result, const StabilityLimits& limits)
{
    csv_ << line(cell, result, limits) << std::flush;
    if (!csv_) return Error{"cannot write '" + file("map.csv") + "'"};
    return Done{};
}

Status MapFolder::finish(const std::map<std::size_t, CellResult>& cells,
                         const StabilityLimits& limits)
{
    csv_.close();
    return replace_file(file("map.csv"), table(cells, limits));
}

}  // namespace taut::cli

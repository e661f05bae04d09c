#include "record/columns.h"

#include <algorithm>

#include "core/suggestion.h"
#include "record/run_fields.h"

namespace taut::record {

namespace {

Column as_column(Reading reading)
{
    return {std::move(reading.name), std::move(reading.unit),
            [read = std::move(reading.read)](const Moment& m) { return read(m.world); }};
}

// control.NAME and logic.NAME
Result<Column> find_control_column(const Controls& controls, std::string_view name)
{
    if (const auto index = controls.find_value(name))
        return Column{std::string(name), std::string(controls.value_unit(*index)),
                      [i = *index](const Moment& m) {
                          return m.controls ? m.controls->value_at(i)
                                            : std::numeric_limits<Real>::quiet_NaN();
                      }};
    const std::vector<std::string> known = controls.value_names();
    return Error{"reading '" + std::string(name) + "': the scene has no such control or logic" +
                 did_you_mean(name, known)};
}

std::vector<std::string> fixed_names()
{
    std::vector<std::string> names;
    for (const ColumnInfo& info : readings::reading_catalogue())
        if (info.name.find("NAME") == std::string::npos) names.push_back(info.name);
    for (const StepField& field : kStepFields) names.emplace_back(field.name);
    for (const RunField& field : kRunFields) names.emplace_back(field.name);
    return names;
}

template <class Fields>
void add(std::vector<ColumnInfo>& list, const Fields& fields)
{
    for (const auto& f : fields)
        list.push_back({std::string(f.name), std::string(f.unit), std::string(f.summary)});
}

}  // namespace

Result<Column> find_column(const ReadingSource& source, std::string_view name)
{
    for (const StepField& field : kStepFields)
        if (field.name == name)
            return Column{std::string(name), std::string(field.unit),
                          [read = field.read](const Moment& m) { return read(m.step); }};
    for (const RunField& field : kRunFields)
        if (field.name == name)
            return Column{
                std::string(name), std::string(field.unit),
                [read = field.read](const Moment& m) { return read(m.run.summary(m.world)); }};
    if (name.starts_with("control.") || name.starts_with("logic."))
        return find_control_column(source.controls, name);

    auto reading = readings::find_reading(source.world, name);
    if (reading.ok()) return as_column(std::move(*reading));
    if (name.starts_with("body.") || name.starts_with("joint.")) return reading.error();
    return Error{"unknown reading '" + std::string(name) + "'" + did_you_mean(name, fixed_names()) +
                 " ('taut list columns' lists all readings)"};
}

std::vector<ColumnInfo> column_catalogue()
{
    std::vector<ColumnInfo> list = readings::reading_catalogue();
    list.push_back({"control.NAME", "(its own)", "value of a control of the scene"});
    list.push_back(
        {"logic.NAME", "-", "value of an entry of the scene's logic; a latch is 0 or 1"});
    add(list, kStepFields);
    add(list, kRunFields);
    return list;
}

std::vector<ColumnInfo> column_list(const ReadingSource& source, int most)
{
    std::vector<ColumnInfo> list = readings::reading_list(source.world, most);
    for (const std::string& name : source.controls.value_names())
        list.push_back(
            {name, std::string(source.controls.value_unit(*source.controls.find_value(name))), ""});
    add(list, kStepFields);
    return list;
}

std::vector<std::string> column_names(const ReadingSource& source)
{
    std::vector<std::string> names;
    for (ColumnInfo& column : column_list(source)) names.push_back(std::move(column.name));
    return names;
}

std::vector<std::string> usual_columns(const World& world)
{
    std::vector<std::string> names = {"time",           "energy.kinetic", "energy.gravity",
                                      "energy.joints",  "energy.springs", "energy.total",
                                      "work.total",     "gap.max",        "gap.angular",
                                      "solve.residual", "solve.count"};
    // poses and joint forces of all bodies and joints are included in small scenes only
    constexpr int kFew = 20;
    if (world.body_count() <= kFew)
        for (int i = 0; i < world.body_count(); ++i) {
            if (world.kind(world.body_at(i)) == BodyKind::Fixed) continue;
            const std::string body = "body." + std::string(world.name(world.body_at(i))) + ".";
            for (const char* field : {"x", "y", "z", "qw", "qx", "qy", "qz"})
                names.push_back(body + field);
        }
    if (world.joint_count() <= kFew)
        for (int i = 0; i < world.joint_count(); ++i) {
            const std::string joint = "joint." + std::string(world.name(world.joint_at(i))) + ".";
            for (const char* field : {"force", "torque"}) names.push_back(joint + field);
        }
    return names;
}

}  // namespace taut::record

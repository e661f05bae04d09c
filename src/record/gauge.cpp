#include "record/gauge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/suggestion.h"

namespace taut::record {

namespace {

struct FormName {
    std::string_view name;
    Gauge::Form form;
    std::string_view summary;
};

constexpr FormName kForms[] = {
    {"start", Gauge::Form::Start, "value before the first step"},
    {"max", Gauge::Form::Max, "largest value"},
    {"min", Gauge::Form::Min, "smallest value"},
    {"mean", Gauge::Form::Mean, "mean over the steps"},
    {"change", Gauge::Form::Change, "last value minus the first"},
    {"drift", Gauge::Form::Drift, "largest distance from the first value"},
    {"peak", Gauge::Form::Peak, "largest magnitude"},
    {"period", Gauge::Form::Period, "mean time between upward zero crossings [s]"},
};

}  // namespace

std::vector<GaugeInfo> gauge_forms()
{
    std::vector<GaugeInfo> forms;
    for (const auto& f : kForms) forms.push_back({f.name, f.summary});
    return forms;
}

Gauge::Gauge(std::string reading, Form form, Column column)
    : reading_(std::move(reading)), unit_(column.unit), form_(form), column_(std::move(column))
{
    if (form_ == Form::Period) unit_ = "s";
}

Result<Gauge> Gauge::make(const ReadingSource& source, std::string_view reading)
{
    // "max(energy.total)" → statistic and column
    Form form = Form::Last;
    std::string_view inner = reading;
    const auto open = reading.find('(');
    if (open != std::string_view::npos) {
        const std::string_view name = reading.substr(0, open);
        const auto* known = std::find_if(std::begin(kForms), std::end(kForms),
                                         [&](auto& f) { return f.name == name; });
        if (reading.back() != ')')
            return Error{"reading '" + std::string(reading) + "': the parenthesis is not closed"};
        if (known == std::end(kForms)) {
            std::vector<std::string> names;
            std::string all;
            for (const auto& f : kForms) {
                names.emplace_back(f.name);
                all += (all.empty() ? "" : ", ") + std::string(f.name);
            }
            return Error{"reading '" + std::string(reading) + "': '" + std::string(name) +
                         "' is not one of " + all + did_you_mean(name, names)};
        }
        form = known->form;
        inner = reading.substr(open + 1, reading.size() - open - 2);
    }

    auto column = find_column(source, inner);
    if (!column.ok()) return column.error();
    return Gauge(std::string(reading), form, std::move(*column));
}

void Gauge::start(const Moment& moment)
{
    first_ = last_ = largest_ = smallest_ = column_.read(moment);
    last_time_ = moment.world.time();
}

void Gauge::observe(const Moment& moment)
{
    const Real now = column_.read(moment);
    watch_passes(moment.world.time(), now);
    // the comparisons keep a NaN once it has occurred
    if (!(now <= largest_)) largest_ = now;
    if (!(now >= smallest_)) smallest_ = now;
    sum_ += now;
    count_ += 1;
    last_ = now;
    last_time_ = moment.world.time();
}

void Gauge::watch_passes(Real time, Real now) noexcept
{
    if (!(last_ < 0 && now >= 0)) return;
    // linear interpolation of the zero crossing between the two values
    last_pass_ = last_time_ + (time - last_time_) * last_ / (last_ - now);
    if (first_pass_)
        ++passes_;
    else
        first_pass_ = last_pass_;
}

Real Gauge::value() const noexcept
{
    constexpr Real kUnknown = std::numeric_limits<Real>::quiet_NaN();
    switch (form_) {
        case Form::Last: return last_;
        case Form::Start: return first_;
        case Form::Max: return largest_;
        case Form::Min: return smallest_;
        case Form::Mean: return count_ > 0 ? sum_ / count_ : kUnknown;
        case Form::Change: return last_ - first_;
        case Form::Drift: return std::max(largest_ - first_, first_ - smallest_);
        case Form::Peak: return std::max(std::abs(largest_), std::abs(smallest_));
        case Form::Period: return passes_ > 0 ? (last_pass_ - *first_pass_) / passes_ : kUnknown;
    }
    return kUnknown;
}

}  // namespace taut::record

// A statistic of a reading over a run: its last value, maximum, mean, …
//
//     X            last value                    start(X)   value before the first step
//     max(X)       largest value                 change(X)  last value minus the first
//     min(X)       smallest value                drift(X)   largest distance from the first value
//     mean(X)      over the steps                peak(X)    largest magnitude |X|
//     period(X)    mean time between upward zero crossings [s]
//
// All statistics except mean() include the value before the first step, where forces are unknown and read as 0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/columns.h"

namespace taut::record {

struct GaugeInfo {
    std::string_view form;
    std::string_view summary;
};
std::vector<GaugeInfo> gauge_forms();

class Gauge {
public:
    enum class Form { Last, Start, Max, Min, Mean, Change, Drift, Peak, Period };

    static Result<Gauge> make(const ReadingSource& source, std::string_view reading);

    void start(const Moment& moment);
    void observe(const Moment& moment);  // once per step
    Real value() const noexcept;         // NaN if the run does not define it

    const std::string& reading() const noexcept { return reading_; }
    const std::string& unit() const noexcept { return unit_; }

private:
    Gauge(std::string reading, Form form, Column column);
    void watch_passes(Real time, Real now) noexcept;

    std::string reading_;
    std::string unit_;
    Form form_;
    Column column_;

    Real first_ = 0;
    Real last_ = 0;
    Real last_time_ = 0;
    Real largest_ = 0;
    Real smallest_ = 0;
    Real sum_ = 0;
    Real count_ = 0;

    std::optional<Real> first_pass_;
    Real last_pass_ = 0;
    int passes_ = 0;
};

}  // namespace taut::record

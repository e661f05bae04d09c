// A reading over a run: its last value, or what became of it on the way.
//
//     X            last value                    start(X)   value before the first step
//     max(X)       largest seen                  change(X)  last value less the first
//     min(X)       smallest seen                 drift(X)   largest distance from the first value
//     mean(X)      over the steps                peak(X)    largest size, |X|
//     period(X)    mean time between upward passes through zero [s]
//
// The value before the first step counts for all but mean(): forces are not known there and read 0.
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

    static Result<Gauge> make(const World& world, std::string_view reading);

    void start(const Moment& moment);
    void observe(const Moment& moment);  // once per step
    Real value() const noexcept;         // not a number where the run did not show it

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

// A number that follows time: what motors, servos, loads and kinematic bodies are told to do.
#pragma once

#include <vector>

#include <taut/types.h>

namespace taut {

class Schedule {
public:
    enum class Kind { Constant, Linear, Smooth, Steps, Sine };
    struct Key {
        Real time = 0;   // [s]
        Real value = 0;  // unit of whatever is scheduled
    };

    Schedule() = default;                   // zero for ever
    Schedule(Real value) : mean_(value) {}  // implicit: a plain number is a constant schedule

    // Through the keys by straight lines, by smooth steps (zero rate at each key) or by jumps;
    // the first value before the first key, the last one after the last. Keys ascend in time.
    static Schedule through(std::vector<Key> keys, Kind kind = Kind::Linear);

    // mean + amplitude sin(2π frequency t + phase); frequency in hertz, phase in radians.
    static Schedule sine(Real mean, Real amplitude, Real frequency, Real phase = 0);

    Real value(Real t) const noexcept;
    Real rate(Real t) const noexcept;          // right derivative; zero at the jumps of Steps
    Real acceleration(Real t) const noexcept;  // its right derivative; kinks and jumps have none

    Kind kind() const noexcept { return kind_; }
    const std::vector<Key>& keys() const noexcept { return keys_; }
    Real mean() const noexcept { return mean_; }            // the value of a constant schedule
    Real amplitude() const noexcept { return amplitude_; }  // of a sine
    Real frequency() const noexcept { return frequency_; }  // of a sine [Hz]
    Real phase() const noexcept { return phase_; }          // of a sine [rad]
    bool valid() const noexcept;  // all numbers finite, keys ascending

private:
    Kind kind_ = Kind::Constant;
    std::vector<Key> keys_;
    Real mean_ = 0;
    Real amplitude_ = 0;
    Real frequency_ = 0;
    Real phase_ = 0;
};

}  // namespace taut

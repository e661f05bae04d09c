// A function of time: targets of motors and servos, scale of loads, motion of kinematic bodies.
#pragma once

#include <vector>

#include <taut/types.h>

namespace taut {

class Schedule {
public:
    enum class Kind { Constant, Linear, Smooth, Steps, Sine };
    struct Key {
        Real time = 0;   // [s]
        Real value = 0;  // in the unit of the scheduled quantity
    };

    Schedule() = default;                   // constant zero
    Schedule(Real value) : mean_(value) {}  // implicit: a plain number is a constant schedule

    // Interpolates the keys linearly, smoothly (zero rate at each key) or by steps. Constant before the first and
    // after the last key. The times of the keys are ascending.
    static Schedule through(std::vector<Key> keys, Kind kind = Kind::Linear);

    // mean + amplitude sin(2π frequency t + phase); frequency in hertz, phase in radians.
    static Schedule sine(Real mean, Real amplitude, Real frequency, Real phase = 0);

    Real value(Real t) const noexcept;
    Real rate(Real t) const noexcept;  // right derivative; zero at the jumps of Steps
    // right derivative of rate(); kinks and jumps do not contribute
    Real acceleration(Real t) const noexcept;

    Kind kind() const noexcept { return kind_; }
    const std::vector<Key>& keys() const noexcept { return keys_; }
    Real mean() const noexcept { return mean_; }            // the value of a constant schedule
    Real amplitude() const noexcept { return amplitude_; }  // of a sine
    Real frequency() const noexcept { return frequency_; }  // of a sine [Hz]
    Real phase() const noexcept { return phase_; }          // of a sine [rad]
    // Keys ascending, all numbers below 1e100 in size, a frequency of at most 1e15 Hz.
    bool valid() const noexcept;

private:
    Kind kind_ = Kind::Constant;
    std::vector<Key> keys_;
    Real mean_ = 0;
    Real amplitude_ = 0;
    Real frequency_ = 0;
    Real phase_ = 0;
};

}  // namespace taut

// Time that a block takes, added to a sum; nothing where nobody asked.
#pragma once

#include <chrono>

#include "core/namespaces.h"

namespace taut::core {

class Stopwatch {
public:
    Stopwatch(bool running, double& sum) noexcept : sum_(running ? &sum : nullptr)
    {
        if (sum_) start_ = std::chrono::steady_clock::now();
    }
    ~Stopwatch()
    {
        if (sum_)
            *sum_ +=
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    double* sum_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace taut::core

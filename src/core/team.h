// The threads that a piece of work may use: those of a pool, or only the calling one.
#pragma once

#include "core/worker_pool.h"

namespace taut::core {

class Team {
public:
    Team() = default;  // only the calling thread
    Team(WorkerPool& pool, int threads) noexcept : pool_(&pool), threads_(threads) {}

    // task(k) for k = 0 … count − 1, each writing only what is its own. Returns when all are done.
    template <class Task>
    void run(int count, Task&& task) const noexcept
    {
        if (pool_ && threads_ != 1 && count > 1) return pool_->run(threads_, count, task);
        for (int k = 0; k < count; ++k) task(k);
    }

private:
    WorkerPool* pool_ = nullptr;
    int threads_ = 1;
};

}  // namespace taut::core

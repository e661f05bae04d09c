// Threads that wait for work. Tasks are numbered, and each writes only its own data, so the result does not depend on which
// thread runs which task. Of t threads, thread k starts with tasks k, k + t, k + 2t … and then helps the others: from job to
// job the same task numbers stay with the same processor as far as possible, and their data in its cache.
//
// A build without threads (CMake option TAUT_THREADS=OFF) runs every task on the caller. Only worker_pool.cpp differs
// between the two builds: this header names nothing from the standard library's threads.
#pragma once

#include <memory>
#include <type_traits>

#include "core/namespaces.h"

namespace taut::core {

class WorkerPool {
public:
    WorkerPool();
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // task(k) for k = 0 … count − 1 on up to `threads` threads, the caller's among them (0: as many as the
    // machine has). Returns when all are done. The task throws nothing, and calls no run() of its own.
    // Threads are created when they are first needed; where the system refuses, fewer do the work.
    template <class Task>
    void run(int threads, int count, Task&& task) noexcept
    {
        using Bare = std::remove_reference_t<Task>;
        run(
            threads, count, [](void* t, int k) { (*static_cast<Bare*>(t))(k); }, &task);
    }

private:
    using Call = void (*)(void*, int);
    void run(int threads, int count, Call call, void* task) noexcept;

    class Threads;
    std::unique_ptr<Threads> threads_;  // null in a build without threads
};

}  // namespace taut::core

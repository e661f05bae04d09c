// Threads that wait for work. Tasks are numbered and taken in that order; who takes which does not matter to
// anybody, as long as each writes only what is its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <vector>

namespace taut {

class WorkerPool {
public:
    WorkerPool() = default;
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // task(k) for k = 0 … count − 1 on up to so many threads, the caller's among them (0: as many as the
    // machine has). Returns when all are done. The task throws nothing. Threads are made when they are first
    // asked for; where the system refuses, fewer do the work.
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
    void grow(int workers) noexcept;
    void wait_for_work(const std::stop_token& stop, int number) noexcept;
    void work(Call call, void* task, int count) noexcept;

    std::mutex mutex_;
    std::condition_variable_any begun_;
    std::condition_variable left_;
    // the present job, under the mutex
    Call call_ = nullptr;
    void* task_ = nullptr;
    int count_ = 0;
    int welcome_ = 0;                    // workers that may join; none when no job is open
    int inside_ = 0;                     // workers that have joined and not left
    std::uint64_t job_ = 0;              // its number
    std::atomic<int> next_{0};           // the next task that nobody has taken
    std::vector<std::jthread> workers_;  // last: they end before what they wait on
};

}  // namespace taut

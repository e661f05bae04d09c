// Threads that wait for work. Tasks are numbered; who takes which does not matter to anybody, as long as each writes only
// what is its own. Of t threads, number k begins with tasks k, k + t, k + 2t … and then helps the others: from job to job
// the same numbers stay with the same processor as far as possible, and what they are about in its cache.
//
// A step hands out a dozen jobs of a few dozen microseconds each, and waking a thread takes as long as one of them:
// whoever waits looks again and again for a while before it goes to sleep.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <vector>

#include "core/namespaces.h"

namespace taut::core {

class WorkerPool {
public:
    WorkerPool();
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // task(k) for k = 0 … count − 1 on up to so many threads, the caller's among them (0: as many as the
    // machine has). Returns when all are done. The task throws nothing, and asks for no run of its own.
    // Threads are made when they are first asked for; where the system refuses, fewer do the work.
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
    // Looks until it holds, for a while, unless there are more threads than processors to look on.
    template <class Holds>
    void watch_for(Holds&& holds) const noexcept;
    void wait_for_work(const std::stop_token& stop, int number) noexcept;
    void work(Call call, void* task, int count, int sharers, int self) noexcept;

    const int processors_;
    std::atomic<bool> crowded_{false};  // more threads than processors
    std::mutex mutex_;
    std::condition_variable_any begun_;
    std::condition_variable left_;
    // the present job, under the mutex
    Call call_ = nullptr;
    void* task_ = nullptr;
    int count_ = 0;
    int sharers_ = 1;  // threads among whom the tasks are shared out
    int welcome_ = 0;  // workers that may join; none when no job is open
    int inside_ = 0;   // workers that have joined and not left
    // each on a cache line of its own: some write while others look
    alignas(64) std::atomic<std::uint64_t> job_{0};  // its number; written under the mutex
    alignas(64) std::atomic<int> inside_now_{0};     // inside_, for those who only look
    struct alignas(64) Share {
        std::atomic<int> taken{0};
    };
    std::deque<Share> shares_;           // per sharer; grows between jobs
    std::vector<std::jthread> workers_;  // last: they end before what they wait on
};

}  // namespace taut::core

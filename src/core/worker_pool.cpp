#include "core/worker_pool.h"

#ifdef TAUT_NO_THREADS

namespace taut::core {

class WorkerPool::Threads {};

WorkerPool::WorkerPool() = default;
WorkerPool::~WorkerPool() = default;

void WorkerPool::run(int, int count, Call call, void* task) noexcept
{
    for (int k = 0; k < count; ++k) call(task, k);
}

}  // namespace taut::core

#else

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace taut::core {

// A step distributes a dozen jobs of a few dozen microseconds each, and waking a thread takes as long as one of them:
// a thread that waits polls for a while before it sleeps.
class WorkerPool::Threads {
public:
    Threads() : processors_(std::max(1, static_cast<int>(std::thread::hardware_concurrency()))) {}
    ~Threads();
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    void run(int threads, int count, Call call, void* task) noexcept;

private:
    void grow(int workers) noexcept;
    // Polls until holds() is true, for a limited time, unless there are more threads than processors.
    template <class Holds>
    void poll(Holds&& holds) const noexcept;
    void wait_for_work(int number) noexcept;
    void work(Call call, void* task, int count, int sharers, int self) noexcept;

    const int processors_;
    std::atomic<bool> crowded_{false};  // more threads than processors
    std::mutex mutex_;
    std::condition_variable begun_;
    std::condition_variable left_;
    // the present job, under the mutex
    Call call_ = nullptr;
    void* task_ = nullptr;
    int count_ = 0;
    int sharers_ = 1;        // threads among which the tasks are shared out
    int welcome_ = 0;        // workers that may join; none when no job is open
    int inside_ = 0;         // workers that have joined and not left
    bool stopping_ = false;  // the pool is being destroyed
    // each on a cache line of its own: some threads write while others poll
    alignas(64) std::atomic<std::uint64_t> job_{0};  // its number; written under the mutex
    alignas(64) std::atomic<int> inside_now_{0};     // inside_, for threads that poll
    struct alignas(64) Share {
        std::atomic<int> taken{0};
    };
    std::deque<Share> shares_;  // per sharer; grows between jobs
    std::vector<std::thread> workers_;
};

template <class Holds>
void WorkerPool::Threads::poll(Holds&& holds) const noexcept
{
    if (crowded_.load(std::memory_order_relaxed)) return;
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::microseconds kPatience(100);
    constexpr int kPolls = 64;  // between two looks at the clock
    constexpr int kPause = 32;  // empty rounds between two polls
    const Clock::time_point end = Clock::now() + kPatience;
    do {
        for (int k = 0; k < kPolls; ++k) {
            if (holds()) return;
            // no pause instructions in a row: a virtual machine takes them as a reason to stop the processor
            for (int n = 0; n < kPause; ++n) asm volatile("");
        }
    } while (Clock::now() < end);
}

WorkerPool::Threads::~Threads()
{
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        ++job_;  // ends the polling
    }
    begun_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void WorkerPool::Threads::grow(int workers) noexcept
{
    try {
        while (static_cast<int>(shares_.size()) <= workers) shares_.emplace_back();
        while (static_cast<int>(workers_.size()) < workers)
            workers_.emplace_back(
                [this, number = static_cast<int>(workers_.size())] { wait_for_work(number); });
    } catch (const std::exception&) {  // no more threads, or no memory for them: fewer do the work
    }
}

void WorkerPool::Threads::work(Call call, void* task, int count, int sharers, int self) noexcept
{
    for (int s = 0; s < sharers; ++s) {
        const int of = (self + s) % sharers;
        std::atomic<int>& taken = shares_[static_cast<std::size_t>(of)].taken;
        for (;;) {
            const int k = of + sharers * taken.fetch_add(1, std::memory_order_relaxed);
            if (k >= count) break;
            call(task, k);
        }
    }
}

void WorkerPool::Threads::wait_for_work(int number) noexcept
{
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
        lock.unlock();
        poll([&] { return job_.load(std::memory_order_acquire) != seen; });
        lock.lock();
        begun_.wait(lock, [&] { return stopping_ || (job_ != seen && number < welcome_); });
        if (stopping_) return;
        seen = job_;
        inside_now_.store(++inside_, std::memory_order_relaxed);
        const Call call = call_;
        void* const task = task_;
        const int count = count_, sharers = sharers_;
        lock.unlock();
        work(call, task, count, sharers, number + 1);
        lock.lock();
        inside_now_.store(--inside_, std::memory_order_release);
        if (inside_ == 0) left_.notify_one();
    }
}

void WorkerPool::Threads::run(int threads, int count, Call call, void* task) noexcept
{
    if (threads == 0) threads = processors_;
    const int wanted = std::min(threads, count);
    if (wanted > 1) grow(wanted - 1);
    // fewer where the system refused memory
    const int sharers = std::min(wanted, static_cast<int>(shares_.size()));
    if (sharers < 2) {
        for (int k = 0; k < count; ++k) call(task, k);
        return;
    }
    crowded_.store(sharers > processors_, std::memory_order_relaxed);
    {
        const std::lock_guard lock(mutex_);
        call_ = call;
        task_ = task;
        count_ = count;
        sharers_ = sharers;
        welcome_ = sharers - 1;
        for (int s = 0; s < sharers; ++s)
            shares_[static_cast<std::size_t>(s)].taken.store(0, std::memory_order_relaxed);
        ++job_;
    }
    begun_.notify_all();
    work(call, task, count, sharers, 0);
    // a worker that has not woken up by this time is not waited for
    std::unique_lock lock(mutex_);
    welcome_ = 0;
    if (inside_ > 0) {
        lock.unlock();
        poll([&] { return inside_now_.load(std::memory_order_acquire) == 0; });
        lock.lock();
    }
    left_.wait(lock, [&] { return inside_ == 0; });
}

WorkerPool::WorkerPool() : threads_(std::make_unique<Threads>()) {}
WorkerPool::~WorkerPool() = default;

void WorkerPool::run(int threads, int count, Call call, void* task) noexcept
{
    threads_->run(threads, count, call, task);
}

}  // namespace taut::core

#endif

#include "core/worker_pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>

namespace taut::core {

WorkerPool::WorkerPool()
    : processors_(std::max(1, static_cast<int>(std::thread::hardware_concurrency())))
{}

template <class Holds>
void WorkerPool::watch_for(Holds&& holds) const noexcept
{
    if (crowded_.load(std::memory_order_relaxed)) return;
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::microseconds kPatience(100);
    constexpr int kLooks = 64;   // between two looks at the clock
    constexpr int kBreath = 32;  // rounds of nothing between two looks
    const Clock::time_point end = Clock::now() + kPatience;
    do {
        for (int k = 0; k < kLooks; ++k) {
            if (holds()) return;
            // not one pause after another: a virtual machine takes that for a reason to stop the processor
            for (int n = 0; n < kBreath; ++n) asm volatile("");
        }
    } while (Clock::now() < end);
}

WorkerPool::~WorkerPool()
{
    for (std::jthread& worker : workers_) worker.request_stop();
}

void WorkerPool::grow(int workers) noexcept
{
    try {
        while (static_cast<int>(shares_.size()) <= workers) shares_.emplace_back();
        while (static_cast<int>(workers_.size()) < workers)
            workers_.emplace_back(
                [this, number = static_cast<int>(workers_.size())](const std::stop_token& stop) {
                    wait_for_work(stop, number);
                });
    } catch (const std::exception&) {  // no more threads, or no memory for them: we do with less
    }
}

void WorkerPool::work(Call call, void* task, int count, int sharers, int self) noexcept
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

void WorkerPool::wait_for_work(const std::stop_token& stop, int number) noexcept
{
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
        lock.unlock();
        watch_for([&] { return job_.load(std::memory_order_acquire) != seen; });
        lock.lock();
        if (!begun_.wait(lock, stop, [&] { return job_ != seen && number < welcome_; })) return;
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

void WorkerPool::run(int threads, int count, Call call, void* task) noexcept
{
    if (threads == 0) threads = processors_;
    const int wanted = std::min(threads, count);
    if (wanted > 1) grow(wanted - 1);
    // where the system refused memory, fewer
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
    // a worker that has not woken up by now is not waited for
    std::unique_lock lock(mutex_);
    welcome_ = 0;
    if (inside_ > 0) {
        lock.unlock();
        watch_for([&] { return inside_now_.load(std::memory_order_acquire) == 0; });
        lock.lock();
    }
    left_.wait(lock, [&] { return inside_ == 0; });
}

}  // namespace taut::core

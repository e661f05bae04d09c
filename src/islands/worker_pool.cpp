#include "islands/worker_pool.h"

#include <algorithm>
#include <system_error>

namespace taut {

WorkerPool::~WorkerPool()
{
    for (std::jthread& worker : workers_) worker.request_stop();
}

void WorkerPool::grow(int workers) noexcept
{
    try {
        while (static_cast<int>(workers_.size()) < workers)
            workers_.emplace_back(
                [this, number = static_cast<int>(workers_.size())](const std::stop_token& stop) {
                    wait_for_work(stop, number);
                });
    } catch (const std::exception&) {  // no more threads, or no memory for them: we do with less
    }
}

void WorkerPool::work(Call call, void* task, int count) noexcept
{
    for (;;) {
        const int k = next_.fetch_add(1, std::memory_order_relaxed);
        if (k >= count) return;
        call(task, k);
    }
}

void WorkerPool::wait_for_work(const std::stop_token& stop, int number) noexcept
{
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
        if (!begun_.wait(lock, stop, [&] { return job_ != seen && number < welcome_; })) return;
        seen = job_;
        ++inside_;
        const Call call = call_;
        void* const task = task_;
        const int count = count_;
        lock.unlock();
        work(call, task, count);
        lock.lock();
        if (--inside_ == 0) left_.notify_one();
    }
}

void WorkerPool::run(int threads, int count, Call call, void* task) noexcept
{
    if (threads == 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const int helpers = std::min(threads, count) - 1;
    if (helpers <= 0) {
        for (int k = 0; k < count; ++k) call(task, k);
        return;
    }
    grow(helpers);
    {
        const std::lock_guard lock(mutex_);
        call_ = call;
        task_ = task;
        count_ = count;
        welcome_ = helpers;
        ++job_;
        next_.store(0, std::memory_order_relaxed);
    }
    begun_.notify_all();
    work(call, task, count);
    // a worker that has not woken up by now is not waited for
    std::unique_lock lock(mutex_);
    welcome_ = 0;
    left_.wait(lock, [&] { return inside_ == 0; });
}

}  // namespace taut

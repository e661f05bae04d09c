#include "study/run_cells.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace taut::study {

namespace {

class CellPool {
public:
    explicit CellPool(const CellsJob& job) : job_(job), shares_(job.cells) {}

    Result<bool> run();

private:
    void work();
    void run_one(std::size_t cell);
    double share() const;

    const CellsJob& job_;
    std::vector<std::atomic<double>> shares_;  // completed fraction of each cell
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> stop_ = false;

    std::mutex mutex_;  // guards what follows, and calls of job_.done
    std::condition_variable changed_;
    std::size_t finished_ = 0;
    int working_ = 0;
    std::optional<Error> error_;
};

void CellPool::run_one(std::size_t cell)
{
    CellHooks hooks;
    hooks.progress = [&](std::uint64_t done, std::uint64_t planned) {
        shares_[cell].store(static_cast<double>(done) / static_cast<double>(planned),
                            std::memory_order_relaxed);
        return !stop_.load(std::memory_order_relaxed);
    };
    const auto result = run_cell(job_.request(cell), hooks);

    const std::lock_guard lock(mutex_);
    if (error_ || (result.ok() && result->status == RunStatus::Interrupted)) return;
    const Status taken = result.ok() ? job_.done(cell, *result) : Status(result.error());
    if (!taken.ok()) {
        error_ = taken.error();
        stop_ = true;
        return;
    }
    shares_[cell] = 1;
    ++finished_;
}

void CellPool::work()
{
    while (!stop_) {
        const std::size_t cell = next_++;
        if (cell >= job_.cells) break;
        run_one(cell);
    }
    const std::lock_guard lock(mutex_);
    --working_;
    changed_.notify_all();
}

double CellPool::share() const
{
    double sum = 0;
    for (const auto& share : shares_) sum += share.load(std::memory_order_relaxed);
    return shares_.empty() ? 1 : sum / static_cast<double>(shares_.size());
}

Result<bool> CellPool::run()
{
    using namespace std::chrono_literals;
    const auto most = static_cast<int>(std::min<std::size_t>(job_.cells, 1024));
    working_ = std::clamp(job_.threads, 1, std::max(1, most));
    std::vector<std::thread> threads;
    for (int i = 0, count = working_; i < count; ++i) threads.emplace_back([this] { work(); });
    {
        std::unique_lock lock(mutex_);
        while (!changed_.wait_for(lock, 100ms, [this] { return working_ == 0; })) {
            lock.unlock();
            if (job_.progress && !job_.progress(share())) stop_ = true;
            lock.lock();
        }
    }
    for (std::thread& thread : threads) thread.join();
    if (error_) return *error_;
    return finished_ == job_.cells;
}

}  // namespace

Result<bool> run_cells(const CellsJob& job) { return CellPool(job).run(); }

}  // namespace taut::study

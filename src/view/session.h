// A player with a clock: steps in its own thread on schedule and publishes the results.
//
// Short delays are caught up; otherwise the simulation slows down, which is part of the status. Clients cannot delay a
// step.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "view/player.h"
#include "view/publisher.h"

namespace taut::view {

// Statistics of a session.
struct SessionFigures {
    LatenessFigures lateness;      // over all steps
    std::uint64_t frames = 0;      // published frames
    Real simulated = 0, wall = 0;  // [s]; wall: while it was playing
    std::uint64_t slips = 0;  // number of times the schedule was reset because steps took too long
};

class Session {
public:
    Session(std::unique_ptr<Player> player, Publisher& publisher);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    void start();
    void stop();  // waits for the current step

    // Thread-safe. Invalid commands are refused through the publisher.
    void submit(ClientId client, const std::string& name, Command command);
    // Called when a client disconnects; releases its mouse spring.
    void leave(ClientId client);

    // Valid after stop().
    const Player& player() const noexcept { return *player_; }
    const SessionFigures& figures() const noexcept { return figures_; }

private:
    using Clock = std::chrono::steady_clock;
    struct Request {
        ClientId client;
        std::string name;
        std::optional<Command> command;  // none: the client has disconnected
    };

    void run();
    void handle(const Request& request);
    // Catches exceptions (out of memory), so that only the command fails.
    template <class Work>
    void attempt(const Request* request, Work&& work);
    Real period() const;  // wall-clock time per step [s]
    void step(Real now);
    void publish_changes(Real now);
    Real next_deadline() const;
    Real now() const;

    std::unique_ptr<Player> player_;
    Publisher& publisher_;
    SessionFigures figures_;
    Lateness lateness_;
    Clock::time_point origin_;

    // schedule, in seconds since the origin
    Real due_ = 0;              // time of the next step
    Real next_frame_ = 0;       // earliest time of the next frame
    Real next_status_ = 0;      // latest time of the next status
    Real next_file_check_ = 0;  // time of the next check of the scene files
    bool played_ = false;       // in the last iteration of the loop
    Real last_round_ = 0;
    bool frame_due_ = true, status_due_ = true;
    std::uint32_t published_revision_ = 0;
    Real pace_ = 0, pace_since_ = 0, pace_time_ = 0;
    std::optional<ClientId> holder_;  // client that holds the mouse spring

    std::mutex mutex_;  // guards the following members
    std::condition_variable wake_;
    std::deque<Request> inbox_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace taut::view

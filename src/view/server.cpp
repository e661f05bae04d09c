#include "view/server.h"

#include <fcntl.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <nlohmann/json.hpp>

namespace taut::view {

namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;
using Failure = beast::error_code;
using Seconds = std::chrono::seconds;

constexpr std::size_t kMostClients = 16;       // WebSockets
constexpr std::size_t kMostConnections = 64;   // including connections whose request is incomplete
constexpr std::size_t kMostHeader = 8 * 1024;  // bytes of a request
constexpr std::size_t kMostMessage = 64 * 1024;  // bytes of a command
constexpr std::size_t kMostReplies = 32;         // queued refusals per client
constexpr int kSendBuffer = 32 * 1024;  // bytes; a larger buffer would increase the latency
// Flow control: sent data may wait in system buffers, so a ping is sent every few frames, and no further frame while two
// pings are unanswered.
constexpr const char* kPingPayload = "taut";
constexpr int kFramesPerPing = 6, kMostPings = 2;
constexpr Seconds kRequestTime{5}, kIdleTime{30};

std::string make_token()
{
    std::random_device random;  // entropy source of the system
    std::string token;
    for (int i = 0; i < 4; ++i) {
        char word[9];
        std::snprintf(word, sizeof word, "%08x", random());
        token += word;
    }
    return token;
}

// Prevents that a started browser inherits the socket and keeps the port open.
void close_on_exec(int socket) { fcntl(socket, F_SETFD, FD_CLOEXEC); }

// Comparison in constant time.
bool same_secret(std::string_view a, std::string_view b)
{
    if (a.size() != b.size()) return false;
    unsigned differs = 0;
    for (std::size_t i = 0; i < a.size(); ++i) differs |= static_cast<unsigned char>(a[i] ^ b[i]);
    return differs == 0;
}

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

struct RequestTarget {
    std::string_view path, token;
};

RequestTarget split(std::string_view target)
{
    const auto mark = target.find('?');
    RequestTarget out{target.substr(0, mark), {}};
    std::string_view query = mark == std::string_view::npos ? "" : target.substr(mark + 1);
    while (!query.empty()) {
        const auto end = query.find('&');
        const std::string_view pair = query.substr(0, end);
        if (pair.starts_with("token=")) out.token = pair.substr(6);
        query = end == std::string_view::npos ? "" : query.substr(end + 1);
    }
    return out;
}

// The latest scene, status and frame, each with a counter from which a client knows what it has received.
struct LatestUpdate {
    Update update;
    std::uint64_t scene = 0, status = 0, frame = 0;
};

using Request = http::request<http::empty_body>;

}  // namespace

// --- state shared by all connections; used by the server thread unless stated otherwise ---

struct Server::Impl {
    class Client;
    class Connection;

    std::span<const PageAsset> assets;
    std::string token = make_token();
    std::uint16_t port = 0;
    Listener listener;
    std::thread thread;
    ServerFigures figures;
    std::map<ClientId, Client*> clients;
    ClientId last_client = 0;
    std::size_t connections = 0;

    std::mutex mutex;  // guards `latest`, which the session writes
    LatestUpdate latest;
    std::atomic<bool> woken{false};

    // last member, so that connections are destroyed first
    net::io_context io{1};
    tcp::acceptor acceptor{io};
    net::steady_timer accept_retry{io};

    LatestUpdate read_latest()
    {
        const std::lock_guard lock(mutex);
        return latest;
    }
    bool own_host(std::string_view host) const
    {
        const std::string suffix = ":" + std::to_string(port);
        if (port == 80 && (host == "127.0.0.1" || host == "localhost")) return true;
        return host == "127.0.0.1" + suffix || host == "localhost" + suffix;
    }
    bool knows(std::string_view secret) const { return same_secret(secret, token); }
    void accept();
    void wake();
    void run();
};

// --- one WebSocket ---

class Server::Impl::Client : public std::enable_shared_from_this<Client> {
public:
    Client(Impl& server, beast::tcp_stream stream)
        : server_(server), id_(++server.last_client), socket_(std::move(stream))
    {
        ++server_.connections;
        server_.clients[id_] = this;
        ++server_.figures.clients;
    }
    ~Client()
    {
        --server_.connections;
        server_.clients.erase(id_);
        try {
            if (server_.listener.on_leave) server_.listener.on_leave(id_);
        } catch (const std::exception& error) {  // out of memory
            std::fprintf(stderr, "viewer: %s\n", error.what());
        }
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    void begin(const Request& request)
    {
        websocket::stream_base::timeout timeout{};
        timeout.handshake_timeout = kRequestTime;
        timeout.idle_timeout = kIdleTime;
        timeout.keep_alive_pings = true;
        socket_.set_option(timeout);
        socket_.read_message_max(kMostMessage);
        socket_.auto_fragment(false);
        Failure ignored;
        auto& tcp_socket = beast::get_lowest_layer(socket_).socket();
        tcp_socket.set_option(net::socket_base::send_buffer_size(kSendBuffer), ignored);
        tcp_socket.set_option(tcp::no_delay(true), ignored);
        socket_.control_callback([this](websocket::frame_type kind, beast::string_view text) {
            if (kind != websocket::frame_type::pong || text != kPingPayload) return;
            pings_ = 0;
            write();
        });
        socket_.async_accept(request, [self = shared_from_this()](Failure failure) {
            if (failure) return;
            self->open_ = true;
            if (self->server_.listener.on_join) self->server_.listener.on_join(self->id_);
            self->read();
            self->write();
        });
    }

    void reply(std::string text)
    {
        if (replies_.size() >= kMostReplies) replies_.pop_front();
        replies_.push_back(std::make_shared<const std::string>(std::move(text)));
        write();
    }

    void refuse(const std::string& command, const std::string& reason)
    {
        constexpr std::size_t kMostEchoed = 2000;  // limits the echo of text that the client sent
        const nlohmann::ordered_json json = {{"type", "refused"},
                                             {"command", command.substr(0, kMostEchoed)},
                                             {"reason", reason.substr(0, kMostEchoed)}};
        reply(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    }

    // Sends the next item that the client has not received, if it is ready.
    void write()
    {
        if (!open_ || writing_ || closing_) return;
        const LatestUpdate newest = server_.read_latest();
        if (!replies_.empty()) {
            send(replies_.front());
            replies_.pop_front();
        } else if (newest.scene != seen_.scene) {
            seen_.scene = newest.scene;
            send(newest.update.scene);
        } else if (newest.status != seen_.status) {
            seen_.status = newest.status;
            send(newest.update.status);
        } else if (newest.frame != seen_.frame && pings_ < kMostPings) {
            seen_.frame = newest.frame;
            ++server_.figures.frames_sent;
            if (++frames_ % kFramesPerPing == 0) ping_due_ = true;
            send(newest.update.frame);
        }
    }

    void drop()
    {
        Failure ignored;
        beast::get_lowest_layer(socket_).socket().close(ignored);
    }

private:
    void send(const Text& text)
    {
        socket_.text(true);
        send(net::buffer(*text), text);
    }
    void send(const Bytes& bytes)
    {
        socket_.binary(true);
        send(net::buffer(*bytes), bytes);
    }
    void send(net::const_buffer buffer, std::shared_ptr<const void> keep)
    {
        writing_ = true;
        socket_.async_write(buffer, [self = shared_from_this(), keep = std::move(keep)](
                                        Failure failure, std::size_t) {
            self->writing_ = false;
            if (failure) return;
            if (self->ping_due_) return self->ping();
            self->write();
        });
    }
    void ping()
    {
        ping_due_ = false;
        writing_ = true;
        ++pings_;
        socket_.async_ping(kPingPayload, [self = shared_from_this()](Failure failure) {
            self->writing_ = false;
            if (!failure) self->write();
        });
    }

    void read()
    {
        socket_.async_read(buffer_, [self = shared_from_this()](Failure failure, std::size_t) {
            if (failure == websocket::error::message_too_big) ++self->server_.figures.closed_by_us;
            if (failure) return self->drop();
            if (self->take()) self->read();
        });
    }

    // Handles one message; returns false to close the connection.
    bool take()
    {
        const auto data = buffer_.data();
        const ParsedCommand parsed =
            socket_.got_text() ? parse_command({static_cast<const char*>(data.data()), data.size()})
                               : ParsedCommand{std::nullopt, true, "", "commands are text"};
        buffer_.consume(buffer_.size());
        if (parsed.malformed) return close(parsed.reason);
        if (parsed.command)
            server_.listener.on_command(id_, parsed.name, *parsed.command);
        else
            refuse(parsed.name, parsed.reason);
        return true;
    }

    bool close(const std::string& reason)
    {
        closing_ = true;
        ++server_.figures.closed_by_us;
        socket_.async_close({websocket::close_code::policy_error, reason},
                            [self = shared_from_this()](Failure) { self->drop(); });
        return false;
    }

    Impl& server_;
    ClientId id_;
    websocket::stream<beast::tcp_stream> socket_;
    beast::flat_buffer buffer_;
    std::deque<Text> replies_;
    LatestUpdate seen_;
    bool open_ = false, writing_ = false, closing_ = false;
    int frames_ = 0, pings_ = 0;  // unanswered pings
    bool ping_due_ = false;
};

// --- one request, which may become a WebSocket ---

class Server::Impl::Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(Impl& server, tcp::socket socket) : server_(server), stream_(std::move(socket))
    {
        ++server_.connections;
    }
    ~Connection() { --server_.connections; }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void begin()
    {
        parser_.header_limit(kMostHeader);
        parser_.body_limit(0);
        stream_.expires_after(kRequestTime);
        http::async_read(stream_, buffer_, parser_,
                         [self = shared_from_this()](Failure failure, std::size_t) {
                             if (!failure) self->answer();
                         });
    }

private:
    void answer()
    {
        const Request& request = parser_.get();
        const RequestTarget target = split(view(request.target()));
        const std::string_view host = view(request[http::field::host]);
        // a foreign host name in the request is a DNS rebinding attack
        if (!server_.own_host(host))
            return refuse(http::status::forbidden,
                          "This is the local viewer of Taut; the "
                          "address must be the one that 'taut view' printed.\n");
        if (request.method() != http::verb::get)
            return refuse(http::status::method_not_allowed, "Only GET is supported.\n");
        if (websocket::is_upgrade(request)) return upgrade(request, target, host);
        if (!target.path.starts_with('/'))
            return refuse(http::status::bad_request, "Invalid path.\n");
        const std::string_view name = target.path == "/" ? "index.html" : target.path.substr(1);
        if (name == "index.html" && !server_.knows(target.token))
            return refuse(http::status::forbidden,
                          "The address does not contain the token of this run; use the address "
                          "that 'taut view' "
                          "printed.\n");
        for (const PageAsset& asset : server_.assets)
            if (asset.name == name) return respond(http::status::ok, asset.type, asset.content);
        refuse(http::status::not_found, "File not found.\n");
    }

    void upgrade(const Request& request, const RequestTarget& target, std::string_view host)
    {
        const std::string_view origin = view(request[http::field::origin]);
        if (target.path != "/stream")
            return refuse(http::status::not_found, "The stream is at /stream.\n");
        if (!server_.knows(target.token))
            return refuse(http::status::forbidden, "Invalid token.\n");
        if (!origin.empty() && origin != "http://" + std::string(host))
            return refuse(http::status::forbidden,
                          "Requests from other origins are not allowed.\n");
        if (server_.clients.size() >= kMostClients)
            return refuse(http::status::service_unavailable, "Too many clients.\n");
        stream_.expires_never();
        std::make_shared<Client>(server_, std::move(stream_))->begin(request);
    }

    void refuse(http::status status, const std::string& words)
    {
        ++server_.figures.refused;
        words_ = words;
        respond(status, "text/plain; charset=utf-8", words_);
    }

    void respond(http::status status, std::string_view type, std::string_view content)
    {
        const std::string here = "127.0.0.1:" + std::to_string(server_.port);
        const std::string there = "localhost:" + std::to_string(server_.port);
        response_.result(status);
        response_.version(parser_.get().version());
        response_.set(http::field::content_type, beast::string_view(type.data(), type.size()));
        response_.set(http::field::cache_control, "no-store");
        response_.set("X-Content-Type-Options", "nosniff");
        response_.set("X-Frame-Options", "DENY");
        response_.set("Referrer-Policy", "no-referrer");
        response_.set("Cross-Origin-Resource-Policy", "same-origin");
        response_.set(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
            "img-src 'self' data: blob:; media-src blob:; font-src data:; worker-src blob:; "
            "connect-src 'self' ws://" +
                here + " ws://" + there + "; frame-ancestors 'none'; base-uri 'none'");
        response_.keep_alive(false);
        response_.content_length(content.size());
        response_.body() = {content.data(), content.size()};
        stream_.expires_after(kRequestTime);
        http::async_write(stream_, response_, [self = shared_from_this()](Failure, std::size_t) {
            Failure ignored;
            self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
        });
    }

    Impl& server_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_{kMostHeader};
    http::request_parser<http::empty_body> parser_;
    http::response<http::span_body<const char>> response_;
    std::string words_;
};

// --- the server ---

void Server::Impl::accept()
{
    acceptor.async_accept([this](Failure failure, tcp::socket socket) {
        if (failure == net::error::operation_aborted) return;
        if (failure) {
            // such as out of file descriptors: retry after a delay
            accept_retry.expires_after(std::chrono::milliseconds(100));
            accept_retry.async_wait([this](Failure aborted) {
                if (!aborted) accept();
            });
            return;
        }
        accept();  // first, because the following code may throw
        close_on_exec(socket.native_handle());
        if (connections < kMostConnections)
            std::make_shared<Connection>(*this, std::move(socket))->begin();
        else
            ++figures.refused;
    });
}

void Server::Impl::wake()
{
    woken = false;
    for (const auto& [id, client] : clients) client->write();
}

void Server::Impl::run()
{
    // an exception in a handler (out of memory) closes its connection only
    while (!io.stopped()) try {
            io.run();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "viewer: %s\n", error.what());
        }
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() { stop(); }

Result<std::unique_ptr<Server>> Server::open(std::uint16_t port, std::span<const PageAsset> assets)
{
    auto impl = std::make_unique<Impl>();
    const tcp::endpoint here(net::ip::address_v4::loopback(), port);
    Failure failure;
    const auto ok = [&](auto&&) { return !failure; };
    (void)(ok(impl->acceptor.open(here.protocol(), failure)) &&
           ok(impl->acceptor.set_option(net::socket_base::reuse_address(true), failure)) &&
           ok(impl->acceptor.bind(here, failure)) &&
           ok(impl->acceptor.listen(net::socket_base::max_listen_connections, failure)));
    if (failure)
        return Error{"port " + std::to_string(port) + " of this machine: " + failure.message()};
    close_on_exec(impl->acceptor.native_handle());
    impl->port = impl->acceptor.local_endpoint().port();
    impl->assets = assets;
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::uint16_t Server::port() const noexcept { return impl_->port; }
const std::string& Server::token() const noexcept { return impl_->token; }
ServerFigures Server::figures() const noexcept { return impl_->figures; }

std::string Server::address() const
{
    return "http://127.0.0.1:" + std::to_string(impl_->port) + "/?token=" + impl_->token;
}

void Server::start(Listener listener)
{
    impl_->listener = std::move(listener);
    impl_->accept();
    impl_->thread = std::thread([this] { impl_->run(); });
}

void Server::stop()
{
    if (!impl_->thread.joinable()) return;
    net::post(impl_->io, [this] {
        Failure ignored;
        impl_->acceptor.close(ignored);
        impl_->accept_retry.cancel();
        impl_->io.stop();
    });
    impl_->thread.join();
    impl_->listener = {};
}

void Server::publish(Update update)
{
    {
        const std::lock_guard lock(impl_->mutex);
        LatestUpdate& latest = impl_->latest;
        if (update.scene) latest.update.scene = std::move(update.scene), ++latest.scene;
        if (update.status) latest.update.status = std::move(update.status), ++latest.status;
        if (update.frame) latest.update.frame = std::move(update.frame), ++latest.frame;
    }
    if (!impl_->woken.exchange(true)) net::post(impl_->io, [this] { impl_->wake(); });
}

void Server::refuse(ClientId client, const std::string& command, const std::string& reason)
{
    net::post(impl_->io, [this, client, command, reason] {
        const auto found = impl_->clients.find(client);
        if (found != impl_->clients.end()) found->second->refuse(command, reason);
    });
}

}  // namespace taut::view

#include "world/snapshot.h"

#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/text.h"

namespace taut::world {
namespace {

constexpr char kMagic[16] = "taut snapshot 5";

// FNV-1a over 64 bits with a final avalanche: fast enough, and any flipped bit shows.
class Hash {
public:
    void add(std::span<const std::byte> bytes) noexcept
    {
        for (const std::byte b : bytes)
            state_ = (state_ ^ static_cast<std::uint64_t>(b)) * 0x100000001b3ULL;
    }
    template <class T>
    void add_value(const T& value) noexcept
    {
        static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
        add(std::as_bytes(std::span(&value, 1)));
    }
    template <class Matrix>
    void add_numbers(const Matrix& matrix) noexcept
    {
        for (Eigen::Index k = 0; k < matrix.size(); ++k) add_value(matrix.data()[k]);
    }
    // Frames and parameters of a constraint, whatever its type.
    template <class T>
    void add_geometry(const T& item) noexcept
    {
        for (const BodyFrame& frame : item.frames) {
            add_numbers(frame.p);
            add_numbers(frame.R);
        }
        for (const auto& field : T::fields()) add_value(item.*(field.member));
    }
    std::uint64_t value() const noexcept
    {
        std::uint64_t x = state_;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        return x ^ (x >> 31);
    }

private:
    std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

// Every number of a state, in one fixed order: the only place that lists them.
template <class AnyState, class Visit>
void for_each_number(const Model& model, AnyState& state, Visit&& visit)
{
    visit(state.time);
    for (std::size_t b = 0; b < state.p.size(); ++b) {
        for (int k = 0; k < 3; ++k) visit(state.p[b][k]);
        for (int k = 0; k < 4; ++k) visit(state.q[b].coeffs()[k]);
        for (int k = 0; k < 3; ++k) visit(state.v[b][k]);
        for (int k = 0; k < 3; ++k) visit(state.w[b][k]);
        for (int k = 0; k < 3; ++k) visit(state.spin_up[b][k]);
        for (int k = 0; k < 3; ++k) visit(state.wrench[b].force[k]);
        for (int k = 0; k < 3; ++k) visit(state.wrench[b].torque[k]);
    }
    for (int r = 0; r < model.rows.count; ++r) visit(state.lambda[r]);
    for (int r = 0; r < model.rows.count; ++r) visit(state.stretch[r]);
    for (auto& x : state.memory) visit(x);
    for (auto& x : state.broken) visit(x);
    visit(state.last_step.work.motors);
    visit(state.last_step.work.prescribed);
    visit(state.last_step.work.loads);
    visit(state.last_step.power.motors);
    visit(state.last_step.power.prescribed);
    visit(state.last_step.turnover);
    visit(state.last_step.h);
    visit(state.last_step.time);
    visit(state.last_step.ledger);
    visit(state.last_step.ledger_open);
    visit(state.last_step.apart);
    visit(state.last_step.jammed);
    for (std::size_t b = 0; b < state.history.p.size(); ++b) {
        for (int k = 0; k < 3; ++k) visit(state.history.p[b][k]);
        for (int k = 0; k < 4; ++k) visit(state.history.q[b].coeffs()[k]);
        for (int k = 0; k < 3; ++k) visit(state.history.v[b][k]);
        for (int k = 0; k < 3; ++k) visit(state.history.w[b][k]);
    }
}

// Writes values one after another into a buffer that is large enough.
class Writer {
public:
    explicit Writer(std::size_t size) : bytes_(size) {}

    template <class T>
    void put(const T& value) noexcept
    {
        std::memcpy(bytes_.data() + at_, &value, sizeof value);
        at_ += sizeof value;
    }
    std::span<const std::byte> written() const noexcept { return {bytes_.data(), at_}; }
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
    std::size_t at_ = 0;
};

template <class T>
T get(std::span<const std::byte> image, std::size_t at) noexcept
{
    T value;
    std::memcpy(&value, image.data() + at, sizeof value);
    return value;
}

std::size_t count_numbers(const Model& model, const State& state)
{
    std::size_t n = 0;
    for_each_number(model, state, [&](const Real&) { ++n; });
    return n;
}

// Then come islands, if the world is divided: what each remembers, and which one each body is in.
template <class AnyMemory, class Visit>
void for_each_number(AnyMemory& m, Visit&& visit)
{
    for (auto* x : {&m.h, &m.time, &m.ledger, &m.ledger_open, &m.apart, &m.jammed, &m.turnover,
                    &m.work.motors, &m.work.prescribed, &m.work.loads, &m.power.motors,
                    &m.power.prescribed, &m.still, &m.asleep})
        visit(*x);
}

template <class Visit>
void for_each_number(const Division& division, Visit&& visit)
{
    for (const int island : division.island_of) visit(Real(island));
    for (const IslandMemory& memory : division.islands) for_each_number(memory, visit);
}

std::size_t count_division(std::size_t bodies, std::size_t islands)
{
    std::size_t n = 0;
    IslandMemory memory;
    for_each_number(memory, [&](const Real&) { ++n; });
    return islands == 0 ? 0 : bodies + n * islands;
}

// Contacts come after all else, as many as there are.
using ContactNumbers = std::array<Real, 13>;

ContactNumbers to_numbers(const ContactMemory& c)
{
    return {Real(c.collider_a),
            Real(c.collider_b),
            Real(c.feature >> 32),
            Real(c.feature & 0xffffffffu),
            c.p_b.x(),
            c.p_b.y(),
            c.p_b.z(),
            c.force.x(),
            c.force.y(),
            c.force.z(),
            c.torque.x(),
            c.torque.y(),
            c.torque.z()};
}

ContactMemory from_numbers(const ContactNumbers& x)
{
    const auto high = static_cast<std::uint64_t>(x[2]), low = static_cast<std::uint64_t>(x[3]);
    return {static_cast<int>(x[0]), static_cast<int>(x[1]), high << 32 | low,
            Vec3(x[4], x[5], x[6]), Vec3(x[7], x[8], x[9]), Vec3(x[10], x[11], x[12])};
}

constexpr std::size_t kHeader = sizeof kMagic + 4 * sizeof(std::uint64_t);

// In the order of the header.
enum Entry { kFingerprint, kNumbers, kIslands, kSteps };
std::uint64_t entry(std::span<const std::byte> image, Entry which) noexcept
{
    return get<std::uint64_t>(image, sizeof kMagic + which * sizeof(std::uint64_t));
}

}  // namespace

std::uint64_t hash_state(const Model& model, const State& state) noexcept
{
    Hash hash;
    hash.add_value(state.steps);
    for_each_number(model, state, [&](const Real& x) { hash.add_value(x); });
    for_each_number(state.division, [&](const Real& x) { hash.add_value(x); });
    for (const ContactMemory& c : state.contacts)
        for (const Real x : to_numbers(c)) hash.add_value(x);
    return hash.value();
}

std::uint64_t with_collider(std::uint64_t surfaces, BodyIndex body, const ColliderDef& def) noexcept
{
    Hash hash;
    hash.add_value(surfaces);
    hash.add_value(body);
    hash.add_value(static_cast<int>(def.shape));
    hash.add_numbers(def.pose.p);
    hash.add_numbers(def.pose.q.coeffs());
    for (const Real x : {def.radius, def.length, def.spacing, def.friction, def.static_friction,
                         def.rolling_friction, def.spinning_friction, def.restitution})
        hash.add_value(x);
    hash.add_numbers(def.size);
    hash.add_value(def.points.size());
    for (const Vec3& point : def.points) hash.add_numbers(point);
    for (const auto& triangle : def.triangles)
        for (const int corner : triangle) hash.add_value(corner);
    hash.add_value(def.columns);
    hash.add_value(def.rows);
    for (const Real height : def.heights) hash.add_value(height);
    hash.add_value(def.groups);
    hash.add_value(def.collides_with);
    return hash.value();
}

std::uint64_t fingerprint(const Model& model, std::uint64_t surfaces) noexcept
{
    Hash hash;
    hash.add_value(surfaces);
    hash.add_numbers(model.gravity);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyModel& body = model.bodies[b];
        const BodyDetails& details = model.body_details[b];
        hash.add_value(static_cast<int>(body.kind));
        hash.add_value(body.mass);
        hash.add_numbers(body.inertia);
        hash.add_numbers(body.com);
        hash.add_numbers(details.start.p);
        hash.add_numbers(details.start.q.coeffs());
    }
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
        const JointModel& joint = model.joints[j];
        const ConstraintRows& group = model.rows.groups[j];
        hash.add_value(group.type);
        for (const BodyIndex b : model.rows.bodies(group)) hash.add_value(b);
        for (const Real x : {joint.max_force, joint.break_force, joint.break_torque})
            hash.add_value(x);
        for (int r = group.first_row; r < group.first_row + group.rows; ++r) {
            hash.add_value(model.rows.softness[r].compliance);
            hash.add_value(model.rows.softness[r].damping_time);
        }
        visit_joint(model, group, [&](const auto& item) { hash.add_geometry(item); });
    }
    for (const SpringModel& spring : model.springs) {
        hash.add_value(static_cast<int>(spring.kind));
        for (const BodyIndex b : spring.bodies) hash.add_value(b);
        for (const Real x : {spring.stiffness, spring.damping, spring.rest}) hash.add_value(x);
    }
    for (const Rod& item : model.linear_springs.items) hash.add_geometry(item);
    for (const TwistAngle& item : model.torsional_springs.items) hash.add_geometry(item);
    return hash.value();
}

std::vector<std::byte> write_snapshot(const Model& model, std::uint64_t surfaces,
                                      const State& state)
{
    const std::uint64_t islands = state.division.islands.size();
    const std::uint64_t numbers = count_numbers(model, state) +
                                  count_division(model.bodies.size(), islands) +
                                  std::tuple_size_v<ContactNumbers> * state.contacts.size();
    Writer out(kHeader + sizeof(Real) * numbers + sizeof(std::uint64_t));
    out.put(kMagic);
    out.put(fingerprint(model, surfaces));
    out.put(numbers);
    out.put(islands);
    out.put(state.steps);
    for_each_number(model, state, [&](const Real& x) { out.put(x); });
    for_each_number(state.division, [&](const Real& x) { out.put(x); });
    for (const ContactMemory& c : state.contacts)
        for (const Real x : to_numbers(c)) out.put(x);
    Hash hash;
    hash.add(out.written());
    out.put(hash.value());
    return out.take();
}

Result<State> read_snapshot(const Model& model, std::uint64_t surfaces, const State& like,
                            std::span<const std::byte> image)
{
    State state = like;
    if (image.size() < kHeader || std::memcmp(image.data(), kMagic, sizeof kMagic) != 0)
        return Error{"snapshot: this is no image of a Taut world"};
    if (entry(image, kFingerprint) != fingerprint(model, surfaces))
        return Error{"snapshot: the image belongs to another mechanism"};
    constexpr std::size_t kPerContact = std::tuple_size_v<ContactNumbers>;
    const std::size_t bodies = model.bodies.size();
    const auto numbers = entry(image, kNumbers), islands = entry(image, kIslands);
    const bool divided = islands < bodies;  // the ground is in none
    const std::size_t lasting =
        count_numbers(model, state) + count_division(bodies, divided ? islands : 0);
    const bool fits = divided && numbers >= lasting && (numbers - lasting) % kPerContact == 0 &&
                      numbers <= image.size() / sizeof(Real);
    const std::size_t wanted =
        kHeader + sizeof(Real) * (fits ? numbers : lasting) + sizeof(std::uint64_t);
    if (!fits || image.size() != wanted)
        return Error{
            text("snapshot: ", image.size(), " bytes; an image of this world has ", wanted)};
    Hash hash;
    hash.add(image.first(wanted - sizeof(std::uint64_t)));
    if (get<std::uint64_t>(image, wanted - sizeof(std::uint64_t)) != hash.value())
        return Error{"snapshot: the image is damaged"};

    state.steps = entry(image, kSteps);
    std::size_t at = kHeader;
    const auto read = [&](Real& x) {
        x = get<Real>(image, at);
        at += sizeof(Real);
    };
    for_each_number(model, state, read);
    state.division.islands.assign(islands, {});
    state.division.island_of.resize(islands == 0 ? 0 : bodies);
    for (int& island : state.division.island_of) {
        Real number = 0;
        read(number);
        if (!(number >= -1 && number < static_cast<Real>(islands)))
            return Error{"snapshot: a body is in no island of the image"};
        island = static_cast<int>(number);
    }
    for (IslandMemory& memory : state.division.islands) for_each_number(memory, read);
    state.contacts.clear();
    while (state.contacts.size() < (numbers - lasting) / kPerContact) {
        ContactNumbers x;
        for (Real& number : x) read(number);
        state.contacts.push_back(from_numbers(x));
    }
    return state;
}

}  // namespace taut::world

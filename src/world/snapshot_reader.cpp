// Reads an image and checks all of it before use: sizes, then the mechanism, then every number.
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "collision/contact.h"
#include "core/text.h"
#include "model/apply_commands.h"
#include "world/byte_hash.h"
#include "world/snapshot.h"
#include "world/snapshot_layout.h"
#include "world/world_settings.h"

namespace taut::world {
namespace {

// --- messages ---

std::string describe_named(std::string_view kind, std::string_view name, int index)
{
    return name.empty() ? text(kind, " number ", index + 1) : text(kind, " '", name, "'");
}

std::string describe_memory(const Model& model, int index)
{
    for (int j = 0; j < model.rows.joints; ++j) {
        const ConstraintRows& rows = model.rows.groups[j];
        if (index >= rows.first_memory && index < rows.first_memory + rows.memories)
            return describe_named("joint", model.joints[j].name, j);
    }
    for (std::size_t k = 0; k < model.springs.size(); ++k) {
        const SpringModel& spring = model.springs[k];
        if (spring.kind == SpringDef::Kind::Torsional && spring.first_memory == index)
            return describe_named("spring", spring.name, static_cast<int>(k));
    }
    return text("angle number ", index + 1);
}

std::string describe(const Model& model, const Owner& owner)
{
    switch (owner.kind) {
        case Owner::World: return "world";
        case Owner::Body:
            return owner.index == kGround
                       ? "the ground"
                       : describe_named("body", model.body_details[owner.index].name,
                                        owner.index - 1);
        case Owner::Row:
            for (int j = 0; j < model.rows.joints; ++j) {
                const ConstraintRows& rows = model.rows.groups[j];
                if (owner.index < rows.first_row + rows.rows)
                    return text(describe_named("joint", model.joints[j].name, j), ", row ",
                                owner.index - rows.first_row + 1);
            }
            return text("row ", owner.index + 1);
        case Owner::Memory: return describe_memory(model, owner.index);
        case Owner::Joint:
            return describe_named("joint", model.joints[owner.index].name, owner.index);
        case Owner::Spring:
            return describe_named("spring", model.springs[owner.index].name, owner.index);
        case Owner::Island: return text("island number ", owner.index + 1);
        case Owner::Contact: return text("contact number ", owner.index + 1);
    }
    return {};
}

struct NumberBounds {
    Real lowest = 0, highest = 0;
};

bool is_allowed(Real x, const Quantity& quantity, const NumberBounds& bounds) noexcept
{
    switch (quantity.allowed) {
        case Allowed::Any: return std::abs(x) < quantity.largest;
        case Allowed::NotNegative: return x >= 0 && x < quantity.largest;
        case Allowed::Flag: return x == 0 || x == 1;
        case Allowed::Mode: return x == 0 || x == 1 || x == 2;
        case Allowed::Whole: return x >= bounds.lowest && x <= bounds.highest && x == std::floor(x);
    }
    return false;
}

std::string describe_allowed(const Quantity& quantity, const NumberBounds& bounds)
{
    switch (quantity.allowed) {
        case Allowed::Any: return text("finite numbers below ", quantity.largest, " in size");
        case Allowed::NotNegative: return text("numbers from 0 to below ", quantity.largest);
        case Allowed::Flag: return "0 and 1";
        case Allowed::Mode: return "0, 1 and 2";
        case Allowed::Whole:
            return text("whole numbers from ", bounds.lowest, " to ", bounds.highest);
    }
    return {};
}

// --- reading ---

// Takes numbers off an image of the right size, and keeps the first one that is not allowed.
class NumberReader {
public:
    NumberReader(const Model& model, std::span<const std::byte> bytes) noexcept
        : model_(model), bytes_(bytes)
    {}

    void read(Real& x, const Owner& owner, const Quantity& quantity,
              const NumberBounds& bounds = {})
    {
        std::memcpy(&x, bytes_.data() + at_, sizeof x);
        at_ += sizeof x;
        if (error_ || is_allowed(x, quantity, bounds)) return;
        error_ = Error{text("snapshot: ", describe(model_, owner), ": ", quantity.name, " is ", x,
                            "; allowed are ", describe_allowed(quantity, bounds))};
    }
    // The lowest number that is allowed where the image has one that is not: no cast is out of range.
    template <class Integer>
    Integer read_whole(const Owner& owner, std::string_view name, const NumberBounds& bounds)
    {
        Real x = 0;
        const Quantity quantity{name, Allowed::Whole};
        read(x, owner, quantity, bounds);
        return static_cast<Integer>(is_allowed(x, quantity, bounds) ? x : bounds.lowest);
    }
    Vec3 read_vector(const Owner& owner, const Quantity& quantity)
    {
        Vec3 v;
        for (int k = 0; k < 3; ++k) read(v[k], owner, quantity);
        return v;
    }
    const std::optional<Error>& error() const noexcept { return error_; }

private:
    const Model& model_;
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
    std::optional<Error> error_;
};

// Commands as the functions of World would accept them.
Status check_commands(const Model& model, const Commands& commands)
{
    const auto refused = [](const Status& status) {
        return Error{text("snapshot: ", status.error().message)};
    };
    for (int j = 0; j < model.rows.joints; ++j)
        if (Status ok = check_command(model, j, commands.joints[j]); !ok) return refused(ok);
    for (int k = 0; k < static_cast<int>(model.springs.size()); ++k)
        if (Status ok = check_command(model, k, commands.springs[k]); !ok) return refused(ok);
    for (const BodyIndex b : BodyRange(model.bodies.size())) {
        if (Status ok = check_command(model, b, commands.bodies[b]); !ok) return refused(ok);
        const int motion = model.body_details[b].motion_command;
        if (motion < 0) continue;
        if (Status ok = check_command(model, b, commands.motions[motion]); !ok) return refused(ok);
    }
    return Done{};
}

void read_division(NumberReader& in, const Model& model, std::size_t islands,
                   const Commands& commands, Division& division)
{
    const auto moves = [&](int b) {
        const BodyKind kind = model.bodies[b].kind;
        return (kind == BodyKind::Rigid || kind == BodyKind::Particle) &&
               commands.bodies[b].disabled == 0;
    };
    division.islands.assign(islands, {});
    division.island_of.assign(islands == 0 ? 0 : model.bodies.size(), -1);
    const NumberBounds any{-1, static_cast<Real>(islands) - 1}, none{-1, -1};
    for (int b = 0; b < static_cast<int>(division.island_of.size()); ++b)
        division.island_of[b] = in.read_whole<int>(Owner{Owner::Body, b}, "number of its island",
                                                   moves(b) ? any : none);
    for (int i = 0; i < static_cast<int>(islands); ++i)
        for_each_island_number(division.islands[i], i,
                               [&](Real& x, const Owner& owner, const Quantity& quantity) {
                                   in.read(x, owner, quantity);
                               });
}

void read_contacts(NumberReader& in, std::size_t count, std::size_t colliders, State& state)
{
    constexpr NumberBounds kHalfOfFeature{0, 4294967295.0};
    const NumberBounds any{0, static_cast<Real>(colliders) - 1};
    state.contacts.assign(count, {});
    for (std::size_t k = 0; k < state.contacts.size(); ++k) {
        ContactMemory& c = state.contacts[k];
        const Owner owner{Owner::Contact, static_cast<int>(k)};
        c.collider_a = in.read_whole<int>(owner, "first collider", any);
        c.collider_b = in.read_whole<int>(owner, "second collider", any);
        const auto high = in.read_whole<std::uint64_t>(owner, "feature", kHalfOfFeature);
        const auto low = in.read_whole<std::uint64_t>(owner, "feature", kHalfOfFeature);
        c.feature = high << 32 | low;
        c.p_b = in.read_vector(owner, {"point"});
        c.force = in.read_vector(owner, {"force"});
        c.torque = in.read_vector(owner, {"torque"});
        c.normal = in.read_vector(owner, {"normal"});
        in.read(c.gap, owner, {"gap"});
    }
}

// --- checks of what belongs together ---

Status check_unit(const Model& model, BodyIndex b, const Quat& q, std::string_view name)
{
    if (std::abs(q.norm() - 1) <= kWorldSettings.unit_length) return Done{};
    return Error{text("snapshot: ", describe(model, {Owner::Body, b}), ": ", name,
                      " is a quaternion of length ", q.norm(), "; allowed is 1 within ",
                      kWorldSettings.unit_length)};
}

Status check_together(const Model& model, const State& like, const State& state)
{
    if (!(std::abs(state.time) <= kWorldSettings.latest_time))
        return Error{text("snapshot: world: time is ", state.time, "; allowed is up to ",
                          kWorldSettings.latest_time, " s")};
    for (const BodyIndex b : BodyRange(model.bodies.size())) {
        TAUT_TRY(check_unit(model, b, state.q[b], "orientation"));
        TAUT_TRY(check_unit(model, b, state.history.q[b], "orientation before the last step"));
        if (model.bodies[b].kind != BodyKind::Fixed) continue;
        const bool still = state.p[b] == like.p[b] && state.q[b].coeffs() == like.q[b].coeffs() &&
                           state.v[b].isZero(0) && state.w[b].isZero(0);
        if (!still)
            return Error{text("snapshot: ", describe(model, {Owner::Body, b}),
                              " is fixed, and the image moves it; allowed is the pose it was "
                              "added with, at rest")};
    }
    for (int j = 0; j < model.rows.joints; ++j) {
        if (state.broken[j] != 0 && !model.joints[j].breakable())
            return Error{text("snapshot: ", describe(model, {Owner::Joint, j}),
                              ": flag 'broken' is 1; allowed is 0 for a joint without break_force "
                              "or break_torque")};
    }
    for (std::size_t k = 0; k < state.contacts.size(); ++k) {
        const ContactMemory& contact = state.contacts[k];
        if (contact.collider_a >= contact.collider_b)
            return Error{text("snapshot: ", describe(model, {Owner::Contact, static_cast<int>(k)}),
                              ": its colliders are ", contact.collider_a, " and ",
                              contact.collider_b, "; allowed are two, the lower one first")};
        if (k > 0 && collision::in_order(contact, state.contacts[k - 1]))
            return Error{text("snapshot: ", describe(model, {Owner::Contact, static_cast<int>(k)}),
                              " comes before the one that precedes it in the image; allowed is "
                              "the order of colliders, features and points")};
    }
    return Done{};
}

// --- the image as a whole ---

constexpr std::size_t kBeforeAspects = sizeof kSnapshotMagic + sizeof(SnapshotHeader);

// As far as it can be printed.
std::string format_of(std::span<const std::byte> image)
{
    std::string out;
    for (const std::byte byte : image.first(sizeof kSnapshotMagic)) {
        const auto c = std::to_integer<char>(byte);
        if (c < ' ' || c > '~') break;
        out += c;
    }
    return out;
}

Result<SnapshotHeader> read_header(std::span<const std::byte> image)
{
    constexpr std::size_t kVersion = std::string_view("taut snapshot ").size();
    if (image.size() < kBeforeAspects + sizeof(std::uint64_t) ||
        std::memcmp(image.data(), kSnapshotMagic, kVersion) != 0)
        return Error{"snapshot: this is no image of a Taut world"};
    if (std::memcmp(image.data(), kSnapshotMagic, sizeof kSnapshotMagic) != 0)
        return Error{text("snapshot: the image has format '", format_of(image),
                          "'; this build reads '", kSnapshotMagic, "'")};
    const std::size_t covered = image.size() - sizeof(std::uint64_t);
    std::uint64_t checksum = 0;
    std::memcpy(&checksum, image.data() + covered, sizeof checksum);
    ByteHash hash;
    hash.add(image.first(covered));
    if (checksum != hash.value()) return Error{"snapshot: the image is damaged or cut short"};

    SnapshotHeader header;
    std::memcpy(&header, image.data() + sizeof kSnapshotMagic, sizeof header);
    const auto refuse = [](std::string_view what, std::uint64_t found, std::uint64_t most) {
        return Error{
            text("snapshot: number of ", what, " is ", found, "; allowed are 0 to ", most)};
    };
    if (header.steps > kMostSteps) return refuse("steps", header.steps, kMostSteps);
    if (header.islands > kMostItems) return refuse("islands", header.islands, kMostItems);
    if (header.contacts > kMostItems) return refuse("contacts", header.contacts, kMostItems);
    for (std::size_t s = 0; s < header.items.size(); ++s)
        if (header.items[s] > kMostItems)
            return refuse(text("items of kind '", kFingerprintSections[s].item, "'"),
                          header.items[s], kMostItems);
    return header;
}

Status check_mechanism(const Model& model, const Fingerprint& here, const SnapshotHeader& header,
                       std::span<const std::byte> image)
{
    Fingerprint there;
    there.whole = header.fingerprint;
    there.counts = header.items;
    const std::uint64_t aspects = count_aspects(header);
    const auto words = static_cast<std::size_t>(aspects + aspects % 2);
    if (aspects >= image.size() || words > (image.size() - kBeforeAspects) / sizeof(std::uint32_t))
        return Error{"snapshot: the image is shorter than its counts say"};
    there.aspects.resize(words);
    std::memcpy(there.aspects.data(), image.data() + kBeforeAspects, words * sizeof(std::uint32_t));
    if (words > aspects) {
        if (there.aspects.back() != 0)
            return Error{"snapshot: the image has data where there should be none"};
        there.aspects.pop_back();
    }
    if (here == there) return Done{};
    return Error{
        text("snapshot: the image belongs to another mechanism: ", difference(model, here, there))};
}

}  // namespace

Result<Snapshot> read_snapshot(const Model& model, const std::vector<ColliderPrint>& colliders,
                               const State& like, std::span<const std::byte> image)
{
    const Result<SnapshotHeader> header = read_header(image);
    if (!header) return header.error();
    TAUT_TRY(check_mechanism(model, fingerprint(model, colliders), *header, image));
    const std::size_t bodies = model.bodies.size();
    if (header->islands >= bodies)  // the ground is in none
        return Error{text("snapshot: number of islands is ", header->islands, "; allowed are 0 to ",
                          bodies - 1)};
    if (header->contacts > 0 && colliders.empty())
        return Error{text("snapshot: number of contacts is ", header->contacts,
                          "; a world without colliders has none")};
    const std::uint64_t wanted = image_size(
        *header, count_command_numbers(model, like) + count_state_numbers(model, like), bodies);
    if (image.size() != wanted)
        return Error{
            text("snapshot: ", image.size(), " bytes; an image of this world has ", wanted)};

    Snapshot out{like, Vec3::Zero()};
    out.state.steps = header->steps;
    const auto aspects = static_cast<std::size_t>(count_aspects(*header));
    const std::span<const std::byte> numbers =
        image.subspan(kBeforeAspects + (aspects + 1) / 2 * 2 * sizeof(std::uint32_t));
    // Commands and the division first: bodies of frozen islands may have any finite numbers.
    NumberReader after(model,
                       numbers.subspan((3 + count_state_numbers(model, like)) * sizeof(Real)));
    for_each_command_number(model, out.state,
                            [&](Real& x, const Owner& owner, const Quantity& quantity) {
                                after.read(x, owner, quantity);
                            });
    if (after.error()) return *after.error();
    TAUT_TRY(check_commands(model, out.state.commands));
    read_division(after, model, static_cast<std::size_t>(header->islands), out.state.commands,
                  out.state.division);
    if (after.error()) return *after.error();

    NumberReader in(model, numbers);
    out.gravity = in.read_vector({}, {"gravity"});
    for_each_number(model, out.state, [&](Real& x, const Owner& owner, Quantity quantity) {
        if (owner.kind == Owner::Body && out.state.division.is_frozen(BodyIndex(owner.index)))
            quantity.largest = std::numeric_limits<Real>::infinity();
        in.read(x, owner, quantity);
    });
    if (in.error()) return *in.error();
    read_contacts(after, static_cast<std::size_t>(header->contacts), colliders.size(), out.state);
    if (after.error()) return *after.error();
    TAUT_TRY(check_together(model, like, out.state));
    return out;
}

}  // namespace taut::world

#include "world/snapshot.h"

#include <cstring>
#include <utility>

#include "world/byte_hash.h"
#include "world/snapshot_layout.h"
#include "world/state_numbers.h"

namespace taut::world {
namespace {

// Writes values one after another into a buffer that is large enough.
class SnapshotWriter {
public:
    explicit SnapshotWriter(std::size_t size) : bytes_(size) {}

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

}  // namespace

std::uint64_t hash_state(const Model& model, const State& state) noexcept
{
    ByteHash hash;
    const auto add = [&](const Real& x, const auto&...) { hash.add_value(x); };
    hash.add_value(state.steps);
    for_each_number(model, state, add);
    for (const int island : state.division.island_of) hash.add_value(Real(island));
    for (const IslandMemory& memory : state.division.islands)
        for_each_island_number(memory, 0, add);
    for (const ContactMemory& c : state.contacts) {
        const ContactNumbers numbers = to_numbers(c);
        for (std::size_t k = 0; k < kHashedContactNumbers; ++k) hash.add_value(numbers[k]);
    }
    // a state without commands has the hash that it would have if there were none
    std::uint64_t number = 0;
    for_each_command(model, state, [&](const auto& command, auto&& numbers) {
        ++number;
        if (!command.given()) return;
        hash.add_value(number);
        numbers(add);
    });
    return hash.value();
}

std::vector<std::byte> write_snapshot(const Model& model,
                                      const std::vector<ColliderPrint>& colliders,
                                      const State& state)
{
    const Fingerprint print = fingerprint(model, colliders);
    SnapshotHeader header;
    header.fingerprint = print.whole;
    header.steps = state.steps;
    header.islands = state.division.islands.size();
    header.contacts = state.contacts.size();
    header.items = print.counts;

    SnapshotWriter out(static_cast<std::size_t>(
        image_size(header, count_command_numbers(model, state) + count_state_numbers(model, state),
                   model.bodies.size())));
    const auto put = [&](const Real& x, const auto&...) { out.put(x); };
    out.put(kSnapshotMagic);
    out.put(header);
    for (const std::uint32_t aspect : print.aspects) out.put(aspect);
    if (print.aspects.size() % 2 != 0) out.put(std::uint32_t(0));
    for (int k = 0; k < 3; ++k) out.put(model.gravity[k]);
    for_each_number(model, state, put);
    for_each_command_number(model, state, put);
    if (header.islands > 0)
        for (const int island : state.division.island_of) out.put(Real(island));
    for (const IslandMemory& memory : state.division.islands)
        for_each_island_number(memory, 0, put);
    for (const ContactMemory& c : state.contacts) out.put(to_numbers(c));
    ByteHash hash;
    hash.add(out.written());
    out.put(hash.value());
    return out.take();
}

}  // namespace taut::world

// Which mechanism an image belongs to: hashes of all that a World is built from, by name.
//
// Every body, joint, spring, load and collider has one hash per aspect ("frames", "target" …). An aspect is a sum over its
// fields of hash(name of the field, value); types and enumerators count by their names. The order of fields, of
// enumerators and of the list of constraint types does not enter; the order in which items were added does, because a
// state is stored in that order. Gravity is no part of it: it can be set at any time, so an image carries it as state.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <taut/colliders.h>

#include "model/model.h"

namespace taut::world {

struct FingerprintSection {
    std::string_view item;  // what one item is called
    std::array<std::string_view, 6> aspects;
    int aspect_count;
};

// clang-format off
inline constexpr std::array<FingerprintSection, 5> kFingerprintSections = {{
    {"body",     {"name or kind", "mass, inertia or centre of mass", "start pose", "motion"}, 4},
    {"joint",    {"name or type", "bodies or frames", "parameters", "compliance or damping time",
                  "max_force or break force", "target"}, 6},
    {"spring",   {"name or kind", "bodies or frames", "stiffness, damping or rest length"}, 3},
    {"load",     {"name or body", "point, force or torque", "schedule"}, 3},
    {"collider", {"body or pose", "shape", "friction or restitution", "groups"}, 4},
}};
// clang-format on

struct ColliderPrint {
    std::array<std::uint64_t, 4> aspects{};  // without the body, whose index may change
    BodyIndex body;
};
ColliderPrint collider_print(BodyIndex body, const ColliderDef& def) noexcept;

std::uint64_t surface_print(const SurfacePair& surface) noexcept;

// The surfaces of pairs, as part of the print of the higher collider of each.
class PairPrints {
public:
    // 0: the pair has no surface of its own.
    void set(int a, int b, std::uint64_t surface);
    // Per collider its new index; −1: it is gone, and so are the surfaces of its pairs.
    void renumber(const std::vector<int>& now);
    // The prints of colliders with those of their pairs.
    std::vector<ColliderPrint> add_to(std::vector<ColliderPrint> colliders) const;

private:
    struct PairPrint {
        int a, b;  // a < b
        std::uint64_t surface;
    };
    std::vector<PairPrint> pairs_;
};

struct Fingerprint {
    std::uint64_t whole = 0;
    std::array<std::uint64_t, kFingerprintSections.size()> counts{};  // items per section
    // Section by section, item by item, aspect by aspect: the low half of each hash. It is there to say what differs.
    std::vector<std::uint32_t> aspects;

    bool operator==(const Fingerprint&) const = default;
};

Fingerprint fingerprint(const Model& model, const std::vector<ColliderPrint>& colliders);

// The first difference, in words: "joint 'motor': its target differs".
std::string difference(const Model& model, const Fingerprint& here, const Fingerprint& image);

}  // namespace taut::world

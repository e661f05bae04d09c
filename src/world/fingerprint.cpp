#include "world/fingerprint.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "core/text.h"
#include "model/apply_commands.h"

namespace taut::world {
namespace {

constexpr std::uint64_t scramble(std::uint64_t x) noexcept
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

// std::bit_cast is missing in some standard libraries of C++20.
std::uint64_t to_bits(Real number) noexcept
{
    std::uint64_t word = 0;
    static_assert(sizeof word == sizeof number);
    std::memcpy(&word, &number, sizeof word);
    return word;
}

constexpr std::uint64_t hash_text(std::string_view words) noexcept
{
    std::uint64_t x = 0xcbf29ce484222325ULL;
    for (const char c : words) x = (x ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return scramble(x);
}

// --- enumerators by name ---

constexpr std::string_view name_of(BodyKind kind) noexcept
{
    switch (kind) {
        case BodyKind::Rigid: return "rigid";
        case BodyKind::Particle: return "particle";
        case BodyKind::Fixed: return "fixed";
        case BodyKind::Kinematic: return "kinematic";
    }
    return {};
}

constexpr std::string_view name_of(Schedule::Kind kind) noexcept
{
    switch (kind) {
        case Schedule::Kind::Constant: return "constant";
        case Schedule::Kind::Linear: return "linear";
        case Schedule::Kind::Smooth: return "smooth";
        case Schedule::Kind::Steps: return "steps";
        case Schedule::Kind::Sine: return "sine";
    }
    return {};
}

// --- hashes by the names of fields ---

// The name of a field: hashed by the compiler where it is a literal.
struct FieldName {
    consteval FieldName(const char* literal) : hash(hash_text(literal)) {}
    constexpr explicit FieldName(std::string_view name) : hash(hash_text(name)) {}
    std::uint64_t hash;
};

// A sum over fields, so that their order does not matter.
class Aspect {
public:
    void add_words(FieldName name, std::span<const std::uint64_t> words) noexcept
    {
        std::uint64_t x = name.hash;
        for (const std::uint64_t word : words) x = scramble(x * 0x9e3779b97f4a7c15ULL + word);
        sum_ += scramble(x);
    }
    void add(FieldName name, std::uint64_t word) noexcept { add_words(name, {&word, 1}); }
    void add(FieldName name, int number) noexcept
    {
        add(name, static_cast<std::uint64_t>(static_cast<std::int64_t>(number)));
    }
    void add(FieldName name, Real number) noexcept { add(name, to_bits(number)); }
    void add(FieldName name, std::string_view words) noexcept { add(name, hash_text(words)); }
    template <class Derived>
    void add(FieldName name, const Eigen::MatrixBase<Derived>& matrix) noexcept
    {
        std::uint64_t x = name.hash;
        for (Eigen::Index c = 0; c < matrix.cols(); ++c)
            for (Eigen::Index r = 0; r < matrix.rows(); ++r)
                x = scramble(x * 0x9e3779b97f4a7c15ULL + to_bits(matrix(r, c)));
        sum_ += scramble(x);
    }
    // A list, whose order matters.
    template <class T>
    void add(FieldName name, const std::vector<T>& list) noexcept
    {
        Aspect own;
        std::uint64_t number = 0;
        for (const T& item : list) {
            Aspect one;
            one.add("number", number++);
            one.add("value", item);
            own.sum_ += one.value();
        }
        add(name, own.value());
    }
    void add(FieldName name, const Shape::Triangle& t) noexcept
    {
        add(name, Eigen::Vector3d(t[0], t[1], t[2]));
    }
    void add(FieldName name, const Schedule& s) noexcept
    {
        Aspect own;
        own.add("kind", name_of(s.kind()));
        own.add("mean", s.mean());
        own.add("amplitude", s.amplitude());
        own.add("frequency", s.frequency());
        own.add("phase", s.phase());
        std::uint64_t keys = s.keys().size();
        for (const Schedule::Key& key : s.keys())
            for (const Real x : {key.time, key.value})
                keys = scramble(keys * 0x9e3779b97f4a7c15ULL + to_bits(x));
        own.add("keys", keys);
        add(name, own.value());
    }
    // Frames of a constraint, whatever its type.
    template <class T>
    void add_frames(const T& item) noexcept
    {
        std::uint64_t number = 0;
        for (const auto& frame : item.frames) {
            Aspect own;
            own.add("number", number++);
            own.add("p", frame.p);
            own.add("R", frame.R);
            add("frame", own.value());
        }
    }
    void add_bodies(std::span<const BodyIndex> bodies) noexcept
    {
        std::uint64_t number = 0;
        for (const BodyIndex body : bodies) {
            Aspect own;
            own.add("number", number++);
            own.add("index", static_cast<std::uint64_t>(body));
            add("body", own.value());
        }
    }
    std::uint64_t value() const noexcept { return sum_; }

private:
    std::uint64_t sum_ = 0;
};

// --- items ---

// Appends items to a Fingerprint, section by section.
class Collector {
public:
    explicit Collector(Fingerprint& out) : out_(out) {}

    void begin_section(std::size_t section, std::size_t count)
    {
        out_.counts[section] = count;
        add(count);
    }
    template <std::size_t n>
    void add_item(const std::array<Aspect, n>& aspects)
    {
        for (const Aspect& aspect : aspects) add_aspect(aspect.value());
    }
    void add_aspect(std::uint64_t hash)
    {
        out_.aspects.push_back(static_cast<std::uint32_t>(hash));
        add(hash);
    }

private:
    void add(std::uint64_t word) noexcept
    {
        out_.whole = scramble(out_.whole * 0x9e3779b97f4a7c15ULL + word);
    }
    Fingerprint& out_;
};

std::array<Aspect, 4> print_body(const BodyModel& body, const BodyDetails& details) noexcept
{
    std::array<Aspect, 4> out;
    auto& [identity, inertia, start, motion] = out;
    identity.add("name", details.name);
    identity.add("kind", name_of(body.kind));
    inertia.add("mass", body.mass);
    inertia.add("inertia", body.inertia);
    inertia.add("centre_of_mass", body.com);
    start.add("p", details.start.p);
    start.add("q", details.start.q.coeffs());
    if (body.kind != BodyKind::Kinematic) return out;
    motion.add("x", details.motion.shift[0]);
    motion.add("y", details.motion.shift[1]);
    motion.add("z", details.motion.shift[2]);
    motion.add("axis", details.motion.axis);
    motion.add("angle", details.motion.angle);
    return out;
}

std::array<Aspect, 6> print_joint(const Model& model, int index) noexcept
{
    const JointModel& joint = model.joints[index];
    const ConstraintRows& rows = model.rows.groups[index];
    std::array<Aspect, 6> out;
    // no structured binding: a lambda cannot capture one with every compiler
    Aspect &identity = out[0], &frames = out[1], &parameters = out[2], &softness = out[3],
           &strength = out[4], &target = out[5];
    identity.add("name", joint.name);
    visit_joint(model, rows, [&](const auto& item) {
        using T = std::decay_t<decltype(item)>;
        identity.add("type", T::kName);
        frames.add_frames(item);
        T described = item;  // before any command
        set_parameters(joint.described.parameters, described);
        for (const auto& field : T::fields())
            parameters.add(FieldName(field.name), described.*(field.member));
    });
    if (joint.custom) {
        identity.add("custom", joint.custom->name());
        std::uint64_t number = 0;
        for (const Real parameter : joint.custom->parameters()) {
            Aspect own;
            own.add("number", number++);
            own.add("value", parameter);
            parameters.add("parameter", own.value());
        }
    }
    frames.add_bodies(model.rows.bodies(rows));
    for (int r = 0; r < rows.rows; ++r) {
        const RowSoftness& row = model.rows.softness[rows.first_row + r];
        Aspect own;
        own.add("row", r);
        own.add("compliance", row.compliance);
        own.add("damping_time", row.damping_time);
        softness.add("softness", own.value());
    }
    strength.add("max_force", joint.described.max_force);
    strength.add("break_force", joint.break_force);
    strength.add("break_torque", joint.break_torque);
    target.add("target", joint.target);
    return out;
}

std::array<Aspect, 3> print_spring(const Model& model, const SpringModel& spring) noexcept
{
    std::array<Aspect, 3> out;
    auto& [identity, frames, numbers] = out;
    const bool linear = spring.kind == SpringDef::Kind::Linear;
    identity.add("name", spring.name);
    identity.add("kind", std::string_view(linear ? "linear" : "torsional"));
    frames.add_bodies(spring.bodies);
    if (linear)
        frames.add_frames(model.linear_springs.items[spring.slot]);
    else
        frames.add_frames(model.torsional_springs.items[spring.slot]);
    numbers.add("stiffness", spring.described.stiffness);
    numbers.add("damping", spring.described.damping);
    numbers.add("rest", spring.described.rest);
    return out;
}

std::array<Aspect, 3> print_load(const LoadModel& load) noexcept
{
    std::array<Aspect, 3> out;
    auto& [identity, force, schedule] = out;
    identity.add("name", load.name);
    identity.add("body", load.body);
    force.add("point", load.point);
    force.add("force", load.force);
    force.add("torque", load.torque);
    const bool world = load.coordinates == Coordinates::World;
    force.add("coordinates", std::string_view(world ? "world" : "body"));
    schedule.add("scale", load.scale);
    return out;
}

std::string_view item_name(const Model& model, std::size_t section, std::size_t item)
{
    switch (section) {
        case 0: return model.body_details[item + 1].name;
        case 1: return model.joints[item].name;
        case 2: return model.springs[item].name;
        case 3: return model.loads[item].name;
        default: return {};
    }
}

}  // namespace

ColliderPrint collider_print(BodyIndex body, const ColliderDef& def) noexcept
{
    Aspect place, shape, surface, groups;
    place.add("p", def.pose.p);
    place.add("q", def.pose.q.coeffs());
    def.shape.visit([&](const auto& kind) {
        shape.add("kind", std::decay_t<decltype(kind)>::kName);
        visit_shape_fields(kind, [&](const auto& field) {
            shape.add(FieldName(field.name), kind.*(field.member));
        });
    });
    surface.add("friction", def.friction);
    surface.add("static_friction", def.static_friction.value_or(def.friction));
    surface.add("rolling_friction", def.rolling_friction);
    surface.add("spinning_friction", def.spinning_friction);
    surface.add("restitution", def.restitution);
    if (!def.surface_velocity.isZero(0)) surface.add("surface_velocity", def.surface_velocity);
    groups.add("groups", std::uint64_t(def.groups));
    groups.add("collides_with", std::uint64_t(def.collides_with));
    if (def.sensor) groups.add("sensor", 1);
    return {{place.value(), shape.value(), surface.value(), groups.value()}, body};
}

std::uint64_t surface_print(const SurfacePair& surface) noexcept
{
    Aspect out;
    out.add("friction", surface.friction);
    out.add("static_friction", surface.static_friction.value_or(surface.friction));
    out.add("rolling_friction", surface.rolling_friction);
    out.add("spinning_friction", surface.spinning_friction);
    out.add("restitution", surface.restitution);
    return out.value();
}

void PairPrints::set(int a, int b, std::uint64_t surface)
{
    if (a > b) std::swap(a, b);
    std::erase_if(pairs_, [&](const PairPrint& pair) { return pair.a == a && pair.b == b; });
    if (surface != 0) pairs_.push_back({a, b, surface});
}

void PairPrints::renumber(const std::vector<int>& now)
{
    std::erase_if(pairs_,
                  [&](const PairPrint& pair) { return now[pair.a] < 0 || now[pair.b] < 0; });
    for (PairPrint& pair : pairs_) pair.a = now[pair.a], pair.b = now[pair.b];
}

std::vector<ColliderPrint> PairPrints::add_to(std::vector<ColliderPrint> colliders) const
{
    for (const PairPrint& pair : pairs_) {
        Aspect part;
        part.add("with", pair.a);
        part.add("surface", pair.surface);
        colliders[static_cast<std::size_t>(pair.b)].aspects[2] += part.value();
    }
    return colliders;
}

Fingerprint fingerprint(const Model& model, const std::vector<ColliderPrint>& colliders)
{
    Fingerprint out;
    const std::size_t bodies = model.bodies.size() - 1;  // the ground is the same everywhere
    const auto joints = model.joints.size();
    out.aspects.reserve(4 * bodies + 6 * joints + 3 * (model.springs.size() + model.loads.size()) +
                        4 * colliders.size());
    Collector collect(out);
    collect.begin_section(0, bodies);
    for (std::size_t b = 1; b <= bodies; ++b)
        collect.add_item(print_body(model.bodies[b], model.body_details[b]));
    collect.begin_section(1, joints);
    for (std::size_t j = 0; j < joints; ++j)
        collect.add_item(print_joint(model, static_cast<int>(j)));
    collect.begin_section(2, model.springs.size());
    for (const SpringModel& spring : model.springs) collect.add_item(print_spring(model, spring));
    collect.begin_section(3, model.loads.size());
    for (const LoadModel& load : model.loads) collect.add_item(print_load(load));
    collect.begin_section(4, colliders.size());
    for (const ColliderPrint& print : colliders) {
        Aspect body;
        body.add("body", print.body);
        collect.add_aspect(print.aspects[0] + body.value());
        for (std::size_t a = 1; a < print.aspects.size(); ++a) collect.add_aspect(print.aspects[a]);
    }
    return out;
}

std::string difference(const Model& model, const Fingerprint& here, const Fingerprint& image)
{
    for (std::size_t s = 0; s < kFingerprintSections.size(); ++s)
        if (here.counts[s] != image.counts[s])
            return text("number of items of kind '", kFingerprintSections[s].item, "' is ",
                        image.counts[s], " in the image, ", here.counts[s], " in this world");
    std::size_t at = 0;
    for (std::size_t s = 0; s < kFingerprintSections.size(); ++s) {
        const FingerprintSection& section = kFingerprintSections[s];
        for (std::size_t item = 0; item < here.counts[s]; ++item)
            for (int a = 0; a < section.aspect_count; ++a, ++at) {
                if (here.aspects[at] == image.aspects[at]) continue;
                const std::string_view name = item_name(model, s, item);
                return text(section.item,
                            name.empty() ? text(" number ", item + 1) : text(" '", name, "'"),
                            ": its ", section.aspects[static_cast<std::size_t>(a)], " differs");
            }
    }
    return "its hash differs";
}

}  // namespace taut::world

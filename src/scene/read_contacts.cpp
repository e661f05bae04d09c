// Reads contact properties: surfaces, collision groups, the ground.
#include <algorithm>
#include <array>

#include "core/suggestion.h"
#include "scene/readers.h"
#include "scene/text_format.h"
#include "scene/values.h"
#include "scene/vocabulary.h"

namespace taut::scene {
namespace {

// The group of colliders without the key `groups`.
const char* const kDefaultGroup = "default";
constexpr std::size_t kGroups = 32;  // bits of a mask

std::vector<GroupName> group_names(const Node* list)
{
    std::vector<GroupName> out;
    if (list)
        for (const NodePtr& item : list->items) out.push_back({item->filled, item->where});
    return out;
}

class Groups {
public:
    explicit Groups(Problems& problems) : problems_(problems) {}

    void add(const GroupRules& rules)
    {
        for (const GroupName& group : rules.groups) {
            if (std::find(names_.begin(), names_.end(), group.name) != names_.end()) continue;
            if (!is_name(group.name))
                problems_.error(group.where, "the group " + quote(group.name) +
                                                 " has an invalid name; " + kNameRule);
            if (names_.size() == kGroups) {
                problems_.error(group.where, "the group " + quote(group.name) +
                                                 " exceeds the limit; a scene can have " +
                                                 std::to_string(kGroups - 1) + " besides " +
                                                 quote(kDefaultGroup));
                full_ = true;
            }
            if (!full_) names_.push_back(group.name);
        }
    }

    void apply(const GroupRules& rules, ColliderDef& def)
    {
        if (full_) return;
        if (!rules.groups.empty()) def.groups = mask(rules.groups);
        if (rules.collides_with) def.collides_with = mask(*rules.collides_with);
        if (!rules.ignores.empty()) def.collides_with = ~mask(rules.ignores);
    }

private:
    std::uint32_t mask(const std::vector<GroupName>& wanted)
    {
        std::uint32_t bits = 0;
        for (const GroupName& group : wanted) {
            const auto found = std::find(names_.begin(), names_.end(), group.name);
            if (found == names_.end()) {
                problems_.error(group.where, "no body belongs to the group " + quote(group.name) +
                                                 did_you_mean(group.name, names_) +
                                                 "; groups: " + listed(names_, kGroups));
                continue;
            }
            bits |= std::uint32_t(1) << (found - names_.begin());
        }
        return bits;
    }

    Problems& problems_;
    std::vector<std::string> names_ = {kDefaultGroup};
    bool full_ = false;
};

}  // namespace

void read_contacts(const Node& section, SceneDraft& draft, Problems&)
{
    draft.contact_by_default = flag_or(section, "all", false);
    apply_surface(read_surface_overrides(section), draft.surface);
}

void read_ground(const Node& section, SceneDraft& draft, Problems& problems)
{
    const std::string label = "the ground";
    DraftGround ground;
    ground.shape.shape = Shape::plane();
    ground.shape.colour = text_or(section, "colour", "");
    ground.shape.pose.p.z() = number_or(section, "height", 0);
    const Vec3 axis =
        direction(section, "tilt_axis", label, problems).value_or(Vec3(Vec3::UnitY()));
    ground.shape.pose.q = Quat(Eigen::AngleAxis<Real>(number_or(section, "tilt", 0), axis));
    if (const Node* name = section.find("material")) {
        const DraftMaterial* material =
            draft.use_material(name->filled, name->where, label, problems);
        if (material && ground.shape.colour.empty()) ground.shape.colour = material->colour;
    }
    ground.collider =
        make_collider(ground.shape, read_surface(section, draft, draft.surface), section.where);
    ground.rules = read_groups(section);
    draft.ground = std::move(ground);
}

Surface read_surface(const Node& map, const SceneDraft& draft, const Surface& fallback)
{
    Surface surface = fallback;
    const Node* name = map.find("material");
    const auto material = name ? draft.materials.find(name->filled) : draft.materials.end();
    if (material != draft.materials.end()) apply_surface(material->second.surface, surface);
    apply_surface(read_surface_overrides(map), surface);
    surface.velocity = vector_or(map, kSurfaceVelocity, fallback.velocity);
    return surface;
}

GroupRules read_groups(const Node& map)
{
    GroupRules rules;
    rules.groups = group_names(map.find("groups"));
    rules.ignores = group_names(map.find("ignores"));
    if (const Node* only = map.find("collides_with")) rules.collides_with = group_names(only);
    return rules;
}

DraftCollider make_collider(const DrawnShape& drawn, const Surface& surface, const Where& where)
{
    ColliderDef def{.shape = drawn.shape, .pose = drawn.pose};
    apply_surface(surface, def);
    return {std::move(def), where};
}

void add_colliders(const Node& map, const SceneDraft& draft, DraftBody& body)
{
    if (!flag_or(map, "contact", draft.contact_by_default)) return;
    const Surface surface = read_surface(map, draft, draft.surface);
    for (const DrawnShape& shape : body.shapes)
        body.colliders.push_back(make_collider(shape, surface, body.where));
    body.rules = read_groups(map);
}

void assign_groups(SceneDraft& draft, Problems& problems)
{
    Groups groups(problems);
    if (draft.ground) groups.add(draft.ground->rules);
    for (const DraftBody& body : draft.bodies) groups.add(body.rules);
    if (draft.ground) groups.apply(draft.ground->rules, draft.ground->collider.def);
    for (DraftBody& body : draft.bodies)
        for (DraftCollider& collider : body.colliders) groups.apply(body.rules, collider.def);
}

}  // namespace taut::scene

#include "scene/draft.h"

#include <algorithm>

#include "core/suggestion.h"
#include "scene/text_format.h"

namespace taut::scene {

BodyId SceneDraft::add(DraftBody body, Problems& problems)
{
    const BodyId id{static_cast<std::int32_t>(bodies.size())};
    const auto [first, is_new] = body_index.try_emplace(body.def.name, id.index);
    if (!is_new)
        problems.error(body.where,
                       "duplicate body " + quote(body.def.name) + "; the first is at " +
                           bodies[static_cast<std::size_t>(first->second)].where.text());
    bodies.push_back(std::move(body));
    return id;
}

void SceneDraft::add(DraftJoint joint, Problems& problems)
{
    const auto [first, is_new] = joint_names.try_emplace(joint.def.name, joint.where);
    if (!is_new)
        problems.error(joint.where, "duplicate joint " + quote(joint.def.name) +
                                        "; the first is at " + first->second.text());
    joints.push_back(std::move(joint));
}

std::optional<BodyId> SceneDraft::find_body(const std::string& wanted, const Where& where,
                                            const std::string& label, Problems& problems) const
{
    if (wanted == "world") return kWorld;
    const auto found = body_index.find(wanted);
    if (found != body_index.end()) return BodyId{found->second};
    std::vector<std::string> known = {"world"};
    for (const DraftBody& candidate : bodies) known.push_back(candidate.def.name);
    problems.error(where, label + " refers to the body " + quote(wanted) +
                              ", which does not exist" + did_you_mean(wanted, known) +
                              "; bodies: " + listed(known));
    return std::nullopt;
}

const DraftMaterial* SceneDraft::use_material(const std::string& wanted, const Where& where,
                                              const std::string& label, Problems& problems)
{
    const auto found = materials.find(wanted);
    if (found != materials.end()) {
        found->second.used = true;
        return &found->second;
    }
    std::vector<std::string> known;
    for (const auto& entry : materials) known.push_back(entry.first);
    std::sort(known.begin(), known.end());
    problems.error(where, label + " refers to the material " + quote(wanted) +
                              ", which does not exist" + did_you_mean(wanted, known) +
                              "; materials: " + listed(known));
    return nullptr;
}

}  // namespace taut::scene

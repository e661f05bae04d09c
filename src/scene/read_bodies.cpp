// Reads materials and bodies: shapes, mass properties, poses, prescribed motion.
#include <algorithm>

#include "scene/readers.h"
#include "scene/text_format.h"
#include "scene/values.h"

namespace taut::scene {
namespace {

class BodyReader {
public:
    BodyReader(const Node::Entry& entry, SceneDraft& draft, Problems& problems)
        : node_(*entry.value),
          label_("body " + quote(entry.key)),
          draft_(draft),
          problems_(problems)
    {
        body_.def.name = entry.key;
        body_.where = entry.where;
    }

    void read()
    {
        const std::string type = text_or(node_, "type", "rigid");
        BodyDef& def = body_.def;
        def.kind = type == "particle"    ? BodyKind::Particle
                   : type == "fixed"     ? BodyKind::Fixed
                   : type == "kinematic" ? BodyKind::Kinematic
                                         : BodyKind::Rigid;
        def.pose.p = vector_or(node_, "position", Vec3::Zero());
        def.pose.q = rotation_or_identity(node_, "rotation", label_, problems_);
        def.velocity.linear = vector_or(node_, "velocity", Vec3::Zero());
        def.velocity.angular = vector_or(node_, "angular_velocity", Vec3::Zero());

        const std::size_t before = problems_.error_count();
        read_shapes();
        body_.rules = read_groups(node_);
        if (problems_.error_count() == before) refuse_unused_contact_keys();
        refuse_keys_of_other_types(type);
        if (def.kind == BodyKind::Rigid) read_rigid_mass();
        if (def.kind == BodyKind::Particle) read_particle_mass();
        if (def.kind == BodyKind::Kinematic) read_motion();
        draft_.add(std::move(body_), problems_);
    }

private:
    void error_at(std::string_view key, const std::string& message)
    {
        const Node::Entry* entry = node_.find_entry(key);
        problems_.error(entry ? entry->where : body_.where, label_ + message);
    }

    // Keys without effect are errors, because the body would differ from the intention of the author.
    void refuse_keys_of_other_types(const std::string& type)
    {
        const auto refuse = [&](std::string_view key, const char* why) {
            if (node_.has(key))
                error_at(key, " is " + type + " and cannot have " + quote(key) + "; " + why);
        };
        const BodyKind kind = body_.def.kind;
        if (kind != BodyKind::Kinematic)
            refuse("motion", "only kinematic bodies have a prescribed motion");
        if (kind == BodyKind::Particle)
            for (const char* key : {"inertia", "inertia_frame", "centre_of_mass", "rotation",
                                    "angular_velocity", "density", "material"})
                refuse(key, "it is a point mass");
        if (kind == BodyKind::Fixed || kind == BodyKind::Kinematic)
            for (const char* key : {"velocity", "angular_velocity"})
                refuse(key, kind == BodyKind::Fixed ? "it stands still" : "it moves by 'motion'");
        if (node_.has("inertia_frame") && !node_.has("inertia"))
            error_at("inertia_frame", " has 'inertia_frame' without 'inertia'");
    }

    void read_shapes()
    {
        const Node* shapes = node_.find("shapes");
        std::string colour = text_or(node_, "colour", "");
        body_density_ = read_density(node_, label_, draft_, colour, problems_);
        if (!shapes) return;
        std::vector<MassProperties> parts;
        for (std::size_t i = 0; i < shapes->items.size(); ++i) {
            const Node& item = *shapes->items[i];
            const std::string label = "shape " + std::to_string(i + 1) + " of " + label_;
            const std::size_t before = problems_.error_count();
            DrawnShape shape = read_shape(item, label, draft_, problems_);
            if (problems_.error_count() != before) continue;
            shape.colour = text_or(item, "colour", "");
            const auto density = read_density(item, label, draft_, shape.colour, problems_);
            if (shape.colour.empty()) shape.colour = colour;
            own_densities_ = own_densities_ || density.value_or(0) > 0;

            const MassProperties solid = moved(shape_properties(shape.shape), shape.pose);
            const Real weight = density.value_or(body_density_.value_or(1));
            const bool no_volume = !(solid.mass > 0);  // an open mesh, a height field, a plane
            if (weight > 0 && !no_volume) {
                body_.volume += solid.mass;
                parts.push_back(scaled(solid, weight));
            }
            if (no_volume) refuse_missing_volume(shape.shape, item, label);
            density_missing_ = density_missing_ || (!density && !body_density_ && !no_volume);
            read_contact(item, shape, density && *density == 0);
            body_.shapes.push_back(std::move(shape));
        }
        if (!parts.empty()) body_.solid = combined(parts);
        if (own_densities_ && density_missing_)
            problems_.error(shapes->where,
                            "some shapes of " + label_ +
                                " have a density and others none; "
                                "specify 'density' or 'material' of the body for the others");
    }

    // Shapes without volume have no mass: a rigid body then needs explicit values.
    void refuse_missing_volume(const Shape& shape, const Node& item, const std::string& label)
    {
        if (body_.def.kind != BodyKind::Rigid || (node_.has("mass") && node_.has("inertia")))
            return;
        std::string what = shape.is<Shape::Mesh>() ? "an open mesh" : "a ";
        if (!shape.is<Shape::Mesh>()) what += shape.kind_name();
        std::replace(what.begin(), what.end(), '_', ' ');
        problems_.error(item.where,
                        label + " is " + what +
                            " and has no volume; specify 'mass' and 'inertia' of the body, "
                            "or make it fixed or kinematic");
    }

    // A visual shape (density 0) has no contact unless it has `contact: true`.
    void read_contact(const Node& item, const DrawnShape& shape, bool visual_only)
    {
        const bool of_body = flag_or(node_, "contact", draft_.contact_by_default);
        if (flag_or(item, "contact", of_body && !visual_only)) {
            const Surface surface =
                read_surface(item, draft_, read_surface(node_, draft_, draft_.surface));
            body_.colliders.push_back(make_collider(shape, surface, item.where));
            return;
        }
        const auto refuse = [&](const char* key) {
            if (const Node::Entry* entry = item.find_entry(key))
                problems_.error(entry->where, quote(key) + " of a shape of " + label_ +
                                                  " has no effect without 'contact: true'");
        };
        for (const SurfaceKey& key : surface_keys()) refuse(key.name);
        refuse(kSurfaceVelocity);
    }

    void refuse_unused_contact_keys()
    {
        if (!body_.colliders.empty()) return;
        if (flag_or(node_, "contact", false)) {
            error_at("contact", " has 'contact: true' but no shapes");
            return;
        }
        const auto refuse = [&](const char* key) {
            if (node_.has(key))
                error_at(key, " has " + quote(key) +
                                  " but no contact; specify 'contact: true' and shapes");
        };
        for (const SurfaceKey& key : surface_keys()) refuse(key.name);
        for (const char* key : {"groups", "collides_with", "ignores"}) refuse(key);
    }

    void read_particle_mass()
    {
        if (const auto mass = number(node_, "mass"))
            body_.def.mass = *mass;
        else
            problems_.error(body_.where, label_ + " is a particle without 'mass' [kg]");
    }

    void read_rigid_mass()
    {
        const auto mass = number(node_, "mass");
        const bool solid = body_.solid.mass > 0;
        const Node* inertia = node_.find("inertia");
        if (!mass && (!solid || density_missing_)) {
            problems_.error(body_.where,
                            label_ + (body_.shapes.empty()
                                          ? " has no mass; specify 'mass', or 'shapes' with "
                                            "'density' or 'material'"
                                          : " has shapes but neither mass nor density; specify "
                                            "'mass', 'density' or 'material'"));
            return;
        }
        if (!solid && !inertia) {
            problems_.error(body_.where,
                            label_ +
                                " has a mass but no inertia; specify 'inertia' or 'shapes', "
                                "or make it a particle");
            return;
        }
        MassProperties whole = body_.solid;
        if (mass)
            whole =
                solid ? scaled(whole, *mass / whole.mass) : MassProperties{*mass, Vec3::Zero(), {}};
        if (!solid) whole.inertia.setZero();
        if (inertia) read_inertia(*inertia, whole);

        body_.def.mass = whole.mass;
        body_.def.inertia = whole.inertia;
        body_.def.centre_of_mass = vector_or(node_, "centre_of_mass", whole.centre_of_mass);
        body_.solid = solid ? scaled(body_.solid, whole.mass / body_.solid.mass) : MassProperties{};
        check_inertia(inertia ? inertia->where : body_.where);
    }

    void read_inertia(const Node& inertia, MassProperties& whole)
    {
        body_.inertia_given = true;
        const bool tensor = inertia.items.front()->is_list();
        if (tensor && node_.has("inertia_frame"))
            error_at("inertia_frame",
                     " has 'inertia_frame' and a 3×3 inertia; it requires three "
                     "principal moments");
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column) {
                const Node& item = *inertia.items[static_cast<std::size_t>(row)];
                whole.inertia(row, column) =
                    tensor ? item.items[static_cast<std::size_t>(column)]->number
                           : (row == column ? item.number : 0);
            }
        if (!tensor) {
            const Mat3 R =
                rotation_or_identity(node_, "inertia_frame", label_, problems_).toRotationMatrix();
            if (node_.has("inertia_frame")) whole.inertia = R * whole.inertia * R.transpose();
        }
    }

    void check_inertia(const Where& where)
    {
        const std::string why = why_impossible(body_.def.inertia);
        if (!why.empty())
            problems_.error(where, "the inertia of " + label_ + " is impossible: " + why);
    }

    void read_motion()
    {
        const Node* motion = node_.find("motion");
        if (!motion) return;
        const std::string label = "motion of " + label_;
        Motion& target = body_.def.motion;
        if (const Node* shift = motion->find("shift")) {
            target.shift[0] = schedule_or(*shift, "x", 0, label, problems_);
            target.shift[1] = schedule_or(*shift, "y", 0, label, problems_);
            target.shift[2] = schedule_or(*shift, "z", 0, label, problems_);
        }
        target.axis = direction(*motion, "axis", label, problems_).value_or(Vec3::UnitZ());
        target.angle = schedule_or(*motion, "angle", 0, label, problems_);
    }

    const Node& node_;
    std::string label_;
    SceneDraft& draft_;
    Problems& problems_;
    DraftBody body_;
    std::optional<Real> body_density_;
    bool own_densities_ = false;  // some shape has its own density
    // some shape has no density, neither its own nor that of the body
    bool density_missing_ = false;
};

}  // namespace

std::optional<Real> read_density(const Node& map, const std::string& label, SceneDraft& draft,
                                 std::string& colour, Problems& problems)
{
    if (const auto density = number(map, "density")) return density;
    const Node* name = map.find("material");
    if (!name) return std::nullopt;
    const DraftMaterial* material = draft.use_material(name->filled, name->where, label, problems);
    if (!material) return 1;
    if (colour.empty()) colour = material->colour;
    return material->density;
}

void read_materials(const Node& section, SceneDraft& draft, Problems&)
{
    for (const Node::Entry& entry : section.entries)
        draft.materials[entry.key] = {number_or(*entry.value, "density", 0),
                                      read_surface_overrides(*entry.value),
                                      text_or(*entry.value, "colour", ""), entry.where};
}

void read_bodies(const Node& section, SceneDraft& draft, Problems& problems)
{
    for (const Node::Entry& entry : section.entries) BodyReader(entry, draft, problems).read();
}

}  // namespace taut::scene

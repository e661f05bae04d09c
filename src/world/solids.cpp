// Mass properties of bodies from their shapes.
#include <taut/solids.h>

#include <cmath>
#include <string>
#include <vector>

#include "collision/shape.h"
#include "contacts/make_shape.h"
#include "core/text.h"
#include "geometry/shape_solids.h"

namespace taut {

using core::text;

static Result<geometry::MassProperties> properties_of(const SolidPart& part, const std::string& who)
{
    if (!(part.density > 0 && std::isfinite(part.density)))
        return Error{text(who, ": its density is ", part.density, " kg/m³; it must be above 0")};
    const Real length = part.pose.q.norm();
    if (!part.pose.p.allFinite() || !(length > 0) || !std::isfinite(length))
        return Error{text(who, ": its pose must be finite, with a rotation")};
    if (auto made = contacts::make_shape(part.shape); !made)
        return Error{text(who, ": ", made.error().message)};
    const geometry::MassProperties own = geometry::shape_properties(part.shape);
    if (!(own.mass > 0 && std::isfinite(own.mass)))
        return Error{text(
            who, ": a ", part.shape.kind_name(), own.mass < 0 ? " whose triangles face inward" : "",
            " has no volume; allowed are convex shapes and closed meshes with triangles "
            "counter-clockwise seen from outside")};
    return geometry::scaled(geometry::moved(own, {part.pose.p, part.pose.q.normalized()}),
                            part.density);
}

Result<BodyDef> solid(const Shape& shape, Real density)
{
    const SolidPart part{.shape = shape, .density = density};
    return solid(std::span(&part, 1));
}

Result<BodyDef> solid(std::span<const SolidPart> parts)
{
    if (parts.empty()) return Error{"solid: it has no parts"};
    std::vector<geometry::MassProperties> all;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        auto own =
            properties_of(parts[i], parts.size() == 1 ? "solid" : text("solid, part ", i + 1));
        if (!own) return own.error();
        all.push_back(*own);
    }
    const geometry::MassProperties whole = geometry::combined(all);
    BodyDef body;
    body.mass = whole.mass;
    body.inertia = whole.inertia;
    body.centre_of_mass = whole.centre_of_mass;
    return body;
}

}  // namespace taut

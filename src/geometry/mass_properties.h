// Mass, centre of mass and inertia of solids: of single shapes by closed forms, of compounds by
// Steiner's rule. Also the question whether an inertia tensor can belong to any body at all.
#pragma once

#include <array>
#include <span>
#include <string>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::geometry {

struct MassProperties {
    Real mass = 0;                       // [kg]
    Vec3 centre_of_mass = Vec3::Zero();  // [m]
    Mat3 inertia = Mat3::Zero();         // about the centre of mass [kg m²]
};

// Solids of density 1 about their own centre: mass is then the volume. Capsules and cylinders
// lie along z; `length` is that of the straight part.
MassProperties box_properties(const Vec3& edges);
MassProperties sphere_properties(Real radius);
MassProperties cylinder_properties(Real radius, Real length);
MassProperties capsule_properties(Real radius, Real length);
// Of a closed surface of triangles, counter-clockwise seen from outside: the sum of the tetrahedra over its
// triangles, each counted with its sign. The mass is negative where the triangles face inward.
MassProperties polyhedron_properties(std::span<const Vec3> points,
                                     std::span<const std::array<int, 3>> triangles);

// Mass and inertia times `factor`.
MassProperties scaled(const MassProperties& part, Real factor);
// The same solid, expressed in the frame in which its own frame has the given pose.
MassProperties moved(const MassProperties& part, const Pose& pose);
// Several solids as one, all expressed in the same frame. Their mass must be above zero.
MassProperties combined(std::span<const MassProperties> parts);

// Eigenvalues, ascending.
Vec3 principal_moments(const Mat3& inertia);

// Empty if some body has this inertia about its centre of mass; otherwise why none has: not
// symmetric, a moment that is not positive, or one above the sum of the other two. The equality of
// a flat plate is allowed, with slack for rounding.
std::string why_impossible(const Mat3& inertia);

}  // namespace taut::geometry

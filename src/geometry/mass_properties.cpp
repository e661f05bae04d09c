#include "geometry/mass_properties.h"

#include <cmath>
#include <locale>
#include <numbers>
#include <sstream>

#include <Eigen/Eigenvalues>

#include "core/assert.h"

namespace taut::geometry {
namespace {

// What moves the reference point of an inertia from the centre of mass by r: m (|r|² 1 − r rᵀ).
Mat3 steiner(Real mass, const Vec3& r)
{
    return mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
}

MassProperties about_z(Real mass, Real across, Real along)
{
    MassProperties result;
    result.mass = mass;
    result.inertia = Vec3(across, across, along).asDiagonal();
    return result;
}

}  // namespace

MassProperties box_properties(const Vec3& edges)
{
    const Vec3 square = edges.cwiseProduct(edges);
    MassProperties result;
    result.mass = edges.prod();
    result.inertia = (result.mass / 12 * (Vec3::Constant(square.sum()) - square)).asDiagonal();
    return result;
}

MassProperties sphere_properties(Real radius)
{
    const Real mass = 4 * std::numbers::pi / 3 * radius * radius * radius;
    const Real moment = Real(0.4) * mass * radius * radius;
    return about_z(mass, moment, moment);
}

MassProperties cylinder_properties(Real radius, Real length)
{
    const Real r2 = radius * radius;
    const Real mass = std::numbers::pi * r2 * length;
    return about_z(mass, mass * (r2 / 4 + length * length / 12), mass * r2 / 2);
}

MassProperties capsule_properties(Real radius, Real length)
{
    // the two half balls have their centres of mass 3r/8 beyond the ends of the cylinder, and about
    // those the moment across is (2/5 − 9/64) m r²; moved out, this sums to the line below
    const MassProperties rod = cylinder_properties(radius, length);
    const MassProperties ball = sphere_properties(radius);
    const Real r2 = radius * radius;
    const Real across = rod.inertia(0, 0) + ball.mass * (Real(0.4) * r2 + length * length / 4 +
                                                         Real(0.375) * length * radius);
    return about_z(rod.mass + ball.mass, across, rod.inertia(2, 2) + ball.inertia(2, 2));
}

// ∫xxᵀ over the tetrahedron (c, a, b, d), c the middle of all points, is V/20 (Σ vvᵀ + s sᵀ) with v its
// corners from c and s their sum; moments about c lose no digits where the solid stands far from the origin.
MassProperties polyhedron_properties(std::span<const Vec3> points,
                                     std::span<const std::array<int, 3>> triangles)
{
    MassProperties whole;
    if (points.empty()) return whole;
    Vec3 c = Vec3::Zero();
    for (const Vec3& p : points) c += p / static_cast<Real>(points.size());
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    for (const auto& [i, j, k] : triangles) {
        TAUT_ASSERT(std::min({i, j, k}) >= 0 &&
                    std::max({i, j, k}) < static_cast<int>(points.size()));
        const Vec3 u = points[static_cast<std::size_t>(i)] - c;
        const Vec3 v = points[static_cast<std::size_t>(j)] - c;
        const Vec3 w = points[static_cast<std::size_t>(k)] - c;
        const Real volume = u.dot(v.cross(w)) / 6;
        const Vec3 s = u + v + w;
        whole.mass += volume;
        first += volume / 4 * s;
        second += volume / 20 *
                  (u * u.transpose() + v * v.transpose() + w * w.transpose() + s * s.transpose());
    }
    if (whole.mass == 0) return whole;
    const Vec3 d = first / whole.mass;
    second -= whole.mass * d * d.transpose();
    whole.centre_of_mass = c + d;
    whole.inertia = second.trace() * Mat3::Identity() - second;
    return whole;
}

MassProperties scaled(const MassProperties& part, Real factor)
{
    return {part.mass * factor, part.centre_of_mass, part.inertia * factor};
}

MassProperties moved(const MassProperties& part, const Pose& pose)
{
    const Mat3 R = pose.q.normalized().toRotationMatrix();
    return {part.mass, pose.p + R * part.centre_of_mass, R * part.inertia * R.transpose()};
}

MassProperties combined(std::span<const MassProperties> parts)
{
    TAUT_ASSERT(!parts.empty());
    MassProperties whole;
    for (const auto& part : parts) {
        whole.mass += part.mass;
        whole.centre_of_mass += part.mass * part.centre_of_mass;
    }
    whole.centre_of_mass /= whole.mass;
    for (const auto& part : parts)
        whole.inertia +=
            part.inertia + steiner(part.mass, part.centre_of_mass - whole.centre_of_mass);
    return whole;
}

Vec3 principal_moments(const Mat3& inertia)
{
    return Eigen::SelfAdjointEigenSolver<Mat3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
}

std::string why_impossible(const Mat3& inertia)
{
    // rounding of a tensor that was rotated or typed with nine digits
    constexpr Real kSlack = 1e-9;

    std::ostringstream why;
    why.imbue(std::locale::classic());
    if (!inertia.allFinite()) return "it is not finite";
    const Real size = inertia.cwiseAbs().maxCoeff();
    if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > kSlack * size)
        return "it is not symmetric";

    const Vec3 moments = principal_moments(inertia);
    if (!(moments[0] > 0)) {
        why << "its principal moment " << moments[0] << " kg m² is not above 0";
    } else if (moments[2] > (moments[0] + moments[1]) * (1 + kSlack)) {
        why << "its principal moment " << moments[2] << " kg m² is above the sum of the other two, "
            << moments[0] << " + " << moments[1] << ", which no distribution of mass has";
    }
    return why.str();
}

}  // namespace taut::geometry

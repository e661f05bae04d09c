// Two boxes by separating axes [Gottschalk1996]: three faces each, nine pairs of edges. The axis with the
// largest separation is the shortest way out of an overlap, and where a face or a pair of edges is
// nearest also the exact distance. Corner against corner or edge is not among the axes: apart, and not
// explained by faces, the pair goes to the nearest points instead.
#include <algorithm>
#include <cmath>

#include "collision/pair_routines.h"
#include "collision/thresholds.h"

namespace taut::collision {
namespace {

struct SeparatingAxis {
    Real separation = BoxThresholds::kNoAxisYet;
    Vec3 towards_b = Vec3::UnitZ();  // a's axes
    int edge_a = -1, edge_b = -1;
};

// Nearest points of the two edges that support the axis.
void edge_points(const Core& a, const Core& b, const SeparatingAxis& axis, Separation& s) noexcept
{
    const Vec3 n = s.normal;
    const Vec3 ea = a.X.R.col(axis.edge_a), eb = b.X.R.col(axis.edge_b);
    Vec3 pa = support(a, -n), pb = support(b, n);
    pa -= ea * ea.dot(pa - a.X.p);  // middle of the edge
    pb -= eb * eb.dot(pb - b.X.p);
    const Vec3 across = ea.cross(eb), r = pa - pb;
    const Real determinant = across.squaredNorm();
    s.on_a = pa + ea * (eb.cross(r).dot(across) / determinant);
    s.on_b = pb + eb * (ea.cross(r).dot(across) / determinant);
}

}  // namespace

void box_box(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept
{
    const Mat3 R = a.X.R.transpose() * b.X.R;
    const Mat3 Q = R.cwiseAbs();
    const Vec3 t = a.X.vector_to_local(b.X.p - a.X.p);
    const Real size = std::min(a.size(), b.size());
    const auto sign = [](Real x) { return x < 0 ? Real(-1) : Real(1); };

    // faces of a, faces of b
    SeparatingAxis best;
    for (int i = 0; i < 3; ++i) {
        const Real s = std::abs(t[i]) - a.half[i] - Q.row(i).dot(b.half);
        if (s > reach) return;
        if (s > best.separation) best = {s, Vec3::Unit(i) * sign(t[i]), -1, -1};
    }
    for (int j = 0; j < 3; ++j) {
        const Real along = R.col(j).dot(t);
        const Real s = std::abs(along) - b.half[j] - Q.col(j).dot(a.half);
        if (s > reach) return;
        if (s > best.separation + BoxThresholds::kFaceBetter * size)
            best = {s, R.col(j) * sign(along), -1, -1};
    }

    // pairs of edges, which must be better by more than rounding
    const Real bias = BoxThresholds::kEdgeBetter * size;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            // e_i × R e_j in a's axes: (0, −R(i2, j), R(i1, j)) in the order i, i1, i2
            const Real length2 = R(i1, j) * R(i1, j) + R(i2, j) * R(i2, j);
            if (length2 < BoxThresholds::kParallelEdges) continue;
            const Real length = std::sqrt(length2);
            const Real along = (t[i2] * R(i1, j) - t[i1] * R(i2, j)) / length;
            const Real radii = (a.half[i1] * Q(i2, j) + a.half[i2] * Q(i1, j) +
                                b.half[j1] * Q(i, j2) + b.half[j2] * Q(i, j1)) /
                               length;
            const Real s = std::abs(along) - radii;
            if (s > reach) return;
            if (s > best.separation + bias) {
                Vec3 axis = Vec3::Zero();
                axis[i1] = -R(i2, j) / length;
                axis[i2] = R(i1, j) / length;
                best = {s, axis * sign(along), i, j};
            }
        }

    Separation s;
    s.known = true;
    s.distance = best.separation;
    s.normal = -a.X.vector(best.towards_b).normalized();
    if (best.edge_a >= 0) edge_points(a, b, best, s);
    if (append_face_manifold(a, b, s, reach, out)) return;
    if (best.edge_a >= 0 && best.separation <= 0)
        append_manifold(a, b, s, reach, out);
    else
        core_core(a, b, reach, out);
}

}  // namespace taut::collision

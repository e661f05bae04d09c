// The triangles of a mesh or height field that a moved box meets, or that are near a box. Frame of the surface; visitors
// may lower the limit that they are given.
#pragma once

#include <algorithm>
#include <cmath>

#include "collision/sweep.h"
#include "collision/triangle_mesh.h"

namespace taut::collision {

// Calls visit(triangle, most) for triangles whose box the sweep meets before `most`.
template <class Visit>
void visit_swept(const TriangleMesh& mesh, const Sweep& sweep, Real& most, Visit&& visit)
{
    for (int i = 0; i < static_cast<int>(mesh.nodes.size());) {
        const TriangleMesh::Node& node = mesh.nodes[i];
        Real enter = 0;
        if (!sweep.meets(node.box, most, enter)) {
            i = node.skip;
            continue;
        }
        if (node.triangle >= 0) visit(node.triangle, most);
        ++i;
    }
}

// Calls visit(triangle, within) for triangles whose box is at most `within` [m] from `box`.
template <class Visit>
void visit_near(const TriangleMesh& mesh, const Aabb& box, Real& within, Visit&& visit)
{
    for (int i = 0; i < static_cast<int>(mesh.nodes.size());) {
        const TriangleMesh::Node& node = mesh.nodes[i];
        if (box_distance(node.box, box) > within) {
            i = node.skip;
            continue;
        }
        if (node.triangle >= 0) visit(node.triangle, within);
        ++i;
    }
}

// Range of cells, both ends included; empty where first > last.
struct CellRange {
    int first = 0, last = -1;
};

inline CellRange cells_between(Real low, Real high, Real spacing, int cells) noexcept
{
    const Real end = static_cast<Real>(cells);
    if (!(high >= 0 && low <= end * spacing)) return {};
    return {static_cast<int>(std::clamp(std::floor(low / spacing), Real(0), end - 1)),
            static_cast<int>(std::clamp(std::floor(high / spacing), Real(0), end - 1))};
}

inline Aabb cell_box(const HeightField& field, int i, int j) noexcept
{
    Aabb box;
    for (const int di : {0, 1})
        for (const int dj : {0, 1}) box.add(field.vertex(i + di, j + dj));
    return box;
}

// Column by column of the grid in the direction of travel: of each column the cells that the box passes over.
template <class Visit>
void visit_swept(const HeightField& field, const Sweep& sweep, Real& most, Visit&& visit)
{
    const Vec3 &from = sweep.from, &d = sweep.translation, &half = sweep.half;
    const int columns = field.nx - 1, rows = field.ny - 1;
    const auto low_x = [&](Real t0, Real t1) {
        return std::min(t0 * d.x(), t1 * d.x()) + from.x();
    };
    const auto high_x = [&](Real t0, Real t1) {
        return std::max(t0 * d.x(), t1 * d.x()) + from.x();
    };
    const CellRange over =
        cells_between(low_x(0, most) - half.x(), high_x(0, most) + half.x(), field.dx, columns);
    const bool up = d.x() >= 0;
    for (int k = over.first; k <= over.last; ++k) {
        const int i = up ? k : over.last - (k - over.first);
        // while the box is over this column
        const Real a = (field.dx * i - half.x() - from.x()) * sweep.inverse.x();
        const Real b = (field.dx * (i + 1) + half.x() - from.x()) * sweep.inverse.x();
        const Real t0 = std::max(std::min(a, b), Real(0)), t1 = std::min(std::max(a, b), most);
        if (t0 > most) break;
        if (t0 > t1) continue;
        const Real y0 = from.y() + t0 * d.y(), y1 = from.y() + t1 * d.y();
        const CellRange along =
            cells_between(std::min(y0, y1) - half.y(), std::max(y0, y1) + half.y(), field.dy, rows);
        for (int j = along.first; j <= along.last; ++j) {
            Real enter = 0;
            if (!sweep.meets(cell_box(field, i, j), most, enter)) continue;
            const int cell = j * columns + i;
            visit(2 * cell, most);
            visit(2 * cell + 1, most);
        }
    }
}

// The cell below the box first: it bounds how far the others may be.
template <class Visit>
void visit_near(const HeightField& field, const Aabb& box, Real& within, Visit&& visit)
{
    const int columns = field.nx - 1, rows = field.ny - 1;
    const auto visit_cell = [&](int i, int j) {
        if (box_distance(cell_box(field, i, j), box) > within) return;
        visit(2 * (j * columns + i), within);
        visit(2 * (j * columns + i) + 1, within);
    };
    const auto nearest = [](Real x, Real spacing, int cells) {
        return static_cast<int>(
            std::clamp(std::floor(x / spacing), Real(0), static_cast<Real>(cells - 1)));
    };
    const Vec3 centre = box.centre();
    const int i_0 = nearest(centre.x(), field.dx, columns),
              j_0 = nearest(centre.y(), field.dy, rows);
    visit_cell(i_0, j_0);
    const CellRange over =
        cells_between(box.low.x() - within, box.high.x() + within, field.dx, columns);
    const CellRange along =
        cells_between(box.low.y() - within, box.high.y() + within, field.dy, rows);
    for (int i = over.first; i <= over.last; ++i)
        for (int j = along.first; j <= along.last; ++j)
            if (i != i_0 || j != j_0) visit_cell(i, j);
}

}  // namespace taut::collision

#include "collision/triangle_mesh.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "collision/thresholds.h"
#include "core/assert.h"

namespace taut::collision {
namespace {

using Corners = std::array<int, 3>;

Aabb box_of(const TriangleMesh& mesh, int t)
{
    Aabb box;
    for (int i : mesh.triangles[t]) box.add(mesh.vertices[i]);
    return box;
}

// Far corner of the neighbour across each side. Where three triangles share a side none is taken for
// the neighbour of another: such a side counts as rim.
void find_neighbours(TriangleMesh& mesh)
{
    struct Side {
        std::pair<int, int> ends;
        int triangle, side;
    };
    std::vector<Side> sides;
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
        for (int k = 0; k < 3; ++k) {
            const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            sides.push_back({std::minmax(a, b), t, k});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tie(a.ends, a.triangle, a.side) < std::tie(b.ends, b.triangle, b.side);
    });
    mesh.beyond.assign(mesh.triangles.size(), {-1, -1, -1});
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t end = i + 1;
        while (end < sides.size() && sides[end].ends == sides[i].ends) ++end;
        if (end == i + 2)
            for (int one = 0; one < 2; ++one) {
                const Side &mine = sides[i + one], &theirs = sides[i + 1 - one];
                mesh.beyond[mine.triangle][mine.side] =
                    mesh.triangles[theirs.triangle][(theirs.side + 2) % 3];
            }
        i = end;
    }
}

// A binary tree by halves along the longest side of the box of the centres.
void build_tree(TriangleMesh& mesh, std::span<int> order)
{
    const auto here = mesh.nodes.size();
    mesh.nodes.emplace_back();
    Aabb box, centres;
    for (int t : order) {
        const Aabb one = box_of(mesh, t);
        box.add(one);
        centres.add(one.centre());
    }
    if (order.size() == 1) {
        mesh.nodes[here].triangle = order[0];
    } else {
        int axis = 0;
        centres.half().maxCoeff(&axis);
        const auto middle = order.size() / 2;
        const auto at = [&](int t) { return box_of(mesh, t).centre()[axis]; };
        std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(middle),
                         order.end(), [&](int a, int b) {
                             return std::pair{at(a), a} < std::pair{at(b), b};
                         });
        build_tree(mesh, order.first(middle));
        build_tree(mesh, order.subspan(middle));
    }
    mesh.nodes[here].box = box;
    mesh.nodes[here].skip = static_cast<int>(mesh.nodes.size());
}

Vec3 normal_of(const std::array<Vec3, 3>& c)
{
    return direction_or((c[1] - c[0]).cross(c[2] - c[0]), Vec3::UnitZ());
}

}  // namespace

MeshResult make_mesh(std::span<const Vec3> vertices, std::span<const Corners> triangles)
{
    auto mesh = std::make_shared<TriangleMesh>();
    mesh->vertices.assign(vertices.begin(), vertices.end());
    for (const auto& v : vertices)
        if (!v.allFinite()) return {nullptr, "a vertex is not finite"};
    for (const auto& t : triangles) {
        for (int i : t)
            if (i < 0 || i >= static_cast<int>(vertices.size()))
                return {nullptr, "a triangle names vertex " + std::to_string(i) + " of " +
                                     std::to_string(vertices.size())};
        const Vec3 a = vertices[t[1]] - vertices[t[0]], b = vertices[t[2]] - vertices[t[0]];
        const Real longest = std::max({a.norm(), b.norm(), (b - a).norm()});
        if (!(a.cross(b).norm() > MeshThresholds::kNoArea * longest * longest)) continue;
        mesh->triangles.push_back(t);
        mesh->normals.push_back(a.cross(b).normalized());
        for (int i : t) mesh->box.add(vertices[i]);
    }
    if (mesh->triangles.empty()) return {nullptr, "no triangle has an area"};
    find_neighbours(*mesh);
    std::vector<int> order(mesh->triangles.size());
    std::iota(order.begin(), order.end(), 0);
    build_tree(*mesh, order);
    return {std::move(mesh), {}};
}

HeightFieldResult make_height_field(int nx, int ny, Real dx, Real dy, std::span<const Real> heights)
{
    if (nx < 2 || ny < 2) return {nullptr, "a height field needs two points each way"};
    if (!(dx > 0 && dy > 0 && std::isfinite(dx) && std::isfinite(dy)))
        return {nullptr, "the spacing of a height field must be above 0"};
    if (heights.size() != static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny))
        return {nullptr, std::to_string(heights.size()) + " heights for " + std::to_string(nx) +
                             " × " + std::to_string(ny) + " points"};
    auto field = std::make_shared<HeightField>();
    field->nx = nx, field->ny = ny, field->dx = dx, field->dy = dy;
    field->heights.assign(heights.begin(), heights.end());
    for (Real z : heights)
        if (!std::isfinite(z)) return {nullptr, "a height is not finite"};
    const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
    // solid below, as deep as it is wide
    field->box.add(Vec3(0, 0, *low - std::max(dx * (nx - 1), dy * (ny - 1))));
    field->box.add(Vec3(dx * (nx - 1), dy * (ny - 1), *high));
    return {std::move(field), {}};
}

SurfaceTriangle TriangleMesh::triangle(int index) const noexcept
{
    TAUT_ASSERT(index >= 0 && index < static_cast<int>(triangles.size()));
    SurfaceTriangle t;
    t.index = static_cast<std::uint32_t>(index);
    t.normal = normals[index];
    for (int k = 0; k < 3; ++k) {
        t.corner[k] = vertices[triangles[index][k]];
        const int b = beyond[index][k];
        t.has_beyond[k] = b >= 0;
        t.beyond[k] = b >= 0 ? vertices[b] : Vec3::Zero();
    }
    return t;
}

//        (i, j+1) +-----+ (i+1, j+1)      triangle 2c:     (i, j) (i+1, j) (i+1, j+1)
//                 | 2c+1/|                triangle 2c + 1: (i, j) (i+1, j+1) (i, j+1)
//                 |  /   |
//          (i, j) +-----+ (i+1, j)
SurfaceTriangle HeightField::triangle(int index) const noexcept
{
    TAUT_ASSERT(index >= 0 && index < 2 * (nx - 1) * (ny - 1));
    const int cell = index / 2, i = cell % (nx - 1), j = cell / (nx - 1);
    SurfaceTriangle t;
    t.index = static_cast<std::uint32_t>(index);
    const auto beyond_at = [&](int side, int a, int b) {
        t.has_beyond[side] = a >= 0 && b >= 0 && a < nx && b < ny;
        t.beyond[side] = t.has_beyond[side] ? vertex(a, b) : Vec3::Zero();
    };
    if (index % 2 == 0) {
        t.corner = {vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)};
        beyond_at(0, i, j - 1);
        beyond_at(1, i + 2, j + 1);
        beyond_at(2, i, j + 1);
    } else {
        t.corner = {vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)};
        beyond_at(0, i + 1, j);
        beyond_at(1, i + 1, j + 2);
        beyond_at(2, i - 1, j);
    }
    t.normal = normal_of(t.corner);
    return t;
}

void find_triangles(const TriangleMesh& mesh, const Aabb& box, std::vector<int>& out)
{
    out.clear();
    for (int i = 0; i < static_cast<int>(mesh.nodes.size());) {
        const auto& node = mesh.nodes[i];
        if (!overlap(node.box, box)) {
            i = node.skip;
            continue;
        }
        if (node.triangle >= 0) out.push_back(node.triangle);
        ++i;
    }
    std::sort(out.begin(), out.end());
}

void find_triangles(const HeightField& field, const Aabb& box, std::vector<int>& out)
{
    out.clear();
    if (!overlap(field.box, box)) return;
    const auto cell = [](Real x, Real spacing, int cells) {
        return static_cast<int>(std::clamp(std::floor(x / spacing), Real(0), Real(cells - 1)));
    };
    const int i0 = cell(box.low.x(), field.dx, field.nx - 1);
    const int i1 = cell(box.high.x(), field.dx, field.nx - 1);
    const int j0 = cell(box.low.y(), field.dy, field.ny - 1);
    const int j1 = cell(box.high.y(), field.dy, field.ny - 1);
    for (int j = j0; j <= j1; ++j)
        for (int i = i0; i <= i1; ++i) {
            const Real corners[4] = {field.vertex(i, j).z(), field.vertex(i + 1, j).z(),
                                     field.vertex(i, j + 1).z(), field.vertex(i + 1, j + 1).z()};
            // a box deep below the ground still meets it
            if (*std::max_element(corners, corners + 4) < box.low.z()) continue;
            const int c = j * (field.nx - 1) + i;
            out.push_back(2 * c);
            out.push_back(2 * c + 1);
        }
}

}  // namespace taut::collision

#include "exporters/framing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "exporters/surface.h"

namespace taut::exporters {

namespace {

Vec3 widen(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }

// A bounding sphere attached to a body; `body` is −1 for the world.
struct CarriedShape {
    int body;
    BoundingBall ball;
};

std::vector<CarriedShape> carried(const Scene& scene)
{
    std::vector<CarriedShape> all;
    for (const auto& [body, drawn] : scene.shapes) {
        if (drawn.shape.is<Shape::Plane>()) continue;
        BoundingBall ball = bounding_ball(drawn.shape);
        ball.centre = drawn.pose.p + drawn.pose.q * ball.centre;
        all.push_back({body.index, ball});
    }
    for (int i = 0; i < scene.world.body_count(); ++i) all.push_back({i, {}});
    return all;
}

Bounds bounds_at(const std::vector<CarriedShape>& all, const Recording& recording, std::size_t i)
{
    Bounds bounds;
    for (const auto& [body, ball] : all) {
        Vec3 centre = ball.centre;
        if (body >= 0) {
            const BodyTrack& track = recording.bodies()[static_cast<std::size_t>(body)];
            const auto& q = track.rotations[i];
            centre = widen(track.positions[i]) + Quat(q[3], q[0], q[1], q[2]) * ball.centre;
        }
        const Vec3 reach = Vec3::Constant(ball.radius);
        bounds.extend(centre - reach);
        bounds.extend(centre + reach);
    }
    return bounds;
}

}  // namespace

Bounds bounds_of(const Scene& scene, const Recording& recording)
{
    const auto all = carried(scene);
    Bounds bounds;
    if (recording.times().empty() || all.empty()) return bounds;
    bounds = bounds_at(all, recording, 0);
    constexpr Real kFar = 100;
    const Vec3 reach =
        Vec3::Constant(kFar * std::max(bounds.diagonal().norm(), scene.world.size()));
    const Bounds allowed(bounds.center() - reach, bounds.center() + reach);
    for (std::size_t i = 1; i < recording.times().size(); ++i) {
        const Bounds now = bounds_at(all, recording, i);
        bounds.extend(now.intersection(allowed));
    }
    return bounds;
}

Camera frame(const Bounds& bounds)
{
    constexpr Real kHeightAngle = 40 * std::numbers::pi / 180;
    constexpr Real kRoom = 1.1;
    const Vec3 centre = bounds.isEmpty() ? Vec3::Zero() : Vec3(bounds.center());
    const Real radius = bounds.isEmpty() ? 1 : std::max(bounds.diagonal().norm() / 2, 1e-6);
    const Real distance = kRoom * radius / std::sin(kHeightAngle / 2);

    const Vec3 back = Vec3(0.45, -1, 0.35).normalized();
    const Vec3 right = Vec3::UnitZ().cross(back).normalized();
    Mat3 axes;
    axes << right, back.cross(right), back;

    Camera camera;
    camera.pose = {centre + distance * back, Quat(axes)};
    camera.height_angle = kHeightAngle;
    camera.nearest = distance / 1000;
    camera.furthest = 100 * distance;
    return camera;
}

}  // namespace taut::exporters

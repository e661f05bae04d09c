// What is under the point, what is on the way, what is near: queries of a small room, and a trap door that a filter opens.
#include <algorithm>
#include <array>
#include <cstdio>

#include <taut/world.h>

using namespace taut;

// [filter]
// Two colliders meet unless one of them is the trap door that `user` names.
static bool is_closed(void* user, ColliderId a, BodyId, ColliderId b, BodyId) noexcept
{
    const ColliderId open = *static_cast<const ColliderId*>(user);
    return a != open && b != open;
}
// [/filter]

int main()
{
    World world;
    const ColliderId floor = world.add_collider(kWorld, {.shape = Shape::plane()}).value();
    BodyDef crate;
    crate.name = "crate";
    crate.pose.p = {2, 0, 0.5};  // [m]
    crate.user_data = 42;
    const BodyId box = world.add_body(crate).value();
    const ColliderId side =
        world.add_collider(box, {.shape = Shape::box({1, 1, 1}), .groups = 2}).value();

    // [ray]
    // From eye height 5 m ahead, and past the crate.
    const Vec3 eye(0, 0, 0.8), ahead(5, 0, 0);
    if (const auto hit = world.cast_ray(eye, ahead))
        std::printf("%.2f m ahead: '%s'\n", hit->distance,
                    std::string(world.name(hit->body)).c_str());
    const auto behind = world.cast_ray(eye, ahead, {.ignore = box});
    const auto ground = world.cast_ray({2, 0, 9}, {0, 0, -10}, {.groups = 1});
    // [/ray]
    if (behind || !ground || ground->collider != floor) return 1;

    // [all]
    // All colliders on the way, nearest first, as many as there is room for.
    std::array<CastHit, 8> hits;
    const std::size_t found = world.cast_ray_all({2, 0, 9}, {0, 0, -10}, hits);
    for (std::size_t k = 0; k < std::min(found, hits.size()); ++k)
        std::printf("collider %d at %.2f m\n", hits[k].collider.index, hits[k].distance);
    // [/all]
    if (found != 2 || hits[0].collider != side) return 1;

    // [shape]
    // How far can a ball of 0.3 m roll, and is there room for one beside the crate?
    const QueryShape ball = QueryShape::make(Shape::sphere(0.3)).value();
    const Pose start{{0, 0, 0.31}, Quat::Identity()};
    const auto wall = world.cast_shape(ball, start, ahead);
    std::array<OverlapHit, 4> overlaps;
    const bool is_free = world.overlap(ball, start, overlaps) == 0;
    const auto nearest = world.nearest(Vec3(0, 0, 3), 10);  // from a point, within 10 m
    // [/shape]
    if (!wall || !is_free || !nearest) return 1;
    std::printf("rolls %.2f m; nearest to the lamp: collider %d, %.2f m\n", wall->distance,
                nearest->collider.index, nearest->distance);

    // [run]
    // The crate rests on the floor until the floor is opened below it.
    ColliderId open{};
    world.set_contact_filter(is_closed, &open);
    for (int i = 0; i < 60; ++i) {
        if (i == 30) open = floor;
        if (world.step({.dt = 1.0 / 60}).status != StepStatus::Ok) return 1;
        for (const Event& event : world.events())
            if (event.type != EventType::ContactPersist)
                std::printf("%.2f s: %s of %llu\n", world.time(),
                            std::string(name(event.type)).c_str(),
                            static_cast<unsigned long long>(world.user_data(event.b)));
    }
    // [/run]
    return world.pose(box).p.z() < -0.5 ? 0 : 1;
}

// A thousand balls are dropped onto a slope while the world runs, and removed when they have rolled off its end.
#include <cstdio>
#include <vector>

#include <taut/solids.h>
#include <taut/world.h>

int main()
{
    taut::World world;
    taut::ColliderDef slope;
    slope.shape = taut::Shape::box({6, 8, 0.2});                 // [m]
    slope.pose.q = Eigen::AngleAxisd(0.3, taut::Vec3::UnitY());  // [rad]
    world.add_collider(taut::kWorld, slope).value();

    std::vector<taut::BodyId> balls;
    int added = 0, removed = 0;
    for (int i = 0; removed < 1000 && i < 6000; ++i) {
        if (added < 1000 && i % 2 == 0) {
            const taut::Shape shape = taut::Shape::sphere(0.1);        // [m]
            taut::BodyDef ball = taut::solid(shape, 120).value();      // [kg/m³]
            ball.pose.p = {-1.5, -3.5 + (added * 7 % 15) * 0.5, 1.5};  // [m]
            balls.push_back(world.add_body(ball).value());
            world.add_collider(balls.back(), {.shape = shape}).value();
            ++added;
        }
        if (world.step({.dt = 1.0 / 60}).status != taut::StepStatus::Ok) return 1;

        // all that fell below the slope at once: one pass over the world for any number of them
        std::vector<taut::BodyId> gone;
        for (const taut::BodyId ball : balls)
            if (world.centre_of_mass(ball).z() < -4) gone.push_back(ball);
        if (gone.empty()) continue;
        removed += world.remove(gone).value().bodies;
        std::erase_if(balls, [&](taut::BodyId ball) { return !world.contains(ball); });
    }
    std::printf("added %d, removed %d, still there %d; after %.1f s\n", added, removed,
                world.body_count(), world.time());
    return removed == 1000 && world.body_count() == 0 ? 0 : 1;
}

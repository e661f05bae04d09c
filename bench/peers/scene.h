// A mechanism in words that every engine understands, and the scenes that they are compared on.
//
//     S1  o--=--=--=--( R )        released horizontally            o  joint on the ground, at the origin
//     S2  the same with hinges, axes z, y, z, y …                   =  ball joint between links of 0.1 m, 1 kg
//     S3  hanging, all of it turning about the anchor              (R) sphere of R kg and 0.1 m radius
// With `turn` everything also turns about the vertical through the origin; velocities satisfy all joints.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <taut/types.h>

namespace taut::peers {

struct Shape {
    enum class Kind { Sphere, Box, Capsule };  // capsules lie along z
    Kind kind = Kind::Sphere;
    Real radius = 0.05;        // sphere, capsule [m]
    Real length = 0.1;         // capsule: between the centres of its round ends [m]
    Vec3 size = Vec3::Ones();  // box: edges [m]
    Real friction = 0.5;
};

// Origin and axes of a body: its centre of mass and principal axes.
struct Body {
    Real mass = 1;                // [kg]
    Vec3 inertia = Vec3::Ones();  // principal moments [kg m²]
    Pose pose;
    Twist velocity;              // world axes
    std::optional<Shape> shape;  // what it touches others with
};

// Body a = −1 is the ground; b is always a body. Given in the world, at the start.
struct Joint {
    enum class Kind { Ball, Hinge };
    Kind kind = Kind::Ball;
    int a = -1, b = 0;
    Vec3 point = Vec3::Zero();
    Vec3 axis = Vec3::UnitY();  // hinge
    bool closes_loop = false;   // the other joints are a tree; body b of those comes after body a
    Real limit = 0;  // hinge: turns by at most this either way from its start [rad]; 0: freely
};

struct Scene {
    std::string name;
    std::vector<Body> bodies;
    std::vector<Joint> joints;
    Vec3 gravity{0, 0, -9.81};
    // A root that is shaken by x(t) = −A/ω² sin ωt is a root at rest in a field g + A sin ωt: the form that all engines have.
    Vec3 shake = Vec3::Zero();  // A [m/s²]
    Real shake_rate = 0;        // ω [rad/s]
    bool floor = false;         // half space below z = 0, friction 0.5
    Real size = 1;              // what 5 % of a gap is measured by [m]
    Real width = 0.1;           // of what lies on the floor: what an overlap is measured by [m]
    bool calm = false;  // stands still from the start: any overlap is a failure, at any time
    Real drop = 1;      // what 5 % of energy is measured by [J]

    Vec3 gravity_at(Real time) const { return gravity + shake * std::sin(shake_rate * time); }
};

struct SceneChoice {
    std::string name = "S1";
    int n = 10;      // links, or whatever the scene counts
    Real ratio = 1;  // R
    Real turn = 0;   // about the vertical [rad/s]
    int seed = 0;    // of the scenes that are drawn at random
};

// Throws std::invalid_argument for a name that is not in the list.
Scene make_scene(const SceneChoice& choice);
std::vector<std::string_view> scene_names();

}  // namespace taut::peers

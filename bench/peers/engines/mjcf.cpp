#include "engines/mjcf.h"

#include <cstdio>

namespace taut::peers {
namespace {

std::string numbers(std::initializer_list<double> list)
{
    std::string text;
    char word[32];
    for (const double x : list) {
        std::snprintf(word, sizeof word, "%s%.17g", text.empty() ? "" : " ", x);
        text += word;
    }
    return text;
}

std::string numbers(const Vec3& v) { return numbers({v.x(), v.y(), v.z()}); }
std::string numbers(const Quat& q) { return numbers({q.w(), q.x(), q.y(), q.z()}); }

Vec3 in_body(const Pose& x, const Vec3& p) { return x.q.conjugate() * (p - x.p); }

std::string name(int body) { return body < 0 ? "world" : "b" + std::to_string(body); }

struct Tree {
    const Scene& scene;
    std::vector<const Joint*> holds;         // joint above each body, null for free ones
    std::vector<std::vector<int>> children;  // [0] those of the ground

    explicit Tree(const Scene& s) : scene(s), holds(s.bodies.size()), children(s.bodies.size() + 1)
    {
        for (const Joint& joint : scene.joints)
            if (!joint.closes_loop) holds[joint.b] = &joint;
        for (std::size_t i = 0; i < holds.size(); ++i)
            children[holds[i] ? holds[i]->a + 1 : 0].push_back(static_cast<int>(i));
    }

    void order(int body, std::vector<int>& out) const
    {
        if (body >= 0) out.push_back(body);
        for (const int child : children[body + 1]) order(child, out);
    }
};

std::string geom(const Shape& s)
{
    const std::string common = " friction=\"" + numbers({s.friction, 0.005, 0.0001}) + "\"/>";
    switch (s.kind) {
        case Shape::Kind::Box:
            return "<geom type=\"box\" size=\"" + numbers(Vec3(s.size / 2)) + "\"" + common;
        case Shape::Kind::Capsule:
            return "<geom type=\"capsule\" size=\"" + numbers({s.radius, s.length / 2}) + "\"" +
                   common;
        default: return "<geom type=\"sphere\" size=\"" + numbers({s.radius}) + "\"" + common;
    }
}

constexpr int kDeepest = 50;

// Into the last file or, at every so many levels, into one of its own.
void write(const Tree& tree, int index, const Options& options, int depth,
           std::vector<std::string>& files, std::size_t file)
{
    if (depth == kDeepest) {
        files[file] += "<include file=\"part" + std::to_string(files.size()) + ".xml\"/>";
        file = files.size();
        depth = 0;
        files.emplace_back("<mujocoinclude>");
        write(tree, index, options, depth, files, file);
        files[file] += "</mujocoinclude>";
        return;
    }
    std::string out;
    const Body& body = tree.scene.bodies[index];
    const Joint* joint = tree.holds[index];
    const Pose above = joint && joint->a >= 0 ? tree.scene.bodies[joint->a].pose : Pose{};
    out += "<body name=\"" + name(index) + "\" pos=\"" + numbers(in_body(above, body.pose.p)) +
           "\" quat=\"" + numbers(Quat(above.q.conjugate() * body.pose.q)) + "\">";
    out += "<inertial pos=\"0 0 0\" mass=\"" + numbers({body.mass}) + "\" diaginertia=\"" +
           numbers(body.inertia) + "\"/>";
    if (!joint) {
        out += "<freejoint/>";
    } else {
        const bool ball = joint->kind == Joint::Kind::Ball;
        out += std::string("<joint type=\"") + (ball ? "ball" : "hinge") + "\" pos=\"" +
               numbers(in_body(body.pose, joint->point)) + "\" damping=\"" +
               numbers({options.damping}) + "\"";
        if (joint->limit > 0) out += " range=\"" + numbers({-joint->limit, joint->limit}) + "\"";
        if (!ball) out += " axis=\"" + numbers(Vec3(body.pose.q.conjugate() * joint->axis)) + "\"";
        out += "/>";
    }
    if (body.shape) out += geom(*body.shape);
    files[file] += out;
    for (const int child : tree.children[index + 1])
        write(tree, child, options, depth + 1, files, file);
    files[file] += "</body>";
}

}  // namespace

std::vector<std::string> mjcf(const Scene& scene, const Options& options, const MjcfChoice& choice)
{
    const Tree tree(scene);
    std::string out =
        "<mujoco><compiler inertiafromgeom=\"false\" angle=\"radian\" autolimits=\"true\"/>";
    out += "<option integrator=\"" + choice.integrator + "\" gravity=\"" + numbers(scene.gravity) +
           "\"/>";
    out += "<size " + choice.memory + "/><worldbody>";
    if (scene.floor) out += "<geom type=\"plane\" size=\"0 0 1\" friction=\"0.5 0.005 0.0001\"/>";
    std::vector<std::string> files{out};
    for (const int child : tree.children[0]) write(tree, child, options, 0, files, 0);
    out = "</worldbody><equality>";
    for (const Joint& joint : scene.joints)
        if (joint.closes_loop)
            out += "<connect body1=\"" + name(joint.b) + "\" body2=\"" + name(joint.a) +
                   "\" anchor=\"" + numbers(in_body(scene.bodies[joint.b].pose, joint.point)) +
                   "\" solref=\"1e-6 1\" solimp=\"0.999 0.999 0.001\"/>";
    files[0] += out + "</equality></mujoco>";
    return files;
}

std::vector<int> mjcf_order(const Scene& scene)
{
    std::vector<int> order;
    Tree(scene).order(-1, order);
    return order;
}

std::vector<double> mjcf_velocities(const Scene& scene)
{
    const Tree tree(scene);
    std::vector<double> out;
    for (const int i : mjcf_order(scene)) {
        const Body& body = scene.bodies[i];
        const Joint* joint = tree.holds[i];
        const Vec3 turning =
            body.velocity.angular -
            (joint && joint->a >= 0 ? scene.bodies[joint->a].velocity.angular : Vec3(Vec3::Zero()));
        if (joint && joint->kind == Joint::Kind::Hinge) {
            out.push_back(turning.dot(joint->axis));
            continue;
        }
        // free bodies: linear in the world, then angular; both kinds turn in their own axes
        const Vec3 own = body.pose.q.conjugate() * turning;
        if (!joint)
            out.insert(out.end(), body.velocity.linear.data(), body.velocity.linear.data() + 3);
        out.insert(out.end(), own.data(), own.data() + 3);
    }
    return out;
}

}  // namespace taut::peers

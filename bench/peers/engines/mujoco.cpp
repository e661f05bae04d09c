// MuJoCo 2.2 in reduced coordinates: the tree with ball and hinge joints, loops as equalities.
//
//   mujoco-euler     semi-implicit Euler with joint damping treated implicitly: the default
//   mujoco-implicit  implicit in velocity: what its documentation recommends for fast turning
//   mujoco-rk4       Runge-Kutta of fourth order: what it recommends where energy is to be kept
// Everything else at its defaults (Newton solver). --damping is joint damping [N m s/rad].
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "engines/mjcf.h"

namespace taut::peers {
namespace {

void say_nothing(const char*) {}
void give_up(const char* why) { throw std::runtime_error(why); }

// Of its own accord it makes room for few contacts. Memory grows with the square of the rows.
std::string room_for(std::size_t bodies)
{
    const std::size_t rows = std::max<std::size_t>(6000, 20 * bodies);
    const std::size_t contacts = std::max<std::size_t>(2000, 5 * bodies);
    return "njmax=\"" + std::to_string(rows) + "\" nconmax=\"" + std::to_string(contacts) +
           "\" nstack=\"" + std::to_string(bodies > 100 ? 80000000 : 40000000) + "\"";
}

class MuJoCo final : public LocalEngine {
public:
    MuJoCo(const Scene& scene, const Options& options, const char* integrator)
        : order_(mjcf_order(scene))
    {
        mju_user_warning = say_nothing;  // or it writes a log file into the working directory
        mju_user_error = give_up;
        const std::string room = scene.floor ? room_for(scene.bodies.size()) : "";
        const std::vector<std::string> xml = mjcf(scene, options, {integrator, room});
        const auto files = std::make_unique<mjVFS>();
        mj_defaultVFS(files.get());
        for (std::size_t i = 0; i < xml.size(); ++i) {
            const std::string name = i == 0 ? "scene.xml" : "part" + std::to_string(i) + ".xml";
            mj_makeEmptyFileVFS(files.get(), name.c_str(), static_cast<int>(xml[i].size()));
            std::memcpy(files->filedata[i], xml[i].data(), xml[i].size());
        }
        char why[500] = "";
        model_ = mj_loadXML("scene.xml", files.get(), why, sizeof why);
        mj_deleteVFS(files.get());
        if (!model_) throw std::runtime_error(why);
        data_ = mj_makeData(model_);
        const std::vector<double> start = mjcf_velocities(scene);
        std::copy(start.begin(), start.end(), data_->qvel);
    }

    ~MuJoCo() override
    {
        mj_deleteData(data_);
        mj_deleteModel(model_);
    }

    void set_gravity(const Vec3& g) override
    {
        for (int k = 0; k < 3; ++k) model_->opt.gravity[k] = g[k];
    }

    void read(std::vector<Body>& bodies) override
    {
        // a step leaves positions and velocities new and all that follows from them old
        mj_kinematics(model_, data_);
        mj_comPos(model_, data_);
        mj_comVel(model_, data_);
        for (std::size_t k = 0; k < order_.size(); ++k) {
            const int id = static_cast<int>(k) + 1;
            const mjtNum *p = data_->xpos + 3 * id, *q = data_->xquat + 4 * id;
            mjtNum v[6];
            mj_objectVelocity(model_, data_, mjOBJ_BODY, id, v, 0);
            Body& body = bodies[order_[k]];
            body.pose = {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}};
            body.velocity = {{v[3], v[4], v[5]}, {v[0], v[1], v[2]}};
        }
    }

protected:
    void step(Real h) override
    {
        model_->opt.timestep = h;
        mj_step(model_, data_);
        // on numbers that are none it begins anew from the start: not what was asked for
        for (const int trouble : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC})
            if (data_->warning[trouble].number > 0) throw std::runtime_error("it reset itself");
        for (const int trouble : {mjWARN_CONTACTFULL, mjWARN_CNSTRFULL})
            if (data_->warning[trouble].number > 0)
                throw std::runtime_error("no room for contacts");
    }

private:
    std::vector<int> order_;
    mjModel* model_ = nullptr;
    mjData* data_ = nullptr;
};

std::unique_ptr<Engine> make_euler(const Scene& scene, const Options& options)
{
    return std::make_unique<MuJoCo>(scene, options, "Euler");
}

std::unique_ptr<Engine> make_implicit(const Scene& scene, const Options& options)
{
    return std::make_unique<MuJoCo>(scene, options, "implicit");
}

std::unique_ptr<Engine> make_rk4(const Scene& scene, const Options& options)
{
    return std::make_unique<MuJoCo>(scene, options, "RK4");
}

}  // namespace

const std::vector<EngineInfo>& engines()
{
    static const std::vector<EngineInfo> list = {
        {.name = "mujoco-euler", .setting = "MuJoCo 2.2 tree, Euler", .make = make_euler},
        {.name = "mujoco-implicit", .setting = "MuJoCo 2.2 tree, implicit", .make = make_implicit},
        {.name = "mujoco-rk4", .setting = "MuJoCo 2.2 tree, RK4", .make = make_rk4},
    };
    return list;
}

}  // namespace taut::peers

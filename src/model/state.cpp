#include "model/state.h"

namespace taut::model {

void append_body(State& state, const Vec3& p, const Quat& q, const Vec3& v, const Vec3& w)
{
    state.p.push_back(p);
    state.q.push_back(q);
    state.v.push_back(v);
    state.w.push_back(w);
    state.spin_up.emplace_back(Vec3::Zero());
    state.wrench.emplace_back();
    state.commands.bodies.emplace_back();
    state.history.p.push_back(p);
    state.history.q.push_back(q);
    state.history.v.push_back(v);
    state.history.w.push_back(w);
    for (Rates* rates : {&state.rates, &state.history.rates}) {
        rates->linear.emplace_back(Vec3::Zero());
        rates->angular.emplace_back(Rates::Vec4::Zero());
    }
}

State make_state()
{
    State state;
    append_body(state, Vec3::Zero(), Quat::Identity(), Vec3::Zero(), Vec3::Zero());
    return state;
}

}  // namespace taut::model

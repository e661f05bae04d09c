// How much of a swing each method keeps: the heavy chain in space, and a cable pendulum.
//
// Chain: 10 links of 1 kg and 0.1 m, ball joints, the last 1e4 kg, released horizontally while turning about the
// vertical at 0.3 rad/s, 60 Hz. Cable: cable_pendulum(), h = 0.01 s, 40 s.
#include <cstdio>
#include <string>

#include "study.h"

using namespace taut;
using namespace taut::study;

namespace {

std::string percent(Real share)
{
    char text[32];
    std::snprintf(text, sizeof text, share < 0 ? "fails" : "%.2f %%", 100 * share);
    return text;
}

}  // namespace

int main(int count, char** words)
{
    Arguments arguments(count, words,
                        "usage: swing\nPrints how much of a swing each method keeps.");
    arguments.done();
    struct Method {
        Scheme scheme;
        Stabilisation stabilisation;
    };
    std::printf(
        "| method | chain after 10 s | after 20 s | turn about the vertical after 10 s | cable "
        "after "
        "40 s |\n|---|---|---|---|---|\n");
    for (const Method& method : {Method{Scheme::Automatic, Stabilisation::Tension},
                                 Method{Scheme::Midpoint, Stabilisation::Tension},
                                 Method{Scheme::Adams, Stabilisation::Tension},
                                 Method{Scheme::Bdf2, Stabilisation::Tension},
                                 Method{Scheme::BackwardEuler, Stabilisation::Tension},
                                 Method{Scheme::BackwardEuler, Stabilisation::Exact},
                                 Method{Scheme::BackwardEuler, Stabilisation::Symmetric},
                                 Method{Scheme::BackwardEuler, Stabilisation::ConstraintDamping},
                                 Method{Scheme::BackwardEuler, Stabilisation::InertialDamping},
                                 Method{Scheme::BackwardEuler, Stabilisation::RotationalDamping},
                                 Method{Scheme::BackwardEuler, Stabilisation::BlockDamping}}) {
        StepSettings settings;
        settings.research.scheme = method.scheme;
        settings.research.stabilisation = method.stabilisation;
        const Cell chain{Kind::Ball, 10, 1e4, settings.dt, 0, 0.3};
        World ten = build(chain), twenty = build(chain), swinging = cable_pendulum();
        const Real turn = ten.momentum().angular.z();
        const Real after_10 = kept_of_swing(ten, settings, 10, 2);
        const Real turn_kept = after_10 < 0 ? -1 : ten.momentum().angular.z() / turn;
        const Real after_20 = kept_of_swing(twenty, settings, 20, 2);
        settings.dt = 0.01;
        const Real after_40 = kept_of_swing(swinging, settings, 40, 7);
        std::printf("| `%s`, `%s` | %s | %s | %s | %s |\n",
                    std::string(choice_name(schemes(), method.scheme)).c_str(),
                    std::string(choice_name(stabilisations(), method.stabilisation)).c_str(),
                    percent(after_10).c_str(), percent(after_20).c_str(),
                    percent(turn_kept).c_str(), percent(after_40).c_str());
    }
    return 0;
}

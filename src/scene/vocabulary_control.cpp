// Tables of controls, logic, commands and the condition that stops a run.
#include "scene/vocabulary.h"

namespace taut::scene {
namespace {

const Section& gamepad_section()
{
    static const Section section{
        .name = "gamepad",
        .summary = "what moves the control; numbers of the standard gamepad of browsers",
        .keys =
            {
                {.name = "axis",
                 .form = Form::Integer,
                 .summary = "0 and 1: left stick; 2 and 3: right stick",
                 .least = 0,
                 .most = 31},
                {.name = "reversed",
                 .form = Form::Flag,
                 .summary = "of an axis: up and left, which count negative, raise the value"},
                {.name = "button",
                 .form = Form::Integer,
                 .summary = "of a switch",
                 .least = 0,
                 .most = 31},
            },
        .groups = {{Group::Rule::ExactlyOne, {"axis", "button"}},
                   {Group::Rule::AtMostOne, {"reversed", "button"}}},
    };
    return section;
}

const Section& pid_section()
{
    static const Section section{
        .name = "pid",
        .summary = "kp (target − of) + ki ∫ (target − of) dt − kd rate, within min and max",
        .keys =
            {
                {.name = "of",
                 .form = Form::Formula,
                 .summary = "what is controlled",
                 .required = true},
                {.name = "target",
                 .form = Form::Formula,
                 .summary = "what it is to be",
                 .required = true},
                {.name = "rate",
                 .form = Form::Formula,
                 .summary = "rate of `of`, such as joint.x.angle_rate; default: difference of its "
                            "last two values"},
                {.name = "kp", .summary = "default 0"},
                {.name = "ki", .summary = "default 0"},
                {.name = "kd", .summary = "default 0"},
                {.name = "min", .summary = "lower bound; the sum does not wind up at it"},
                {.name = "max", .summary = "upper bound"},
            },
        .groups = {{Group::Rule::AtLeastOne, {"kp", "ki", "kd"}}},
    };
    return section;
}

}  // namespace

const Section& control_section()
{
    static const Section section{
        .name = "control",
        .summary = "an input that formulas use by its name",
        .keys =
            {
                {.name = "type",
                 .form = Form::Choice,
                 .summary = "axis (default): a number; switch: 0 or 1, toggled",
                 .choices = {"axis", "switch"}},
                {.name = "unit", .form = Form::Text, .summary = "unit, for display only"},
                {.name = "min", .summary = "lowest value, default -1"},
                {.name = "max", .summary = "highest value, default 1"},
                {.name = "default",
                 .form = Form::Scalar,
                 .summary =
                     "value at the start and without input, default 0; of a switch: on, off"},
                {.name = "rate",
                 .summary = "the value follows the input at most this fast; default: at once",
                 .unit = "unit/s",
                 .above = 0},
                {.name = "keys",
                 .form = Form::Texts,
                 .summary = "the keys that raise and lower it, or that toggles a switch",
                 .fewest_items = 1,
                 .most_items = 2},
                {.name = "gamepad",
                 .form = Form::Map,
                 .summary = "an axis, or the button of a switch",
                 .section = &gamepad_section()},
                {.name = "doc", .form = Form::Text, .summary = "description"},
            },
    };
    return section;
}

const Section& logic_section()
{
    static const Section section{
        .name = "logic",
        .summary = "a named value of controls, readings and logic above it",
        .keys =
            {
                {.name = "value", .form = Form::Formula, .summary = "of the formula"},
                {.name = "latch", .form = Form::Formula, .summary = "1 from when this is not 0 …"},
                {.name = "reset",
                 .form = Form::Formula,
                 .summary = "… until this is not 0 and the condition of the latch is 0"},
                {.name = "integral",
                 .form = Form::Formula,
                 .summary = "grows by this per second, within min and max"},
                {.name = "start", .summary = "of an integral, default 0"},
                {.name = "min", .summary = "of an integral"},
                {.name = "max", .summary = "of an integral"},
                {.name = "pid",
                 .form = Form::Map,
                 .summary = "a PID controller",
                 .section = &pid_section()},
                {.name = "unit", .form = Form::Text, .summary = "unit, for display only"},
            },
        .groups = {{Group::Rule::ExactlyOne, {"value", "latch", "integral", "pid"}}},
    };
    return section;
}

const Section& command_section()
{
    static const Section section{
        .name = "command",
        .summary = "formulas that command a joint, a spring or a body",
        .keys =
            {
                {.name = "joint", .form = Form::Text, .summary = "name; a drive is NAME.motor"},
                {.name = "spring", .form = Form::Text, .summary = "name"},
                {.name = "body", .form = Form::Text, .summary = "name"},
                {.name = "target",
                 .form = Form::Formula,
                 .summary = "of a motor: speed; of a servo: angle or displacement"},
                {.name = "max_force",
                 .form = Form::Formula,
                 .summary = "of a drive that has one",
                 .unit = "N m or N"},
                {.name = "limits",
                 .form = Form::Formulas,
                 .summary = "[lower, upper] of NAME.angle_limits or NAME.slide_limits",
                 .unit = "rad or m",
                 .fewest_items = 2,
                 .most_items = 2},
                {.name = "stiffness",
                 .form = Form::Formula,
                 .summary = "of a spring or a servo",
                 .unit = "N/m or N m/rad"},
                {.name = "damping",
                 .form = Form::Formula,
                 .summary = "of a spring or a servo",
                 .unit = "N s/m or N m s/rad"},
                {.name = "rest",
                 .form = Form::Formula,
                 .summary = "unloaded length or angle of a spring",
                 .unit = "m or rad"},
                {.name = "velocity",
                 .form = Form::Formulas,
                 .summary = "of the origin of a kinematic body, world axes",
                 .unit = "m/s",
                 .fewest_items = 3,
                 .most_items = 3},
                {.name = "angular_velocity",
                 .form = Form::Formulas,
                 .summary = "of a kinematic body, world axes",
                 .unit = "rad/s",
                 .fewest_items = 3,
                 .most_items = 3},
                {.name = "force",
                 .form = Form::Formulas,
                 .summary = "on a rigid body or a particle",
                 .unit = "N",
                 .fewest_items = 3,
                 .most_items = 3},
                {.name = "torque",
                 .form = Form::Formulas,
                 .summary = "on a rigid body",
                 .unit = "N m",
                 .fewest_items = 3,
                 .most_items = 3},
                {.name = "point",
                 .form = Form::Vector,
                 .summary = "where the force acts, body axes; default the centre of mass",
                 .unit = "m"},
                {.name = "coordinates",
                 .form = Form::Choice,
                 .summary = "axes of force and torque",
                 .choices = {"world", "body"}},
                {.name = "enabled",
                 .form = Form::Formula,
                 .summary = "0: a joint holds nothing, a body stays where it is"},
            },
        .groups = {{Group::Rule::ExactlyOne, {"joint", "spring", "body"}},
                   {Group::Rule::AtLeastOne,
                    {"target", "max_force", "limits", "stiffness", "damping", "rest", "velocity",
                     "angular_velocity", "force", "torque", "enabled"}}},
    };
    return section;
}

const Section& stop_section()
{
    static const Section section{
        .name = "stop",
        .summary = "ends the run",
        .keys =
            {
                {.name = "when",
                 .form = Form::Formula,
                 .summary = "at the end of the first step in which this is not 0",
                 .required = true},
                {.name = "reason", .form = Form::Text, .summary = "for the report"},
            },
    };
    return section;
}

}  // namespace taut::scene

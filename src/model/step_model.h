// What one step is taken with: the model, which is constant, and the rows of contacts, which the collision search
// finds anew for every step.
#pragma once

#include "core/assert.h"
#include "model/model.h"

namespace taut::model {

// What a contact, or its resistance to rolling, has besides its geometry.
struct ContactCoefficients {
    Real friction = 0;          // while it sticks [-]
    Real sliding_friction = 0;  // while it slides, ≤ friction [-]
    Real restitution = 0;       // [-]
    Real half_width = 1;        // of the thinner body [m]
    // Of a resistance to rolling:
    int normal_row = -1;  // of the contact that it belongs to; −1: this is a contact
    Real spinning = 0;    // largest torque about the normal over the normal force [m]
    Real rolling = 0;     // the same about the tangents [m]
};

// The rows of one step: a copy of the joints' rows, followed by those of contacts.
struct StepRows {
    RowTable table;
    Pool<Contact> contacts;
    Pool<Rolling> resistances;                      // to rolling; each follows its contact
    std::vector<ContactCoefficients> coefficients;  // per group of a contact, see coefficients_of()
    std::uint64_t topology = 0;  // grows with every change; layouts are made for one value
    std::uint64_t model_topology = ~std::uint64_t(0);  // of the model whose joints are in the table
    // What lengths are measured against: the diagonal of the box around the bodies that move, their joints and colliders,
    // as they were added; one metre where all is in one point [m].
    Real size = 1;

    // Takes the joints of a model, and no contacts, where the model has changed since the last call.
    void load_joints(const Model& model);
    void drop_contacts() noexcept;
    // Reads `size`, which load_joints() does as well.
    void read_size(const Model& model) noexcept;
    // Adds a contact (law Cone) or a resistance to rolling (law Interval); returns its group. The geometry is written by
    // the caller.
    int append_contact();
    int append_resistance(int normal_row);

    template <class T>
    Pool<T>& pool() noexcept
    {
        if constexpr (std::is_same_v<T, Contact>)
            return contacts;
        else
            return resistances;
    }
    template <class T>
    const Pool<T>& pool() const noexcept
    {
        return const_cast<StepRows*>(this)->pool<T>();
    }
    bool has_coefficients_of(int group) const noexcept
    {
        return table.is_contact(group) &&
               static_cast<std::size_t>(group - table.joints) < coefficients.size();
    }
    const ContactCoefficients& coefficients_of(int group) const noexcept
    {
        TAUT_ASSERT(has_coefficients_of(group));
        return coefficients[group - table.joints];
    }
    ContactCoefficients& coefficients_of(int group) noexcept
    {
        TAUT_ASSERT(has_coefficients_of(group));
        return coefficients[group - table.joints];
    }
};

// A view of both. `rows` is the table of the step; functions that do not care about contacts take a Model.
struct StepModel {
    StepModel(const Model& model_in, const StepRows& step_rows) noexcept
        : model(model_in),
          contacts(step_rows),
          rows(step_rows.table),
          gravity(model_in.gravity),
          bodies(model_in.bodies),
          body_details(model_in.body_details),
          joints(model_in.joints),
          springs(model_in.springs),
          loads(model_in.loads),
          linear_springs(model_in.linear_springs),
          torsional_springs(model_in.torsional_springs)
    {}

    operator const Model&() const noexcept { return model; }  // NOLINT: it is one, with contacts

    std::uint64_t topology() const noexcept { return contacts.topology; }
    Real size() const noexcept { return contacts.size; }
    // Whether the rows are those of the model as it is: false after a change, until StepRows::load_joints().
    bool up_to_date() const noexcept { return contacts.model_topology == model.topology; }
    // Of a group; only contacts have one.
    Real restitution(int group) const noexcept
    {
        return rows.is_contact(group) ? contacts.coefficients_of(group).restitution : 0;
    }

    template <class T>
    const Pool<T>& pool() const noexcept
    {
        if constexpr (kIsContact<T>)
            return contacts.pool<T>();
        else
            return model.pool<T>();
    }

    const Model& model;
    const StepRows& contacts;
    const RowTable& rows;
    const Vec3& gravity;
    const std::vector<BodyModel>& bodies;
    const std::vector<BodyDetails>& body_details;
    const std::vector<JointModel>& joints;
    const std::vector<SpringModel>& springs;
    const std::vector<LoadModel>& loads;
    const Pool<Rod>& linear_springs;
    const Pool<TwistAngle>& torsional_springs;
};

}  // namespace taut::model

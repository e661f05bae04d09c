#include "readings/fields.h"

namespace taut::readings {
namespace {

void add(ContactSum& sum, const ContactReading& contact, bool on_a)
{
    sum.penetration = std::max(sum.penetration, -contact.gap);
    if (contact.force.isZero(0)) return;
    ++sum.count;
    sum.normal += std::abs(contact.normal.dot(contact.force));
    sum.net += on_a ? contact.force : Vec3(-contact.force);
}

}  // namespace

ContactSum sum_contacts(const World& world)
{
    ContactSum sum;
    for (const ContactReading& contact : world.contact_points()) add(sum, contact, true);
    return sum;
}

ContactSum sum_contacts(const World& world, BodyId body)
{
    ContactSum sum;
    for (const ContactReading& contact : world.contact_points())
        if (contact.a == body || contact.b == body) add(sum, contact, contact.a == body);
    return sum;
}

ContactSum sum_contacts(const World& world, BodyId body, BodyId other)
{
    ContactSum sum;
    for (const ContactReading& contact : world.contact_points())
        if ((contact.a == body && contact.b == other) || (contact.b == body && contact.a == other))
            add(sum, contact, contact.a == body);
    return sum;
}

int broken_joints(const World& world) noexcept
{
    int count = 0;
    for (int i = 0; i < world.joint_count(); ++i) count += world.broken(world.joint_at(i)) ? 1 : 0;
    return count;
}

}  // namespace taut::readings

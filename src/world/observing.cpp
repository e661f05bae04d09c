// Queries, events, surfaces of pairs and user data: what Queries and EventLog know, under the ids of callers.
#include <algorithm>

#include "world/world_impl.h"

namespace taut {

// --- what they have in common ---

const Queries& World::Impl::current_queries()
{
    queries.update(model, state, step.contacts.colliders());
    return queries;
}

// Where memory is short events tell it after the next step.
void World::Impl::observe() noexcept
{
    queries.invalidate();
    try {
        log.read_contacts(state);
        if (log.has_sensors()) current_queries();
        log.observe(model, state, queries);
    } catch (const std::exception&) {
        log.clear();
    }
}

// A stale id to ignore ignores nothing.
QueryFilter World::Impl::model_filter(const QueryFilter& filter) const noexcept
{
    QueryFilter out = filter;
    if (filter.ignore) out.ignore = model_id(*filter.ignore);
    return out;
}

template <class Hit>
void World::Impl::name_hit(Hit& hit) const noexcept
{
    hit.body = id(index_of(hit.body));
    hit.collider = ids.colliders.id_at(hit.collider.index);
}

template <class Hit>
std::optional<Hit> World::Impl::named(std::optional<Hit> hit) const noexcept
{
    if (hit) name_hit(*hit);
    return hit;
}

template <class Hit>
std::size_t World::Impl::named(std::size_t found, std::span<Hit> hits) const noexcept
{
    for (Hit& hit : hits.first(std::min(found, hits.size()))) name_hit(hit);
    return found;
}

Status World::Impl::check_pair(ColliderId a, ColliderId b) const
{
    for (const ColliderId id : {a, b})
        if (auto known = check(id); !known)
            return Error{text("surface of a pair: ", known.error().message)};
    if (a == b) return Error{"surface of a pair: the two colliders are the same"};
    return Done{};
}

// --- queries ---

void World::update_queries() const { impl_->current_queries(); }

std::optional<CastHit> World::cast_ray(const Vec3& from, const Vec3& way,
                                       const QueryFilter& filter) const
{
    return impl_->named(impl_->current_queries().cast_ray(from, way, impl_->model_filter(filter)));
}

std::optional<CastHit> World::cast_shape(const QueryShape& shape, const Pose& pose, const Vec3& way,
                                         const QueryFilter& filter) const
{
    return impl_->named(
        impl_->current_queries().cast_shape(shape, pose, way, impl_->model_filter(filter)));
}

std::size_t World::cast_ray_all(const Vec3& from, const Vec3& way, std::span<CastHit> hits,
                                const QueryFilter& filter) const
{
    return impl_->named(
        impl_->current_queries().cast_ray(from, way, impl_->model_filter(filter), hits), hits);
}

std::size_t World::cast_shape_all(const QueryShape& shape, const Pose& pose, const Vec3& way,
                                  std::span<CastHit> hits, const QueryFilter& filter) const
{
    return impl_->named(
        impl_->current_queries().cast_shape(shape, pose, way, impl_->model_filter(filter), hits),
        hits);
}

std::size_t World::overlap(const QueryShape& shape, const Pose& pose, std::span<OverlapHit> hits,
                           const QueryFilter& filter) const
{
    return impl_->named(
        impl_->current_queries().overlap(shape, pose, impl_->model_filter(filter), hits), hits);
}

std::optional<NearestHit> World::nearest(const Vec3& point, Real within,
                                         const QueryFilter& filter) const
{
    return impl_->named(
        impl_->current_queries().nearest(point, within, impl_->model_filter(filter)));
}

std::optional<NearestHit> World::nearest(const QueryShape& shape, const Pose& pose, Real within,
                                         const QueryFilter& filter) const
{
    return impl_->named(
        impl_->current_queries().nearest(shape, pose, within, impl_->model_filter(filter)));
}

// --- events ---

std::span<const Event> World::events() const noexcept { return impl_->log.events(); }
std::span<const ContactReading> World::contact_points() const noexcept
{
    return impl_->log.points();
}

void World::set_contact_filter(ContactFilter filter, void* user) noexcept
{
    impl_->log.set_filter(filter, user);
    impl_->step.contacts.set_filter(impl_->log.pair_filter());
    impl_->disturb_all();
}

Status World::set_surface_pair(ColliderId a, ColliderId b, const SurfacePair& surface)
{
    TAUT_TRY(impl_->check_pair(a, b));
    TAUT_TRY(impl_->step.contacts.set_pair(impl_->at(a), impl_->at(b), &surface));
    impl_->pair_prints.set(impl_->at(a), impl_->at(b), surface_print(surface));
    impl_->disturb_all();
    return Done{};
}

Status World::clear_surface_pair(ColliderId a, ColliderId b)
{
    TAUT_TRY(impl_->check_pair(a, b));
    TAUT_TRY(impl_->step.contacts.set_pair(impl_->at(a), impl_->at(b), nullptr));
    impl_->pair_prints.set(impl_->at(a), impl_->at(b), 0);
    impl_->disturb_all();
    return Done{};
}

BodyId World::body(ColliderId id) const
{
    const int collider = impl_->at_known("body", id);
    return impl_->id(BodyIndex(impl_->step.contacts.colliders()[collider].body));
}

bool World::is_sensor(ColliderId id) const
{
    return impl_->step.contacts.colliders()[impl_->at_known("is_sensor", id)].sensor;
}

int World::collider_count() const noexcept
{
    return static_cast<int>(impl_->step.contacts.colliders().size());
}

std::uint64_t World::user_data(BodyId id) const
{
    if (id == kWorld) return 0;
    impl_->at_known("user_data", id);
    return impl_->data.of(id);
}
std::uint64_t World::user_data(JointId id) const
{
    impl_->at_known("user_data", id);
    return impl_->data.of(id);
}
std::uint64_t World::user_data(ColliderId id) const
{
    impl_->at_known("user_data", id);
    return impl_->data.of(id);
}

Status World::set_user_data(BodyId id, std::uint64_t data)
{
    if (auto known = impl_->check(id); !known)
        return Error{text("user data: ", known.error().message)};
    impl_->data.of(id) = data;
    return Done{};
}
Status World::set_user_data(JointId id, std::uint64_t data)
{
    if (auto known = impl_->check(id); !known)
        return Error{text("user data: ", known.error().message)};
    impl_->data.of(id) = data;
    return Done{};
}
Status World::set_user_data(ColliderId id, std::uint64_t data)
{
    if (auto known = impl_->check(id); !known)
        return Error{text("user data: ", known.error().message)};
    impl_->data.of(id) = data;
    return Done{};
}

}  // namespace taut

#include "stream/frame.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "stream/description.h"

namespace taut::stream {

namespace {

static_assert(std::endian::native == std::endian::little, "frames are little-endian");

constexpr std::uint32_t kMagic = 0x54554154;
constexpr std::size_t kHeader = 48;  // bytes
constexpr std::uint32_t kPaused = 1, kDiverged = 2, kUnsettled = 4;
constexpr std::size_t kPerBody = 7, kPerJoint = 6, kPerContact = 9, kTarget = 3;  // floats

std::size_t frame_bytes(std::size_t bodies, std::size_t joints, std::size_t contacts,
                        std::size_t plots)
{
    return kHeader +
           4 * (kPerBody * bodies + kPerJoint * joints + kPerContact * contacts + plots + kTarget);
}

// Writes numbers consecutively into a buffer of sufficient size.
class FrameWriter {
public:
    explicit FrameWriter(std::byte* at) : at_(at) {}

    template <class T>
    void put(T value)
    {
        std::memcpy(at_, &value, sizeof value);
        at_ += sizeof value;
    }
    void put_float(Real value) { put(static_cast<float>(value)); }
    void put_vector(const Vec3& v)
    {
        for (int i = 0; i < 3; ++i) put_float(v[i]);
    }
    void put_pose(const Pose& pose)
    {
        put_vector(pose.p);
        for (int i = 0; i < 4; ++i) put_float(pose.q.coeffs()[i]);  // x, y, z, w
    }

private:
    std::byte* at_;
};

class Reader {
public:
    explicit Reader(const std::byte* at) : at_(at) {}

    template <class T>
    T get()
    {
        T value;
        std::memcpy(&value, at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    Real get_float() { return get<float>(); }
    Vec3 get_vector()
    {
        Vec3 v;
        for (int i = 0; i < 3; ++i) v[i] = get_float();
        return v;
    }
    Pose get_pose()
    {
        Pose pose;
        pose.p = get_vector();
        for (int i = 0; i < 4; ++i) pose.q.coeffs()[i] = get_float();
        return pose;
    }

private:
    const std::byte* at_;
};

std::uint32_t flags_of(const Moment& moment, const FrameNote& note)
{
    return (note.paused ? kPaused : 0) | (note.diverged ? kDiverged : 0) |
           (moment.step.settled ? 0 : kUnsettled);
}

}  // namespace

Result<FrameEncoder> FrameEncoder::make(const ReadingSource& source,
                                        const std::vector<std::string>& plots)
{
    if (plots.size() > kMostPlots)
        return Error{std::to_string(plots.size()) + " readings cannot be plotted; the limit is " +
                     std::to_string(kMostPlots)};
    std::vector<Column> columns;
    for (const std::string& name : plots) {
        auto column = find_column(source, name);
        if (!column.ok()) return column.error();
        columns.push_back(std::move(*column));
    }
    return FrameEncoder(std::move(columns));
}

std::span<const std::byte> FrameEncoder::encode(const Moment& moment, const FrameNote& note)
{
    const World& world = moment.world;
    const auto contacts = world.contact_points();
    const int bodies = world.body_count() + 1, joints = world.joint_count();
    bytes_.resize(frame_bytes(bodies, joints, contacts.size(), plots_.size()));

    FrameWriter out(bytes_.data());
    out.put(kMagic);
    out.put(note.revision);
    out.put(world.time());
    out.put(static_cast<double>(world.steps()));
    out.put(flags_of(moment, note));
    out.put(static_cast<std::uint32_t>(moment.step.solves));
    for (const std::size_t count :
         {static_cast<std::size_t>(bodies), static_cast<std::size_t>(joints), contacts.size(),
          plots_.size()})
        out.put(static_cast<std::uint32_t>(count));

    out.put_pose(world.pose(kWorld));
    for (int i = 1; i < bodies; ++i) out.put_pose(world.pose(world.body_at(i - 1)));
    const Vec3 nothing = Vec3::Constant(std::numeric_limits<Real>::quiet_NaN());
    for (int i = 0; i < joints; ++i) {
        const JointReading joint = world.joint(world.joint_at(i));
        out.put_vector(joint.broken ? nothing : joint.force);
        out.put_vector(joint.broken ? nothing : joint.torque);
    }
    for (const ContactReading& contact : contacts) {
        out.put_vector(contact.point);
        out.put_vector(contact.normal);
        out.put_vector(contact.force);
    }
    for (const Column& plot : plots_) out.put_float(plot.read(moment));
    out.put_vector(note.target.value_or(nothing));
    return bytes_;
}

Result<Frame> decode_frame(std::span<const std::byte> bytes)
{
    if (bytes.size() < kHeader)
        return Error{"a frame of " + std::to_string(bytes.size()) + " bytes is shorter than the " +
                     std::to_string(kHeader) + " bytes of header"};
    Reader in(bytes.data());
    if (in.get<std::uint32_t>() != kMagic) return Error{"the data are not a frame of Taut"};

    Frame frame;
    frame.revision = in.get<std::uint32_t>();
    frame.time = in.get<double>();
    const double step = in.get<double>();
    const auto flags = in.get<std::uint32_t>();
    frame.paused = flags & kPaused;
    frame.diverged = flags & kDiverged;
    frame.unsettled = flags & kUnsettled;
    frame.solves = in.get<std::uint32_t>();
    const std::size_t bodies = in.get<std::uint32_t>(), joints = in.get<std::uint32_t>(),
                      contacts = in.get<std::uint32_t>(), plots = in.get<std::uint32_t>();
    if (bytes.size() != frame_bytes(bodies, joints, contacts, plots))
        return Error{"a frame of " + std::to_string(bytes.size()) +
                     " bytes has a header that requires " +
                     std::to_string(frame_bytes(bodies, joints, contacts, plots))};
    if (!(step >= 0 && step < 0x1p63))
        return Error{"the step number of the frame is not a whole number"};
    frame.step = static_cast<std::uint64_t>(step);

    for (std::size_t i = 0; i < bodies; ++i) frame.bodies.push_back(in.get_pose());
    for (std::size_t i = 0; i < joints; ++i) {
        const Vec3 force = in.get_vector();
        frame.joints.push_back({force, in.get_vector()});
    }
    for (std::size_t i = 0; i < contacts; ++i) {
        const Vec3 point = in.get_vector(), normal = in.get_vector();
        frame.contacts.push_back({point, normal, in.get_vector()});
    }
    for (std::size_t i = 0; i < plots; ++i) frame.plots.push_back(in.get_float());
    if (const Vec3 target = in.get_vector(); target.allFinite()) frame.target = target;
    return frame;
}

}  // namespace taut::stream

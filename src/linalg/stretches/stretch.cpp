#include "linalg/stretches/stretch.h"

#include <algorithm>
#include <array>

namespace taut::linalg {
namespace {

constexpr int kNobody = -1;
// Bodies in a piece: at least, and how many are enough, that is from twice as many on there are more pieces instead.
constexpr int kShortest = 5, kEnough = 128;

// Bodies and the joints around them: joints[k] and joints[k + 1] hold bodies[k].
struct Run {
    std::vector<int> bodies, joints;
};

class Finder {
public:
    Finder(const SaddlePattern& pattern, const SpanningForest& forest)
        : p_(pattern), forest_(forest)
    {
        const std::size_t count = p_.primals.size();
        held_by_.assign(count, {kNobody, kNobody});
        degree_.assign(count, 0);
        taken_.assign(count, 0);
        for (int d = 0; d < static_cast<int>(p_.duals.size()); ++d)
            for (int t = 0; t < p_.duals[d].touches; ++t) {
                const int i = p_.touches[p_.duals[d].first_touch + t].primal;
                if (degree_[i] < 2) held_by_[i][degree_[i]] = d;
                ++degree_[i];
            }
        for (const auto& pair : p_.pairs) degree_[pair.i] = degree_[pair.j] = 3;  // not here
    }

    std::vector<Stretch> find()
    {
        std::vector<Stretch> out;
        for (int i = 0; i < static_cast<int>(p_.primals.size()); ++i)
            if (!taken_[i] && is_inner(i)) cut(walk(i), out);
        return out;
    }

private:
    bool is_plain(int dual) const
    {
        const auto& d = p_.duals[dual];
        return d.touches <= 2 && !d.early && !forest_.cyclic[dual] && d.size >= kLeastStretchRows &&
               d.size <= kMostStretchRows;
    }
    bool is_inner(int i) const
    {
        return p_.primals[i].size == 6 && degree_[i] == 2 && is_plain(held_by_[i][0]) &&
               is_plain(held_by_[i][1]) &&
               p_.duals[held_by_[i][0]].size == p_.duals[held_by_[i][1]].size;
    }

    // The body on the other side of a joint; none if there is only the ground.
    int across(int dual, int body) const
    {
        const auto& d = p_.duals[dual];
        for (int t = 0; t < d.touches; ++t)
            if (p_.touches[d.first_touch + t].primal != body)
                return p_.touches[d.first_touch + t].primal;
        return kNobody;
    }

    // From a body through one of its joints, as far as it goes. There are no loops to go round.
    void follow(int body, int joint, Run& run)
    {
        for (;;) {
            run.joints.push_back(joint);
            body = across(joint, body);
            if (body == kNobody || taken_[body] || !is_inner(body)) return;
            taken_[body] = 1;
            run.bodies.push_back(body);
            joint = held_by_[body][held_by_[body][0] == joint ? 1 : 0];
        }
    }

    Run walk(int body)
    {
        Run run, back;
        taken_[body] = 1;
        follow(body, held_by_[body][0], back);
        std::reverse(back.bodies.begin(), back.bodies.end());
        std::reverse(back.joints.begin(), back.joints.end());
        run = std::move(back);
        run.bodies.push_back(body);
        follow(body, held_by_[body][1], run);
        // as trees are eliminated: towards the root
        if (forest_.depth[run.bodies.front()] < forest_.depth[run.bodies.back()]) {
            std::reverse(run.bodies.begin(), run.bodies.end());
            std::reverse(run.joints.begin(), run.joints.end());
        }
        return run;
    }

    int block(int dual, int body) const
    {
        const auto& d = p_.duals[dual];
        for (int t = 0; t < d.touches; ++t)
            if (p_.touches[d.first_touch + t].primal == body)
                return p_.touches[d.first_touch + t].block;
        return kNobody;
    }

    void cut(const Run& run, std::vector<Stretch>& out) const
    {
        constexpr int kLanes = kStretchLanes;
        const int count = static_cast<int>(run.bodies.size());
        const int stretches = std::max(1, count / (kLanes * kEnough));
        const int length = count / (kLanes * stretches);
        if (length < kShortest) return;
        int start = count - kLanes * stretches * length;  // what is left over is at the leaf's end
        for (int k = 0; k < stretches; ++k, start += kLanes * length)
            out.push_back(lay(run, start, length));
    }

    Stretch lay(const Run& run, int start, int length) const
    {
        const int primals = static_cast<int>(p_.primals.size());
        Stretch out;
        out.rows = p_.duals[run.joints[start]].size;
        out.links.resize(length);
        for (int k = 0; k < length; ++k) {
            const bool last = k + 1 == length;
            for (int lane = 0; lane < kStretchLanes; ++lane) {
                const int at = start + lane * length + k;
                const int body = run.bodies[at], joint = run.joints[at + 1];
                StretchLink& link = out.links[k];
                link.body.at[lane] = p_.primals[body].block;
                link.body_offset.at[lane] = p_.primals[body].offset;
                link.hold.at[lane] = block(joint, body);
                link.joint_offset.at[lane] = p_.duals[joint].offset;
                link.onto.at[lane] = last ? 0 : block(joint, run.bodies[at + 1]);
                if (k == 0) {
                    out.before[lane] = run.joints[at];
                    out.first.at[lane] = block(run.joints[at], body);
                }
                if (last) out.after[lane] = joint;
                out.eliminated.push_back(body);
            }
            for (int lane = 0; lane < kStretchLanes && !last; ++lane)
                out.eliminated.push_back(primals + run.joints[start + lane * length + k + 1]);
        }
        return out;
    }

    const SaddlePattern& p_;
    const SpanningForest& forest_;
    std::vector<std::array<int, 2>> held_by_;  // duals
    std::vector<int> degree_;
    std::vector<char> taken_;
};

}  // namespace

std::vector<Stretch> find_stretches(const SaddlePattern& pattern, const SpanningForest& forest)
{
    return Finder(pattern, forest).find();
}

}  // namespace taut::linalg

// Copies of a body, and of a joint for each, whose formulas know their number: rows, stacks, rings, heaps.
#include <random>

#include "scene/locals.h"
#include "scene/readers.h"
#include "scene/resolve.h"
#include "scene/values.h"
#include "scene/words.h"

namespace taut::scene {
namespace {

// Resolving writes into nodes, and the next copy needs them as they were.
NodePtr deep_copy(const Node& node)
{
    const NodePtr copy = copy_of(node);
    for (NodePtr& item : copy->items) item = deep_copy(*item);
    for (Node::Entry& entry : copy->entries) entry.value = deep_copy(*entry.value);
    return copy;
}

class CopyGenerator {
public:
    CopyGenerator(const Node& node, const Where& where, SceneDraft& draft, Problems& problems)
        : node_(node),
          where_(where),
          draft_(draft),
          problems_(problems),
          name_(text_or(node, "name", "copy"))
    {}

    void generate()
    {
        const std::size_t before = problems_.error_count();
        const int count = static_cast<int>(number_or(node_, "count", 1));
        allow_generated(count, "repeat " + quote(name_), node_.find("count")->where, draft_,
                        problems_);
        for (const char* key : {"body", "joint"}) {
            const Node* pattern = node_.find(key);
            if (pattern && !pattern->is_map())
                problems_.error(pattern->where, quote(key) + " of repeat " + quote(name_) + " is " +
                                                    pattern->description() + "; a map is needed");
        }
        std::mt19937 random(static_cast<std::mt19937::result_type>(number_or(node_, "seed", 1)));
        // the first copy with an error stands for all
        for (int i = 1; i <= count && problems_.error_count() == before; ++i) {
            Locals names(*draft_.names);
            names.set("i", i);
            for (const char* unit : {"r1", "r2", "r3", "r4", "r5", "r6"})
                // not std::uniform_real_distribution: its numbers differ between standard libraries
                names.set(unit, static_cast<Real>(random()) / 4294967295.0);
            const std::string name = name_ + std::to_string(i);
            copy("body", body_section(), name, names, read_bodies);
            if (problems_.error_count() == before)
                copy("joint", joint_section(), name + ".joint", names, read_joints);
        }
    }

private:
    // A section of one entry, resolved with the copy's own names and read as any other.
    template <class Reader>
    void copy(const char* key, const Section& section, const std::string& name, Names& names,
              Reader read)
    {
        const Node::Entry* pattern = node_.find_entry(key);
        if (!pattern) return;
        const std::size_t before = problems_.error_count();
        Node one;
        one.kind = Node::Kind::Map;
        one.where = pattern->where;
        one.entries.push_back({name, pattern->where, deep_copy(*pattern->value)});
        resolve_section(*one.entries.front().value, section, section.name + " " + quote(name),
                        names, problems_);
        // what is resolved later still, a height field of a copy, may use its names as well
        Names* const outer = draft_.names;
        draft_.names = &names;
        if (problems_.error_count() == before) read(one, draft_, problems_);
        draft_.names = outer;
    }

    const Node& node_;
    Where where_;
    SceneDraft& draft_;
    Problems& problems_;
    std::string name_;
};

}  // namespace

void generate_copies(const Node& repeat, const Where& where, SceneDraft& draft, Problems& problems)
{
    CopyGenerator(repeat, where, draft, problems).generate();
}

}  // namespace taut::scene

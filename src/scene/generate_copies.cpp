// Generates numbered copies of a body, optionally with a joint each; their formulas may use the number.
#include <random>

#include "scene/locals.h"
#include "scene/readers.h"
#include "scene/resolve.h"
#include "scene/text_format.h"
#include "scene/values.h"

namespace taut::scene {
namespace {

// Resolving modifies the nodes, so each copy works on a deep copy.
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
                                                    pattern->description() + "; a map is required");
        }
        std::mt19937 random(static_cast<std::mt19937::result_type>(number_or(node_, "seed", 1)));
        // errors are reported for the first failing copy only
        for (int i = 1; i <= count && problems_.error_count() == before; ++i) {
            Locals names(*draft_.names);
            names.set("i", i);
            for (const char* unit : {"r1", "r2", "r3", "r4", "r5", "r6"})
                // std::uniform_real_distribution is not used, because its values differ between standard libraries
                names.set(unit, static_cast<Real>(random()) / 4294967295.0);
            const std::string name = name_ + std::to_string(i);
            copy("body", body_section(), name, names, read_bodies);
            if (problems_.error_count() == before)
                copy("joint", joint_section(), name + ".joint", names, read_joints);
        }
    }

private:
    // A section with one entry, resolved with the names of the copy and read like any other section.
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
        // values that are resolved later (the height field of a copy) may use its names as well
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

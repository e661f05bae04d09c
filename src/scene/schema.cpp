// The vocabulary as JSON Schema, draft 7. Every number may also be a string, because it may be a formula.
#include <algorithm>

#include <taut/scene.h>
#include "scene/text_format.h"
#include "scene/vocabulary.h"

namespace taut::scene {
namespace {

std::string json_text(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

std::string json_list(const std::vector<std::string>& words)
{
    std::string out = "[";
    for (std::size_t i = 0; i < words.size(); ++i) out += (i ? ", " : "") + json_text(words[i]);
    return out + "]";
}

// An object under construction; values are JSON already.
class Object {
public:
    Object& put(std::string_view key, const std::string& json)
    {
        members_.push_back(json_text(key) + ": " + json);
        return *this;
    }
    std::string line() const { return "{" + joined(", ") + "}"; }
    std::string block(const std::string& indent) const
    {
        if (members_.empty()) return "{}";
        return "{\n" + indent + "  " + joined(",\n" + indent + "  ") + "\n" + indent + "}";
    }

private:
    std::string joined(const std::string& between) const
    {
        std::string out;
        for (std::size_t i = 0; i < members_.size(); ++i) out += (i ? between : "") + members_[i];
        return out;
    }
    std::vector<std::string> members_;
};

std::string reference(const std::string& name)
{
    return R"({"$ref": )" + json_text("#/definitions/" + name) + "}";
}

const char* const kFormulaText = "\\$\\{";

class SchemaWriter {
public:
    std::string write()
    {
        const std::string top = section_schema(scene_section(), "  ", false);
        Object definitions;
        // writing a section may add further sections, so the list grows during the loop
        std::size_t written = 0;
        while (written < found_.size()) {
            const Found found = found_[written++];
            definitions.put(found.name, section_schema(*found.section, "    ", found.named));
        }
        Object schema;
        schema.put("$schema", json_text("http://json-schema.org/draft-07/schema#"));
        schema.put("title", json_text("Taut scene"));
        schema.put("allOf", "[" + top + "]");
        schema.put("definitions", definitions.block("  "));
        return schema.block("") + "\n";
    }

private:
    struct Found {
        std::string name;
        const Section* section;
        bool named;  // list form, with a key `name`
    };

    std::string section_reference(const Section& section, bool named = false)
    {
        // sections with equal names (the load of a chain, a load) are distinguished by their keys
        std::string name = section.name + (named ? "_with_name" : "");
        for (const Found& found : found_) {
            if (found.section == &section && found.named == named) return reference(found.name);
            if (found.name == name) name += "_2";
        }
        found_.push_back({name, &section, named});
        return reference(name);
    }

    static std::string description(const Key& key)
    {
        const std::string unit = key.unit.empty() ? "" : "[" + key.unit + "]";
        return key.summary + (key.summary.empty() || unit.empty() ? "" : " ") + unit;
    }

    static void put_range(Object& object, const Key& key)
    {
        if (key.above) object.put("exclusiveMinimum", to_text(*key.above));
        if (key.least) object.put("minimum", to_text(*key.least));
        if (key.most) object.put("maximum", to_text(*key.most));
    }

    static std::string number_schema(const Key& key)
    {
        Object object;
        object.put("type", R"(["number", "string"])");
        put_range(object, key);
        return object.line();
    }

    static std::string list_schema(const std::string& items, std::size_t fewest, std::size_t most)
    {
        Object object;
        object.put("type", json_text("array")).put("items", items);
        if (fewest > 0) object.put("minItems", std::to_string(fewest));
        if (most > 0) object.put("maxItems", std::to_string(most));
        return object.line();
    }

    static std::string any_of(const std::vector<std::string>& schemas)
    {
        std::string all;
        for (const auto& schema : schemas) all += (all.empty() ? "" : ", ") + schema;
        return R"({"anyOf": [)" + all + "]}";
    }

    static std::string filled_text()
    {
        return Object()
            .put("type", json_text("string"))
            .put("pattern", json_text(kFormulaText))
            .line();
    }

    std::string value_schema(const Key& key)
    {
        const std::string any_scalar = R"({"type": ["number", "string", "boolean"]})";
        const std::string text = R"({"type": "string"})";
        const std::string vector = list_schema(number_schema(key), 3, 3);
        switch (key.form) {
            case Form::Text:
            case Form::Name: return text;
            case Form::Number:
            case Form::Integer: return number_schema(key);
            case Form::Flag: return R"({"type": ["boolean", "string"]})";
            case Form::Choice:
                return any_of({R"({"enum": )" + json_list(key.choices) + "}", filled_text()});
            case Form::Colour: return text;
            case Form::Vector: return vector;
            case Form::Vectors:
            case Form::Triples: return list_schema(vector, key.fewest_items, 0);
            case Form::Numbers:
                return list_schema(number_schema(key), key.fewest_items, key.most_items);
            case Form::Texts: return list_schema(text, key.fewest_items, key.most_items);
            case Form::Inertia: return any_of({vector, list_schema(vector, 3, 3)});
            case Form::Keyframes: return list_schema(list_schema(number_schema(key), 2, 2), 1, 0);
            case Form::Schedule:
                return any_of({number_schema(key), section_reference(*key.section)});
            case Form::Scalar: return any_scalar;
            case Form::Scalars: return list_schema(any_scalar, key.fewest_items, 0);
            case Form::Formula: return R"({"type": ["number", "string"]})";
            case Form::Formulas:
                return list_schema(R"({"type": ["number", "string"]})", key.most_items,
                                   key.most_items);
            case Form::Map: return section_reference(*key.section);
            case Form::Maps:
                return any_of(
                    {list_schema(section_reference(*key.section), 0, 0), R"({"type": "null"})"});
            case Form::Named: return named_schema(key);
        }
        return "{}";
    }

    std::string named_schema(const Key& key)
    {
        std::string entry = section_reference(*key.section);
        if (key.name == "parameters") entry = any_of({R"({"type": ["number", "string"]})", entry});
        Object map;
        map.put("type", json_text("object"));
        map.put("propertyNames", R"({"pattern": "^[A-Za-z_][A-Za-z0-9_.-]*$"})");
        map.put("additionalProperties", entry);
        if (key.name == "parameters") return any_of({map.line(), R"({"type": "null"})"});
        return any_of({map.line(), list_schema(section_reference(*key.section, true), 0, 0),
                       R"({"type": "null"})"});
    }

    static std::string some_of(const std::vector<std::string>& keys)
    {
        std::string all;
        for (const auto& key : keys)
            all += (all.empty() ? "" : ", ") + (R"({"required": [)" + json_text(key) + "]}");
        return all;
    }

    static std::string group_schema(const Group& group)
    {
        switch (group.rule) {
            case Group::Rule::ExactlyOne: return R"({"oneOf": [)" + some_of(group.keys) + "]}";
            case Group::Rule::AtLeastOne: return R"({"anyOf": [)" + some_of(group.keys) + "]}";
            case Group::Rule::AtMostOne:
                return R"({"anyOf": [{"not": {"anyOf": [)" + some_of(group.keys) +
                       R"(]}}, {"oneOf": [)" + some_of(group.keys) + "]}]}";
            case Group::Rule::Together:
                return R"({"anyOf": [{"required": )" + json_list(group.keys) +
                       R"(}, {"not": {"anyOf": [)" + some_of(group.keys) + "]}}]}";
        }
        return "{}";
    }

    void put_key(Object& properties, const Key& key)
    {
        const std::string value = value_schema(key);
        const std::string about = description(key);
        if (about.empty())
            properties.put(key.name, value);
        else
            properties.put(key.name, Object()
                                         .put("description", json_text(about))
                                         .put("allOf", "[" + value + "]")
                                         .line());
    }

    std::string section_schema(const Section& section, const std::string& indent, bool named)
    {
        Object properties;
        std::vector<std::string> seen, required;
        if (named) {
            properties.put("name", R"({"type": "string"})");
            if (section.name == "body" || section.name == "material") required.emplace_back("name");
        }
        for (const Key& key : section.keys) {
            put_key(properties, key);
            seen.push_back(key.name);
            if (key.required) required.push_back(key.name);
        }
        for (const Variant& variant : section.variants)
            for (const Key& key : variant.keys)
                if (std::find(seen.begin(), seen.end(), key.name) == seen.end()) {
                    put_key(properties, without_range(key));
                    seen.push_back(key.name);
                }
        Object object;
        if (!section.summary.empty()) object.put("description", json_text(section.summary));
        object.put("type", json_text("object"));
        if (!required.empty()) object.put("required", json_list(required));
        object.put("additionalProperties", "false");
        std::string rules = groups_of(section);
        if (!rules.empty()) object.put("allOf", "[" + rules + "]");
        object.put("properties", properties.block(indent + "  "));
        return object.block(indent);
    }

    // A key of several variants may have different ranges; the reader checks that of the selected variant.
    static Key without_range(Key key)
    {
        key.above = key.least = key.most = std::nullopt;
        return key;
    }

    static std::string groups_of(const Section& section)
    {
        std::string rules;
        for (const Group& group : section.groups)
            rules += (rules.empty() ? "" : ", ") + group_schema(group);
        for (const Variant& variant : section.variants) {
            std::vector<std::string> needed;
            for (const Key& key : variant.keys)
                if (key.required) needed.push_back(key.name);
            if (needed.empty()) continue;
            rules += std::string(rules.empty() ? "" : ", ") + R"({"if": {"properties": {)" +
                     json_text(section.selector) + R"(: {"const": )" + json_text(variant.value) +
                     R"(}}, "required": )" + json_list({section.selector}) +
                     R"(}, "then": {"required": )" + json_list(needed) + "}}";
        }
        return rules;
    }

    std::vector<Found> found_;
};

}  // namespace

}  // namespace taut::scene

namespace taut {

std::string scene_schema() { return scene::SchemaWriter().write(); }

}  // namespace taut

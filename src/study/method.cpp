#include "study/method.h"

#include <algorithm>
#include <span>

#include "core/suggestion.h"
#include "study/value_list.h"

namespace taut::study {

namespace {

template <class Enum>
void add_names(std::span<const Choice<Enum>> list, std::vector<std::string>& names)
{
    for (const auto& choice : list) names.emplace_back(choice.name);
}

template <class Enum>
std::string listed(std::span<const Choice<Enum>> list)
{
    std::string all;
    for (const auto& choice : list) all += (all.empty() ? "" : ", ") + std::string(choice.name);
    return all;
}

template <class Enum>
Status name_part(const char* what, const std::string& method, const std::string& word,
                 std::span<const Choice<Enum>> list, Enum& value)
{
    if (const auto found = find_choice(list, word)) {
        value = *found;
        return Done{};
    }
    std::vector<std::string> names;
    add_names(list, names);
    return Error{"method '" + method + "': '" + word + "' is not a " + what +
                 did_you_mean(word, names) + " (" + what + "s: " + listed(list) + ")"};
}

Error neither(const std::string& method, const std::string& word)
{
    std::vector<std::string> names;
    add_names(schemes(), names);
    add_names(stabilisations(), names);
    return Error{"method '" + method + "': '" + word + "' is neither a scheme nor a stabilisation" +
                 did_you_mean(word, names) + " (schemes: " + listed(schemes()) +
                 "; stabilisations: " + listed(stabilisations()) + ")"};
}

}  // namespace

Method Method::of(const StepSettings& settings) noexcept
{
    return {settings.research.scheme, settings.research.stabilisation, settings.research.solver};
}

void Method::apply(StepSettings& settings) const noexcept
{
    settings.research.scheme = scheme;
    settings.research.stabilisation = stabilisation;
    settings.research.solver = solver;
}

std::string Method::name() const
{
    std::string name = std::string(choice_name(schemes(), scheme)) + "/" +
                       std::string(choice_name(stabilisations(), stabilisation));
    if (solver != StepSettings{}.research.solver)
        name += "/" + std::string(choice_name(solvers(), solver));
    return name;
}

Result<Method> parse_method(const std::string& text, const StepSettings& of_scene)
{
    Method method = Method::of(of_scene);
    const std::vector<std::string> words = split_list(text, '/');

    // a single word is a scheme or, if no scheme has this name, a stabilisation
    if (words.size() == 1) {
        if (const auto scheme = find_choice(schemes(), words[0]))
            method.scheme = *scheme;
        else if (const auto stabilisation = find_choice(stabilisations(), words[0]))
            method.stabilisation = *stabilisation;
        else
            return neither(text, words[0]);
        return method;
    }
    if (words.size() > 3)
        return Error{"method '" + text + "' has more parts than scheme/stabilisation/solver"};
    TAUT_TRY(name_part("scheme", text, words[0], schemes(), method.scheme));
    TAUT_TRY(name_part("stabilisation", text, words[1], stabilisations(), method.stabilisation));
    if (words.size() == 3) TAUT_TRY(name_part("solver", text, words[2], solvers(), method.solver));
    return method;
}

Result<std::vector<Method>> parse_methods(const std::string& list, const StepSettings& of_scene)
{
    std::vector<Method> methods;
    for (const std::string& text : split_list(list, ',')) {
        const auto method = parse_method(text, of_scene);
        if (!method.ok()) return method.error();
        if (std::find(methods.begin(), methods.end(), *method) != methods.end())
            return Error{"method '" + text + "' is given twice: it is " + method->name()};
        methods.push_back(*method);
    }
    return methods;
}

}  // namespace taut::study

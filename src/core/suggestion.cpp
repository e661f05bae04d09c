#include "core/suggestion.h"

#include <algorithm>

namespace taut::core {

int edit_distance(std::string_view a, std::string_view b)
{
    // three rows of the table are enough to see a swap of neighbours
    std::vector<int> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);

    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            now[j] = std::min({replaced, last[j] + 1, now[j - 1] + 1});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, now);
    }
    return last[b.size()];
}

std::string nearest_word(std::string_view typed, const std::vector<std::string>& words)
{
    // a third of the letters may be wrong; beyond that a suggestion is noise
    int best_distance = std::max<int>(2, static_cast<int>(typed.size()) / 3) + 1;
    std::string best;
    for (const std::string& word : words) {
        const int distance = edit_distance(typed, word);
        if (distance < best_distance) {
            best_distance = distance;
            best = word;
        }
    }
    return best;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& words)
{
    const std::string word = nearest_word(typed, words);
    return word.empty() ? std::string() : "; did you mean '" + word + "'?";
}

}  // namespace taut::core

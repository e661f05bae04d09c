// Studies describe what they know to be good.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <utility>

#include <taut/result.h>

namespace taut::study {

template <class T>
T must(Result<T> result)
{
    if (result.ok()) return std::move(result).value();
    std::fprintf(stderr, "study: %s\n", result.error().message.c_str());
    std::exit(2);
}

}  // namespace taut::study

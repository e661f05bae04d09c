// A value or an error. The message of an error states the object, the value found and the values allowed.
// C++20 has no std::expected.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace taut {

struct Error {
    std::string message;
};

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const noexcept { return content_.index() == 0; }
    explicit operator bool() const noexcept { return ok(); }

    // Reading the value of a failed result is a programming error: test ok() first.
    T& value() & noexcept { return *checked(); }
    const T& value() const& noexcept { return *const_cast<Result*>(this)->checked(); }
    T&& value() && noexcept { return std::move(*checked()); }
    T& operator*() & noexcept { return value(); }
    const T& operator*() const& noexcept { return value(); }
    T* operator->() noexcept { return checked(); }
    const T* operator->() const noexcept { return const_cast<Result*>(this)->checked(); }

    const Error& error() const noexcept
    {
        assert(!ok());
        return *std::get_if<1>(&content_);
    }

private:
    T* checked() noexcept
    {
        assert(ok());
        return std::get_if<0>(&content_);
    }

    std::variant<T, Error> content_;
};

// The result of an operation without a value.
struct Done {};
using Status = Result<Done>;

}  // namespace taut

// Returns the error of `expression` from the calling function, or continues.
#define TAUT_TRY(expression)                                    \
    do {                                                        \
        if (auto taut_try_ = (expression); !taut_try_.ok())     \
            return ::taut::Error{std::move(taut_try_).error()}; \
    } while (false)

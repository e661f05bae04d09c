// A value or an error. The message of an error states the object, the value found and the values allowed.
// C++20 has no std::expected.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace taut {

struct Error {
    std::string message;
};

// A mistake of the calling program: the value of a failed Result was asked for, the error of one that succeeded, or a reading of
// something that is not in the world. Nothing else throws it.
class BadAccess : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

// Throws BadAccess; in the library, so that programs without exceptions can include this header: they end there.
[[noreturn]] void throw_bad_access(const std::string& message);
// For Result: the error that was overlooked, or null where the value was taken for an error.
[[noreturn]] void throw_bad_result(const Error* error);

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const noexcept { return content_.index() == 0; }
    explicit operator bool() const noexcept { return ok(); }

    // Throw BadAccess with the message of the error where there is no value.
    T& value() & { return *checked(); }
    const T& value() const& { return *checked(); }
    T&& value() && { return std::move(*checked()); }
    T& operator*() & { return *checked(); }
    const T& operator*() const& { return *checked(); }
    T&& operator*() && { return std::move(*checked()); }
    T* operator->() { return checked(); }
    const T* operator->() const { return checked(); }

    // Throws BadAccess where there is a value.
    const Error& error() const
    {
        const Error* error = std::get_if<1>(&content_);
        if (!error) throw_bad_result(nullptr);
        return *error;
    }

private:
    const T* checked() const
    {
        const T* value = std::get_if<0>(&content_);
        if (!value) throw_bad_result(std::get_if<1>(&content_));
        return value;
    }
    T* checked()
    {
        T* value = std::get_if<0>(&content_);
        if (!value) throw_bad_result(std::get_if<1>(&content_));
        return value;
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

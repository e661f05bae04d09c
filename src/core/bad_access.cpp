#include <taut/result.h>

namespace taut {

void throw_bad_access(const std::string& message) { throw BadAccess(message); }

void throw_bad_result(const Error* error)
{
    throw BadAccess(error
                        ? "Result: the value of a failed operation was read: " + error->message
                        : std::string("Result: the error of an operation that succeeded was read"));
}

}  // namespace taut

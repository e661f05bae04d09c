// Counts every operator new of this test program.
#pragma once

namespace taut::test {
long allocations() noexcept;
}

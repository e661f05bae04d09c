// A step after the first allocates nothing: every operator new of this program is counted.
#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "support/mechanisms.h"

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size)
{
    ++allocations;
    if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
    throw std::bad_alloc();
}

void* counted(std::size_t size, std::align_val_t alignment)
{
    ++allocations;
    const auto a = static_cast<std::size_t>(alignment);
    if (void* p = std::aligned_alloc(a, (size + a - 1) / a * a)) return p;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, std::align_val_t a) { return counted(size, a); }
void* operator new[](std::size_t size, std::align_val_t a) { return counted(size, a); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace taut::test {
namespace {

// `exact` is not among them: it needs an LU solver of Eigen's, and those allocate.
TEST(Allocation, NoneInAStepAfterTheFirst)
{
    for (const Scheme scheme : {Scheme::BackwardEuler, Scheme::AlphaBeta})
        for (const Stabilisation kind :
             {Stabilisation::None, Stabilisation::Symmetric, Stabilisation::Projected,
              Stabilisation::Tension, Stabilisation::Diagonal, Stabilisation::InertialDamping,
              Stabilisation::ConstraintDamping, Stabilisation::BlockDamping}) {
            Chain chain = make_chain({.links = 20, .ratio = 10});
            // a loop, a drive and a spring beside the chain
            must(chain.world.add_joint(
                rod(chain.links[3], chain.links[9], {0.35, 0, 0}, {0.95, 0, 0})));
            SpringDef spring;
            spring.bodies = {kWorld, chain.links[19]};
            spring.frames[1].p = {1.95, 0, 0};
            spring.stiffness = 10;
            must(chain.world.add_spring(spring));
            must(chain.world.add_joint(
                motor(hinge(kWorld, chain.links[0], {0, 0, 0}, {0, 1, 0}), 0.1)));
            const StepSettings s = settings(1.0 / 240, scheme, kind);
            chain.world.step(s);
            const long before = allocations;
            for (int i = 0; i < 50; ++i) chain.world.step(s);
            EXPECT_EQ(allocations - before, 0) << choice_name(stabilisations(), kind);
        }
}

// The guard itself must be able to fail.
TEST(Allocation, TheCounterSeesAnAllocation)
{
    const long before = allocations;
    auto* p = new std::vector<int>(100);
    EXPECT_GE(allocations - before, 2);
    delete p;
}

}  // namespace
}  // namespace taut::test

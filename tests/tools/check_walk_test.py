#!/usr/bin/env python3
"""tools/check_walk follows the calls of docs/step.md, and names a call that is not made."""

import unittest

from tree_of_files import run_over

WORLD = """// calls island_step() in a comment only
StepReport World::step(const StepSettings& settings) noexcept
{
    return impl_->islands.step(settings);
}

int World::other()
{
    return solve();
}
"""
ISLANDS = """StepReport Islands::step(const StepModel& model,
                         State& state) noexcept
{
    const auto job = [&](int k) { stepper::advance(k); };
    return {};
}
"""
STEP = "namespace taut {\n\nstatic int advance(int k)\n{\n    return k;\n}\n\n}\n"
WALK = """# A step

    World::step     world/world.cpp      keeps the clock
     1 Islands::step  islands/islands.cpp  on threads
     2 advance        stepper/step.cpp     one of them
"""


def check(document):
    files = {"docs/step.md": document, "src/world/world.cpp": WORLD, "src/islands/islands.cpp": ISLANDS,
             "src/stepper/step.cpp": STEP}
    return run_over("check_walk", files)


class CheckWalk(unittest.TestCase):
    def test_a_walk_that_the_sources_take_passes(self):
        run = check(WALK)
        self.assertEqual((run.returncode, run.stdout), (0, ""))

    def test_a_call_that_is_left_out_is_named(self):
        run = check(WALK.replace("     1 Islands::step  islands/islands.cpp  on threads\n", "").replace("2 adv", "1 adv"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("docs/step.md:3: World::step does not call advance", run.stdout)

    def test_a_function_elsewhere_a_gap_in_the_numbers_and_a_missing_file_are_named(self):
        run = check(WALK.replace("stepper/step.cpp", "world/world.cpp"))
        self.assertIn("docs/step.md:5: advance is not defined in src/world/world.cpp", run.stdout)
        self.assertIn("3 follows 1", check(WALK.replace("2 advance", "3 advance")).stdout)
        self.assertIn("there is no src/stepper/x.cpp", check(WALK.replace("stepper/step.cpp", "stepper/x.cpp")).stdout)

    def test_a_walk_of_more_than_eight_calls_is_refused(self):
        run = check(WALK.replace(" 1 Isl", " 8 Isl").replace(" 2 adv", " 9 adv"))
        self.assertIn("9 calls from World::step, at most 8", run.stdout)

    def test_a_document_without_a_walk_is_an_error(self):
        self.assertEqual(check("# A step\n").returncode, 2)


if __name__ == "__main__":
    unittest.main()

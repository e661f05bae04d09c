#!/usr/bin/env python3
"""tools/check_thresholds finds a number that stands in the code, and none in its struct, in comments or in messages."""

import unittest

from tree_of_files import run_over


def check(files):
    return run_over("check_thresholds", files)


class CheckThresholds(unittest.TestCase):
    def test_a_number_in_the_code_is_named_with_its_line(self):
        for literal in ("1e-9", "2.5E-3", "1e+100", "0.05", ".1"):
            run = check({"src/world/x.cpp": f"int a;\nbool b = x < {literal};\n"})
            self.assertEqual(run.returncode, 1)
            self.assertIn(f"src/world/x.cpp:2: {literal}", run.stdout)

    def test_structs_comments_messages_and_formulas_are_left_alone(self):
        run = check({
            "src/contacts/contact_settings.h": "Real margin = 1e-9;\n",
            "src/complementarity/thresholds.h": "Real floor = 1e-9;\n",
            "src/islands/x.cpp": "// below 1e-6 it is at rest\n/* 1e-3\n */ auto m = \"above 1e-4\"; Real y = 0.5 * x2e3 + 0x1e5 + 1.5 - 2.0;\n",
            "src/stepper/classical/x.cpp": "Real c = 1e-6;\n",
            "src/scene/x.cpp": "Real c = 1e-6;\n",
        })
        self.assertEqual((run.returncode, run.stdout), (0, ""))

    def test_ranges_of_parameters_are_no_thresholds_but_numbers_behind_them_are(self):
        table = "    static constexpr auto fields()\n    {\n        return {{{&Rod::length, \"length\", \"m\", 0, 1e9}}};\n    }\n"
        self.assertEqual(check({"src/constraints/x.h": table}).returncode, 0)
        run = check({"src/constraints/x.h": table + "    bool far() { return x > 1e9; }\n"})
        self.assertIn("src/constraints/x.h:5: 1e9", run.stdout)

    def test_an_empty_tree_is_an_error(self):
        self.assertEqual(check({}).returncode, 2)


if __name__ == "__main__":
    unittest.main()

"""count_instructions sums per function, and tells the one that got dearer."""

import importlib.machinery
import importlib.util
import pathlib
import unittest

PATH = pathlib.Path(__file__).resolve().parents[2] / "tools" / "count_instructions"
LOADER = importlib.machinery.SourceFileLoader("count_instructions", str(PATH))
TOOL = importlib.util.module_from_spec(importlib.util.spec_from_loader("count_instructions", LOADER))
LOADER.exec_module(TOOL)

OUTPUT = """
Profile data file 'out' (creator: callgrind-3.19.0)
1,000 (100.0%)  PROGRAM TOTALS
  600 (60.00%)  src/a.cpp:taut::solve(double*, int) [/build/x]
  300 (30.00%)  /usr/include/b.h:taut::solve(double*, int) [/build/x]
  100 (10.00%)  src/c.cpp:void taut::(anonymous namespace)::put<taut::Ball>(int) [/build/x]
"""


def scene(**functions):
    return {"total": sum(functions.values()), "functions": functions}


class CountInstructions(unittest.TestCase):
    def test_one_function_is_one_line_wherever_its_code_was_inlined_from(self):
        counts, total = TOOL.read_counts(OUTPUT)
        self.assertEqual(total, 1000)
        self.assertEqual(counts, {"taut::solve": 900, "void taut::put<taut::Ball>": 100})

    def test_names_the_function_that_got_dearer(self):
        lines, dearer = TOOL.compare("chain", scene(solve=900, put=100), scene(solve=900, put=140))
        self.assertTrue(dearer)
        self.assertIn("+4.0 %", lines[0])
        self.assertEqual([line.split()[-1] for line in lines[1:]], ["put"])

    def test_is_content_within_three_percent_and_when_it_got_cheaper(self):
        for put in (100, 120, 20):
            _, dearer = TOOL.compare("chain", scene(solve=900, put=100), scene(solve=900, put=put))
            self.assertFalse(dearer, put)


if __name__ == "__main__":
    unittest.main()

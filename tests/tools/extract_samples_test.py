"""extract_samples makes a program of the code in header comments, and of nothing else."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "extract_samples"
HEADER = """// Numbers.
//
//     int x = 1;  // [m]
//     use(x);
#pragma once
//     energy = work + heat
"""


class ExtractSamples(unittest.TestCase):
    def run_tool(self, header):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "include/taut").mkdir(parents=True)
            (root / "include/taut/numbers.h").write_text(header)
            output = root / "made" / "samples.cpp"
            done = subprocess.run([sys.executable, TOOL, "--root", root, output], capture_output=True, text=True)
            return done.returncode, output.read_text() if output.exists() else ""

    def test_a_sample_becomes_a_function_after_its_header(self):
        code, text = self.run_tool(HEADER)
        self.assertEqual(code, 0)
        self.assertIn("#include <taut/numbers.h>", text)
        self.assertIn("int x = 1;  // [m]\nuse(x);\n}", text)
        self.assertIn('#line 3 "include/taut/numbers.h"', text)
        self.assertIn("sample_0();", text)

    def test_formulas_are_no_samples(self):
        self.assertNotIn("heat", self.run_tool(HEADER)[1])

    def test_a_tree_without_samples_is_an_error(self):
        self.assertEqual(self.run_tool("#pragma once\n")[0], 1)


if __name__ == "__main__":
    unittest.main()

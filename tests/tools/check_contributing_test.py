"""check_contributing compares the tables of CONTRIBUTING.md with the files that mention the example of each recipe."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_contributing"

GUIDE = """# Contributing

## A new joint

A new joint touches {count} files, as `dot_1` did.

| file | what |
|---|---|
| `src/constraints/joints/x.h`, `src/constraints/joints/x.cpp` | the type |
| `scenes/joints/x.yaml` | its scene |
| `CHANGELOG.md` | a line |

## A new stabilisation

A new stabilisation touches 1 files, as `projected` did.

| file | what |
|---|---|
| `include/taut/catalogue.h` | its enumerator |

## A new shape

A new shape touches 2 files, as `capsule` did.

| file | what |
|---|---|
| `include/taut/shapes.h` | the kind |
| `web/src/shapes.ts` | its geometry |
"""

FILES = {
    "src/constraints/primitives/dot.h": "struct Dot1 {};\n",
    "src/constraints/primitives/dot.cpp": "void Dot1::evaluate() {}\n",
    "scenes/joints/dot_1.yaml": "joints: {a: {type: dot_1}}\n",
    "tests/stabilisation/low_rank_test.cpp": "Dot1 joint;\n",
    "include/taut/catalogue.h": "enum class Stabilisation {\n    Projected,\n};\n",
    "tests/world/interface_test.cpp": "dot_1(a, b, x, y);\n",
    "include/taut/shapes.h": "struct Capsule {};\n",
    "web/src/shapes.ts": "case 'capsule':\n",
    "src/scene/generate_chain.cpp": "Shape::capsule(1, 2);  // a user of the builder keeps no list\n",
    "src/README.md": "Dot1 in prose is not counted.\n",
    "CHANGELOG.md": "",
}


class CheckContributing(unittest.TestCase):
    def run_on(self, count=4, **more):
        with tempfile.TemporaryDirectory() as root:
            files = {**FILES, "CONTRIBUTING.md": GUIDE.format(count=count), **more.get("files", {})}
            for name, text in files.items():
                file = pathlib.Path(root) / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            subprocess.run(["git", "init", "-q", root], check=True)
            subprocess.run(["git", "-C", root, "add", "-A"], check=True)
            return subprocess.run([sys.executable, TOOL, "--root", root], capture_output=True, text=True)

    def test_a_true_table_passes(self):
        result = self.run_on()
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_a_wrong_count_is_reported(self):
        result = self.run_on(count=5)
        self.assertEqual(result.returncode, 1)
        self.assertIn("it says 5 files, and its table has 4", result.stdout)

    def test_a_second_list_is_reported_with_its_file(self):
        result = self.run_on(files={"src/scene/read_joints.cpp": 'if (type == "dot_1") {}\n'})
        self.assertEqual(result.returncode, 1)
        self.assertIn("src/scene/read_joints.cpp mentions dot_1 and is not in the table", result.stdout)

    def test_a_file_that_is_no_longer_needed_is_reported(self):
        result = self.run_on(files={"src/constraints/primitives/dot.cpp": "\n"})
        self.assertEqual(result.returncode, 1)
        self.assertIn("dot.cpp is in the table, and does not mention dot_1", result.stdout)

    def test_a_second_list_of_shapes_is_reported(self):
        for text in ("switch (k) { case Kind::Capsule: }\n", 'names = {"box", "capsule"};\n'):
            result = self.run_on(files={"src/stream/description.cpp": text})
            self.assertEqual(result.returncode, 1)
            self.assertIn("src/stream/description.cpp mentions capsule and is not in the table", result.stdout)

    def test_a_word_within_another_is_no_mention(self):
        self.assertEqual(self.run_on(files={"src/a.cpp": "dot_1_row(Dot12{});\n"}).returncode, 0)


if __name__ == "__main__":
    unittest.main()

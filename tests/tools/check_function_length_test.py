"""check_function_length measures bodies from brace to brace and reports those that are too long."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_function_length"


def body(lines):
    """A function body of so many lines, both braces included."""
    return "{\n" + "    work();\n" * (lines - 2) + "}\n"


class CheckFunctionLength(unittest.TestCase):
    def run_on(self, text, name="src/stepper/a.cpp"):
        with tempfile.TemporaryDirectory() as root:
            file = pathlib.Path(root) / name
            file.parent.mkdir(parents=True)
            file.write_text(text)
            return subprocess.run([sys.executable, TOOL, "--root", root], capture_output=True, text=True)

    def test_a_function_of_sixty_lines_passes(self):
        self.assertEqual(self.run_on("void f()\n" + body(60)).returncode, 0)

    def test_a_longer_one_is_named_with_its_line(self):
        result = self.run_on("namespace a {\nvoid f()\n" + body(61) + "}\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("src/stepper/a.cpp:3: f has 61 lines", result.stdout)

    def test_member_functions_and_constructors_are_measured(self):
        for head in ("void A::f() const noexcept\n", "A::A(int n) : b_(n), c_{n}\n", "template <class T>\nvoid f(T t = {})\n"):
            self.assertEqual(self.run_on(head + body(61)).returncode, 1, head)

    def test_inline_members_are_measured_one_by_one(self):
        self.assertEqual(self.run_on("class A {\nvoid f()\n" + body(40) + "void g()\n" + body(40) + "};\n").returncode, 0)
        self.assertEqual(self.run_on("class A {\nvoid f()\n" + body(61) + "};\n").returncode, 1)

    def test_types_tables_and_namespaces_are_no_functions(self):
        table = "constexpr int k[] = {\n" + "    1,\n" * 100 + "};\n"
        self.assertEqual(self.run_on("namespace a {\n" + table + "struct B {\n" + "    int i;\n" * 100 + "};\n}\n").returncode, 0)

    def test_lambdas_count_as_part_of_their_function(self):
        text = "void f()\n{\n    const auto g = [&] {\n" + "        work();\n" * 70 + "    };\n}\n"
        self.assertEqual(self.run_on(text).stdout.count("lines, at most"), 1)

    def test_files_of_all_folders_have_a_limit(self):
        result = self.run_on("int i;\n" * 801, "src/math/a.h")
        self.assertEqual(result.returncode, 1)
        self.assertIn("src/math/a.h: 801 lines", result.stdout)
        self.assertEqual(self.run_on("void f()\n" + body(100), "src/math/a.h").returncode, 0)


if __name__ == "__main__":
    unittest.main()

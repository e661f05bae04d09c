"""check_readme compares documents with the files, and the parts of files, that they show."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_readme"
SOURCE = """int main()
{
    // [part]
    int x = 1;
    if (x) return 0;
    // [/part]
    return 1;
}
"""


class CheckReadme(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "docs").mkdir()
        (self.root / "examples").mkdir()
        (self.root / "examples/hello.cpp").write_text(SOURCE)
        (self.root / "README.md").write_text(f"<!-- file:examples/hello.cpp -->\n```cpp\n{SOURCE}```\n")

    def run_tool(self, *arguments):
        done = subprocess.run([sys.executable, str(TOOL), "--root", str(self.root), *arguments],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_a_file_that_is_shown_as_it_is_passes(self):
        self.assertEqual(self.run_tool(), (0, ""))

    def test_a_document_that_differs_is_named_and_mended(self):
        page = self.root / "docs/page.md"
        page.write_text("<!-- file:examples/hello.cpp#part -->\n```cpp\nold\n```\n")
        code, text = self.run_tool()
        self.assertEqual(code, 1)
        self.assertIn("docs/page.md: differs", text)
        self.assertEqual(self.run_tool("--write")[0], 0)
        self.assertIn("```cpp\nint x = 1;\nif (x) return 0;\n```", page.read_text())
        self.assertEqual(self.run_tool(), (0, ""))

    def test_a_part_that_is_not_there_fails(self):
        (self.root / "docs/page.md").write_text("<!-- file:examples/hello.cpp#other -->\n```cpp\n```\n")
        code, text = self.run_tool()
        self.assertNotEqual(code, 0)
        self.assertIn("has no part [other]", text)

    def test_code_that_no_file_has_is_found(self):
        (self.root / "docs/page.md").write_text("text\n```cpp\nint y;\n```\n")
        code, text = self.run_tool()
        self.assertEqual(code, 1)
        self.assertIn("docs/page.md:2: C++ that is no part of a compiled file", text)

    def test_a_dead_link_is_found(self):
        (self.root / "docs/page.md").write_text("[x](nowhere.md)")
        self.assertIn("nothing at nowhere.md", self.run_tool()[1])


if __name__ == "__main__":
    unittest.main()

"""regenerate_tables replaces what stands between the marks, and nothing else."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "regenerate_tables"

README = """before
<!-- table:speed -->
old
<!-- /table -->
between
<!-- table:size -->
| kept |
<!-- /table -->
after
"""
TABLES = """
[speed]
command = "printf '| links |\\\\n|---|\\\\n| 7 |\\\\n'"
[size]
command = "exit 3"
"""


class RegenerateTables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "tools").mkdir()
        (self.root / "README.md").write_text(README)
        (self.root / "tools" / "tables.toml").write_text(TABLES)

    def run_tool(self, *arguments):
        done = subprocess.run([sys.executable, TOOL, "--root", self.root, *arguments],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def readme(self):
        return (self.root / "README.md").read_text()

    def test_named_table_is_replaced_and_the_rest_stays(self):
        code, output = self.run_tool("speed")
        self.assertEqual(code, 0, output)
        self.assertEqual(self.readme(), README.replace("old\n", "| links |\n|---|\n| 7 |\n"))

    def test_lines_of_words_become_a_table(self):
        (self.root / "tools" / "tables.toml").write_text("""
[speed]
command = "printf 'links  time\\\\n   10  9 1.5\\\\n  100  9 2.5\\\\n\\\\na remark of four words\\\\n'"
columns = ["links", "", "ns"]
[size]
command = "exit 3"
""")
        code, output = self.run_tool("speed")
        self.assertEqual(code, 0, output)
        table = "| links | ns |\n| --- | --- |\n| 10 | 1.5 |\n| 100 | 2.5 |\n"
        self.assertEqual(self.readme(), README.replace("old\n", table))

    def test_command_that_fails_changes_nothing(self):
        code, output = self.run_tool("size")
        self.assertNotEqual(code, 0)
        self.assertIn("exit 3", output)
        self.assertEqual(self.readme(), README)

    def test_check_runs_nothing(self):
        self.assertEqual(self.run_tool("--check"), (0, ""))
        self.assertEqual(self.readme(), README)

    def test_check_tells_of_block_without_command(self):
        (self.root / "tools" / "tables.toml").write_text(TABLES.split("[size]")[0])
        code, output = self.run_tool("--check")
        self.assertEqual(code, 1)
        self.assertIn("no command for table 'size'", output)

    def test_check_tells_of_command_without_block(self):
        (self.root / "README.md").write_text(README.replace("table:size", "size"))
        code, output = self.run_tool("--check")
        self.assertEqual(code, 1)
        self.assertIn("no document shows table 'size'", output)

    def test_check_tells_of_block_that_does_not_close(self):
        (self.root / "README.md").write_text(README.replace("<!-- /table -->\nafter", "after"))
        self.assertIn("does not close", self.run_tool("--check")[1])

    def show_picture(self, command):
        (self.root / "docs").mkdir()
        (self.root / "docs" / "page.md").write_text("![a map](map.svg)\n")
        (self.root / "tools" / "tables.toml").write_text(
            TABLES + f'[map]\ncommand = "{command}"\npicture = "docs/map.svg"\n')

    def test_picture_is_drawn(self):
        self.show_picture("echo new > docs/map.svg")
        code, output = self.run_tool("map")
        self.assertEqual(code, 0, output)
        self.assertEqual((self.root / "docs" / "map.svg").read_text(), "new\n")
        self.assertEqual(self.readme(), README)

    def test_command_that_draws_nothing_is_told(self):
        self.show_picture("true")
        (self.root / "docs" / "map.svg").write_text("old")
        code, output = self.run_tool("map")
        self.assertNotEqual(code, 0)
        self.assertIn("docs/map.svg", output)

    def test_check_tells_of_picture_that_no_document_shows(self):
        self.show_picture("true")
        self.assertEqual(self.run_tool("--check"), (0, ""))
        (self.root / "docs" / "page.md").write_text("a map: docs/map.svg\n")
        code, output = self.run_tool("--check")
        self.assertEqual(code, 1)
        self.assertIn("no document shows the picture 'docs/map.svg'", output)

    def test_unknown_name_is_refused(self):
        self.assertIn("there are speed, size", self.run_tool("sped")[1])


if __name__ == "__main__":
    unittest.main()

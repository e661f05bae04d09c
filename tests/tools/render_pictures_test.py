"""render_pictures puts pictures in place or says why not; the ones in the documents are there and light."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "render_pictures"

# Stands for taut: writes a picture of SIZE bytes, or fails where SIZE is 0.
FAKE = """#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" = --png ] && folder=$2; shift; done
[ SIZE = 0 ] && { echo no browser here >&2; exit 2; }
head -c SIZE /dev/zero > "$folder/at_1.png"
"""


class RenderPictures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_tool(self, size, *names):
        taut = self.folder / "taut"
        taut.write_text(FAKE.replace("SIZE", str(size)))
        taut.chmod(0o755)
        line = [sys.executable, TOOL, "--taut", taut, "--out", self.folder / "out", *names]
        return subprocess.run(line, capture_output=True, text=True, check=False)

    def made(self):
        return sorted(file.name for file in (self.folder / "out").glob("*"))

    def test_takes_those_that_were_asked_for(self):
        done = self.run_tool(1000, "crane", "pile")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.made(), ["crane.png", "pile.png"])

    def test_heavy_pictures_are_refused(self):
        done = self.run_tool(400_000, "crane")
        self.assertEqual(done.returncode, 1)
        self.assertIn("crane: 400000 bytes", done.stderr)
        self.assertEqual(self.made(), [])

    def test_says_why_there_is_none(self):
        done = self.run_tool(0, "crane")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no browser here", done.stderr)

    def test_unknown_names_are_refused(self):
        done = self.run_tool(1000, "cran")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no picture is called cran", done.stderr)

    def test_pictures_of_the_documents_are_there_and_light(self):
        text = (ROOT / "docs" / "viewer.md").read_text()
        named = re.findall(r"\]\((images/\w+\.png)\)", text)
        self.assertGreaterEqual(len(named), 5)
        for name in named:
            self.assertLess((ROOT / "docs" / name).stat().st_size, 300_000, name)


if __name__ == "__main__":
    unittest.main()

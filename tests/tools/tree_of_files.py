"""A tool under test, run over a folder with the given files."""

import pathlib
import subprocess
import sys
import tempfile

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"


def run_over(tool, files):
    """The completed process of `tools/TOOL --root FOLDER`, where `files` maps paths in the folder to their texts."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, TOOLS / tool, "--root", root], capture_output=True, text=True, check=False)

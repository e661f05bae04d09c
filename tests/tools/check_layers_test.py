"""check_layers tells on each kind of wrong include, and is silent about right ones."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_layers"

LAYERS = """
taut_layer(core)
taut_layer(math USES core)
taut_layer(model USES math)
taut_layer(scene USES model)
taut_layer(record USES model)
"""

# A tree without fault; each test spoils one thing.
CLEAN = {
    "CMakeLists.txt": LAYERS,
    "include/taut/world.h": "#include <vector>\n#include <Eigen/Core>\n#include <taut/ids.h>\n",
    "src/core/pool.h": "#include <vector>\n",
    "src/math/so3.h": '#include <Eigen/Core>\n#include "core/pool.h"\n',
    "src/model/model.h": '#include "core/pool.h"\n#include "math/so3.h"\n#include <taut/ids.h>\n',
    "src/model/parts/body.cpp": '#include "body.h"\n#include "model/model.h"\n',
    "src/model/parts/body.h": "",
    "src/scene/reader.cpp": '#include <yaml-cpp/yaml.h>\n#include "model/model.h"\n',
    "src/record/hash.h": '#include "model/model.h"\n',
    "apps/cli/main.cpp": '#include <CLI/CLI.hpp>\n#include <taut/world.h>\n#include "record/hash.h"\n',
}


def check(changes):
    """Exit code and output for the clean tree with some files replaced or added."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**CLEAN, **changes}.items():
            file = pathlib.Path(folder) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        done = subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


class CheckLayers(unittest.TestCase):
    def tells(self, changes, expected):
        code, output = check(changes)
        self.assertEqual(code, 1, output)
        self.assertIn(expected, output)

    def test_clean_tree_passes(self):
        self.assertEqual(check({}), (0, ""))

    def test_include_that_points_upward(self):
        self.tells({"src/math/so3.h": '\n#include "model/model.h"\n'},
                   'src/math/so3.h:2: src/math may not see "model/model.h"')

    def test_include_between_folders_beside_each_other(self):
        self.tells({"src/scene/reader.cpp": '#include "record/hash.h"\n'}, "src/scene may not see")

    def test_relative_path_into_another_folder(self):
        self.tells({"src/math/so3.h": '#include "../model/model.h"\n'}, "src/math/so3.h:1:")

    def test_folder_without_layer(self):
        self.tells({"src/extra/x.h": '#include "core/pool.h"\n'}, "src/extra has no taut_layer")

    def test_internal_header_in_angle_brackets(self):
        self.tells({"src/core/pool.h": "#include <model/model.h>\n"},
                   'own headers are written "model/model.h"')

    def test_public_header_that_includes_an_internal_one(self):
        self.tells({"include/taut/world.h": '#include "model/model.h"\n'}, "public headers include")

    def test_parser_outside_the_scene_reader(self):
        self.tells({"src/model/model.h": "#include <yaml-cpp/yaml.h>\n"}, "is not for src/model")

    def test_unknown_package(self):
        self.tells({"src/core/pool.h": "#include <fmt/core.h>\n"}, "of no known package")

    def test_program_that_sees_the_model(self):
        self.tells({"apps/cli/main.cpp": '#include "model/model.h"\n'}, "apps see")

    def test_cycle_of_layers(self):
        code, output = check({"CMakeLists.txt": "taut_layer(a USES b)\ntaut_layer(b USES a)\n"})
        self.assertNotEqual(code, 0)
        self.assertIn("cycle a → b → a", output)

    def test_file_of_801_lines(self):
        self.assertEqual(check({"src/core/pool.h": "\n" * 800})[0], 0)
        self.tells({"src/core/pool.h": "\n" * 801}, "801 lines, at most 800")


if __name__ == "__main__":
    unittest.main()

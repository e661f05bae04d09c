"""list_words finds the names that C++ text defines, its messages, and words that are not to be used."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "list_words"

HEADER = """// Rows of the solve.
#pragma once
namespace taut {
inline constexpr double kOpenJoint = 1e-6;
enum class Shape { Box, Sphere };
using Rows = std::vector<Row>;
class RowSet final : public Base {
public:
    explicit RowSet(int count);
    double residual_of(const Row& row) const;

private:
    std::vector<double> row_values_;
};
}  // namespace taut
"""

SOURCE = r"""#include "row_set.h"
namespace taut {
double RowSet::residual_of(const Row& row) const
{
    const double half_sum = row.a * row.b;
    if (half_sum > kOpenJoint) return report("row " + name + " is open by "
                                             "more than \"a\" little");
    return half_sum;
}
}  // namespace taut
"""


def run(files, *arguments):
    """Exit code, output and errors of the tool for a tree with these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            file = pathlib.Path(folder) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        done = subprocess.run([sys.executable, TOOL, "--root", folder, *arguments],
                              capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


TREE = {"src/rows/row_set.h": HEADER, "src/rows/row_set.cpp": SOURCE, "apps/cli/main.cpp": "int main() {}\n"}


class ListWords(unittest.TestCase):
    def identifiers(self, files, *folders):
        code, output, errors = run(files, *folders, "--identifiers")
        self.assertEqual(code, 0, errors)
        return [line.split()[:2] for line in output.splitlines() if not line.startswith("#")]

    def test_each_kind_of_name_is_found_with_its_kind(self):
        found = self.identifiers(TREE, "src/rows")
        for expected in (["constant", "kOpenJoint"], ["type", "Shape"], ["enumerator", "Box"],
                         ["enumerator", "Sphere"], ["type", "Rows"], ["type", "RowSet"],
                         ["function", "residual_of"], ["member", "row_values_"], ["variable", "half_sum"],
                         ["variable", "row"], ["variable", "count"]):
            self.assertIn(expected, found)

    def test_names_that_are_only_used_are_not_listed(self):
        names = {name for _, name in self.identifiers(TREE, "src/rows")}
        for used in ("vector", "std", "report", "name", "a", "b", "Row", "Base"):
            self.assertNotIn(used, names)

    def test_words_are_counted(self):
        code, output, _ = run(TREE, "src/rows", "--words")
        self.assertEqual(code, 0)
        counts = {line.split()[1]: int(line.split()[0]) for line in output.splitlines()[1:]}
        self.assertEqual(counts["open"], 1)
        self.assertEqual(counts["row"], 5)  # RowSet twice (type, constructor), two parameters, row_values_
        self.assertNotIn("kOpenJoint", counts)

    def test_messages_join_adjacent_literals_and_leave_out_single_words(self):
        code, output, _ = run({"src/a/a.cpp": SOURCE + 'auto word = "one";\n'}, "--messages")
        self.assertEqual(code, 0)
        self.assertIn(r'src/a/a.cpp:6: " is open by more than \"a\" little"', output)
        self.assertNotIn('"one"', output)

    def test_all_folders_are_listed_without_an_argument(self):
        _, output, _ = run(TREE, "--identifiers")
        self.assertEqual([l for l in output.splitlines() if l.startswith("#")], ["# apps/cli", "# src/rows"])

    def test_check_passes_on_plain_words(self):
        self.assertEqual(run(TREE, "--check"), (0, "", ""))

    def check_finds(self, text, expected):
        code, output, errors = run({"src/a/a.cpp": text}, "--check")
        self.assertEqual(code, 1, output + errors)
        self.assertIn(expected, output)

    def test_check_finds_a_word_in_a_name(self):
        self.check_finds("\nvoid find_lonely(int n);\n", "src/a/a.cpp:2: function find_lonely uses 'lonely'")
        self.check_finds("\nstruct LawfulRows {\n};\n", "src/a/a.cpp:2: type LawfulRows uses 'lawful'")
        self.check_finds("\nconstexpr int kPressed = 1;\n", "src/a/a.cpp:2: constant kPressed uses 'pressed'")

    def test_check_finds_a_word_in_the_name_of_a_file(self):
        code, output, _ = run({"src/a/near_miss.h": "#pragma once\n", **TREE}, "--check")
        self.assertEqual((code, output), (1, "src/a/near_miss.h:1: name of the file uses 'near_miss': say suggestion\n"))

    def test_check_reads_names_messages_and_comments_of_the_page(self):
        tree = {"web/src/a.ts": "const lonely = f(x);\n// moved as told\nshow('energy turned over');\n", **TREE}
        code, output, _ = run(tree, "--check")
        self.assertEqual(code, 1)
        self.assertIn("web/src/a.ts:1: name lonely uses 'lonely'", output)
        self.assertIn("web/src/a.ts:2: comment uses 'as told'", output)
        self.assertIn("web/src/a.ts:3: message uses 'turned over'", output)

    def test_check_finds_a_phrase_that_is_broken_over_two_lines_of_a_comment(self):
        self.check_finds("int a;\n// Bodies that are pressed\n// in come out.\n",
                         "src/a/a.cpp:2: comment uses 'pressed in'")

    def test_check_finds_a_phrase_in_a_message(self):
        self.check_finds('const char* text = "it moves "\n    "as told";\n',
                         "src/a/a.cpp:1: message uses 'as told'")

    def test_check_finds_a_phrase_in_a_document_and_none_in_its_code(self):
        files = {"docs/a.md": "# A\n\nBodies that are pressed\nin come out.\n", **TREE}
        code, output, _ = run(files, "--check")
        self.assertEqual((code, output), (1, "docs/a.md:3: paragraph uses 'pressed in': say penetrating\n"))
        self.assertEqual(run(files, "src/rows", "--check")[0], 0)
        for text in ("`pressed in`\n", "```\npressed in\n```\n", "unimpressed in\n"):
            self.assertEqual(run({"docs/a.md": text, **TREE}, "--check"), (0, "", ""))
        self.assertEqual(run({"docs/decisions/a.md": "pressed in\n", **TREE}, "--check")[0], 0)

    def test_check_takes_whole_words_only(self):
        self.assertEqual(run({"src/a/a.cpp": "int sharpness; // a folded, retold story\nint toldest;\n"},
                             "--check")[0], 0)

    def test_check_leaves_out_the_folders_that_are_excepted(self):
        tree = {**TREE, "src/a/a.cpp": "int lonely;\n"}
        self.assertEqual(run(tree, "--check")[0], 1)
        self.assertEqual(run(tree, "--check", "--except", "src/a"), (0, "", ""))
        self.assertEqual(run(tree, "--check", "--except", "src/nothing")[0], 2)

    def test_words_in_strings_are_no_names_and_comments_in_strings_no_comments(self):
        self.assertEqual(run({"src/a/a.cpp": 'auto a = "lead(led);//told";\nauto b = R"(int lonely;)";\n'},
                             "--identifiers")[1].split()[2:], ["variable", "a", "1", "variable", "b", "1"])

    def test_folder_that_does_not_exist_is_refused(self):
        code, _, errors = run(TREE, "src/nothing", "--check")
        self.assertEqual(code, 2)
        self.assertIn("is not a folder", errors)


if __name__ == "__main__":
    unittest.main()

"""bench_peers runs what is missing, nothing twice, and says what came out; the programs behind it agree where they are built."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "bench_peers"
sys.path.insert(0, str(ROOT / "bench" / "peers" / "report"))

import cells  # noqa: E402
import contacts  # noqa: E402
import cost  # noqa: E402
import plan as plans  # noqa: E402
import stability  # noqa: E402
import tables  # noqa: E402

# Stable up to R = 100, loses 30 % without sub-steps and 3 % with two; ends without a word at R = 1e6. As "dart" it is stable where
# it is damped, and keeps the more the more it is. Of contacts: a step takes 1 ms, each hundredth one 10 ms; a hundredth of the contacts
# penetrates by 5 to 5.01 %, the others do not; with masses that differ a run takes 40 s, a pile of 500 is too slow.
PRETENDER = """#!{python}
import json, sys
if sys.argv[1] == "--list":
    print(json.dumps({{"engine": "{name}", "setting": "pretended {name}"}}))
    sys.exit()
open("{log}", "a").write("x")
o = dict(zip(sys.argv[3::2], map(float, sys.argv[4::2])))
if o["--ratio"] == 1e6:
    sys.exit(3)
if "--contacts" in o:
    verdict = "too slow" if o["--n"] == 500 else "measured"
    print(json.dumps({{"verdict": verdict, "failure": "", "ns": [10000000, *[1000000] * 99], "spent": 40.0 if o["--ratio"] > 1 else 0.1,
        "contacts": 1000, "classes": {{"0": 985, "471": 15}}, "worst": 0.1 * o["--seed"], "rise": 0.0, "gap": 0.002,
        "beyond_limit": 0.1}}))
    sys.exit()
fine = "{name}" == "taut" or o["--ratio"] <= 100 or o["--substeps"] >= 2
kept = 0.97 if o["--substeps"] >= 2 else 0.7
if "{name}" == "dart":
    fine, kept = o["--damping"] > 100, 1 - 10 / max(o["--damping"], 10)
print(json.dumps({{"engine": sys.argv[1], "scene": sys.argv[2], "verdict": "stable" if fine else "unstable", "failure": "",
    "kept": kept, "drift": 0.0, "gap": 0.0, "us": 1e5 if o["--substeps"] >= 4 else 10.0,
    "last": [0, 0, 0]}}))
"""


class Pretended(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.programs = self.root / "build" / "bench" / "peers"
        self.programs.mkdir(parents=True)
        self.log = self.root / "log"
        for name in ("taut", "ode", "dart"):
            program = self.programs / f"peer_{name}"
            program.write_text(PRETENDER.format(python=sys.executable, name=name, log=self.log))
            program.chmod(0o755)

    def lab(self):
        return cells.Lab(cells.find_programs(self.programs), self.root / "out")

    def runs(self):
        return len(self.log.read_text()) if self.log.exists() else 0

    def test_nothing_is_run_twice(self):
        task = cells.cell("ode", "S1", 10, 1)
        first = self.lab().run(task, 1)
        self.assertEqual(self.runs(), 1)
        self.assertEqual(self.lab().run(task, 1), first)
        self.assertEqual(self.runs(), 1)

    def test_a_torn_line_is_run_again(self):
        task = cells.cell("ode", "S1", 10, 1)
        self.lab().run(task, 1)
        file = self.root / "out" / "cells.jsonl"
        file.write_text(file.read_text()[:40])
        self.assertEqual(self.lab().run(task, 1)["verdict"], "stable")
        self.assertEqual(self.runs(), 2)

    def test_no_word_is_a_crash(self):
        self.assertEqual(self.lab().run(cells.cell("ode", "S1", 10, 1e6), 1)["verdict"], "crashed")

    def test_a_climb_ends_after_two_failures(self):
        lab = self.lab()
        place = ("ode", "S1", 0.0, 100, 1 / 60, stability.RATIOS)
        stability.climb(lab, *place)
        self.assertEqual(self.runs(), 5)  # 1, 10, 100 stand, 1e3 and 1e4 do not
        self.assertEqual(stability.outcomes(lab, *place), 3 * ["stable"] + 2 * ["unstable"] + 2 * [stability.LIGHTER_FAILED])
        self.assertEqual(tables.largest(lab, *place), "100")

    def test_what_is_drawn_is_climbed_to_the_end(self):
        lab = self.lab()
        scene, turn, n = stability.DRAWN
        stability.climb(lab, "ode", scene, turn, n, 1 / 60, stability.RATIOS)
        self.assertEqual(self.runs(), len(stability.RATIOS))

    def test_too_slow_spares_longer_chains_shorter_steps_and_other_scenes(self):
        lab = self.lab()
        slow = cells.cell("ode", "S1", 50, 1, 0.0, 1 / 60)
        lab.results[cells.key(slow)] = slow | {"verdict": stability.SLOW}
        for scene, turn, n, h in (("S1", 0.0, 100, 1 / 60), ("S1", 0.0, 50, 1 / 240), ("S3", 0.3, 1000, 1 / 1000)):
            self.assertEqual(set(stability.outcomes(lab, "ode", scene, turn, n, h)), {stability.SLOW}, (scene, n, h))
        for scene, turn, n, h in (("S1", 0.0, 10, 1 / 240), ("S2", 0.0, 50, 0.1)):
            self.assertEqual(stability.outcomes(lab, "ode", scene, turn, n, h)[0], stability.MISSING, (scene, n, h))

    def test_again_forgets_one_engine_alone(self):
        for engine in ("taut", "ode"):
            self.lab().run(cells.cell(engine, "S1", 10, 1), 1)
        words = [sys.executable, TOOL, "--build", self.root / "build", "--out", self.root / "out", "--no-run", "--print", "check"]
        done = subprocess.run([*words, "--again", "taut"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 cells forgotten", done.stderr)
        self.assertEqual([r["engine"] for r in self.lab().results.values()], ["ode"])

    def test_cost_takes_the_fewest_sub_steps(self):
        lab = self.lab()
        search = cost.Search(lab, "ode", 10, 1e4)
        self.assertTrue(search.done)
        self.assertEqual({loss: w["substeps"] for loss, w in search.found.items()}, {0.05: 2, 0.2: 2})

    def test_more_damping_may_lose_less(self):
        search = cost.Search(self.lab(), "dart", 10, 1e4)
        self.assertEqual({w["substeps"] for w in search.found.values()}, {1})
        self.assertEqual(set(search.found), set(cost.LOSSES))  # the first stable one, c = 163, loses 6 %
        self.assertGreater(min(w["damping"] for w in search.found.values()), 1000)

    def test_writing_runs_nothing(self):
        words = [sys.executable, TOOL, "--quick", "--build", self.root / "build", "--out", self.root / "out", "--section", "check"]
        done = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.runs(), 3)  # one check of each engine
        self.assertIn("to be run", done.stdout)

    def test_no_answer_for_a_load_spares_heavier_ones(self):
        lab = self.lab()
        for damping in cost.dampings("ode", 1e4, 1):
            task = cells.cell("ode", "S1", 100, 1e4, damping=damping)
            lab.results[cells.key(task)] = task | {"verdict": "too slow"}
        self.assertTrue(cost.Search(lab, "ode", 100, 1e6).hopeless)
        self.assertEqual(self.runs(), 0)

    def contact_runs(self, seeds):
        """Runs three scenes of the section for two engines; returns the lab."""
        lab, plan = self.lab(), plans.Plan(seeds=seeds)
        plan.contact_scenes = [title for title, *_ in contacts.SCENES[:3]]
        with unittest.mock.patch.object(contacts, "ENGINES", ("taut", "ode")):
            contacts.run(lab, plan)
        return lab

    def test_contacts_run_all_seeds_once_and_go_on(self):
        # 2 engines; the first scene has all seeds, masses 1…100 two of 40 s, the slow one the first
        self.contact_runs(3)
        self.assertEqual(self.runs(), 2 * (3 + 2 + 1))
        self.contact_runs(3)
        self.assertEqual(self.runs(), 2 * (3 + 2 + 1))
        self.contact_runs(4)
        self.assertEqual(self.runs(), 2 * (4 + 2 + 1))

    def test_contacts_that_must_be_too_slow_are_not_run(self):
        lab = self.lab()
        small, large = (("ragdolls", n, 1) for n in (10, 50))
        self.assertIsNotNone(contacts.next_seed(lab, ("ode", 1), large, 3))
        task = contacts.cells_of(("ode", 1), small)[0]
        lab.results[cells.key(task)] = task | {"verdict": "measured", "spent": 0.21 * contacts.CELL_LIMIT}
        self.assertIsNone(contacts.next_seed(lab, ("ode", 1), large, 3))
        self.assertIsNotNone(contacts.next_seed(lab, ("taut", 1), large, 3))

    def test_contacts_of_all_seeds_are_taken_together(self):
        found = contacts.summary(self.contact_runs(3), ("ode", 1), ("pile", 100, 1))
        self.assertEqual((found.seeds, found.steps, found.p99), (3, 300, 10.0))
        self.assertAlmostEqual(found.mean, 1.09)
        self.assertAlmostEqual(found.worst, 0.2)
        self.assertAlmostEqual(found.depth, 1e-6 * 10 ** 4.71)  # the class of 1.5 % of the contacts
        self.assertTrue(found.apart)

    def test_a_table_of_contacts_says_who_was_too_slow_and_who_is_to_be_run(self):
        lab = self.contact_runs(2)
        with unittest.mock.patch.object(contacts, "ENGINES", ("taut", "ode", "dart")):
            lines = tables.TABLES["contacts"](lab, None).splitlines()
        self.assertEqual({line.count("|") for line in lines}, {13})
        self.assertEqual([line for line in lines if line.startswith("| pile of 100 | **pretended taut**")],
                         ["| pile of 100 | **pretended taut** | 2 | 10 | 1.09 | 10 | 15.3× | 5.13 % / 10 % | – | – | 0 % | yes |"])
        self.assertEqual(sum("| too slow |" in line for line in lines), 2)
        brief = tables.TABLES["contacts_brief"](lab, None)
        self.assertIn("| **pretended taut** | **5.13 % / 10 %** · 1.09 (10) ms | too slow |  |", brief)
        self.assertEqual(sum("pretended dart | 0 |" in line for line in lines), len(contacts.SCENES))

    def test_contacts_of_an_engine_are_forgotten_alone(self):
        self.lab().run(cells.cell("taut", "S1", 10, 1), 1)
        count = len(self.contact_runs(1).results)
        words = [sys.executable, TOOL, "--build", self.root / "build", "--out", self.root / "out", "--no-run", "--print", "contacts",
                 "--section", "contacts", "--again", "taut"]
        done = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3 cells forgotten", done.stderr)
        self.assertEqual(len(self.lab().results), count - 3)
        self.assertIsNotNone(self.lab().known(cells.cell("taut", "S1", 10, 1)))

    def test_lines_of_before_there_were_seeds_are_known(self):
        task = cells.cell("ode", "S1", 10, 1)
        self.lab().run(task, 1)
        file = self.root / "out" / "cells.jsonl"
        line = json.loads(file.read_text())
        del line["seed"]
        file.write_text(json.dumps(line) + "\n")
        self.assertIsNotNone(self.lab().known(task))

    def test_the_command_prints_a_table(self):
        done = subprocess.run([sys.executable, TOOL, "--quick", "--build", self.root / "build", "--out", self.root / "out",
                               "--print", "check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| pretended ode | 0.00 |", done.stdout)

    def test_an_unknown_engine_is_named(self):
        done = subprocess.run([sys.executable, TOOL, "--build", self.root / "build", "--only", "odd"],
                              capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no engine odd", done.stderr)


class Built(unittest.TestCase):
    """The real programs, where a build with TAUT_PEERS is there: all engines find the same motion at tiny steps."""

    def test_engines_agree(self):
        build = pathlib.Path(os.environ.get("TAUT_PEERS_BUILD", ROOT / "build" / "peers"))
        programs = cells.find_programs(build / "bench" / "peers")
        if "taut" not in programs:
            self.skipTest("the other engines are not built (tools/build_preset peers peers)")
        places = {}
        for engine, (program, _) in programs.items():
            words = [program, engine, "S2", "--n", "3", "--ratio", "10", "--turn", "0.3", "--h", "1e-4", "--seconds", "0.2"]
            line = subprocess.run(words, capture_output=True, text=True, check=True).stdout
            result = json.loads(line)
            self.assertEqual(result["verdict"], "stable", line)
            places[engine] = result["last"]
        for engine, place in places.items():
            for a, b in zip(place, places["taut"]):
                self.assertAlmostEqual(a, b, delta=1e-3, msg=engine)


if __name__ == "__main__":
    unittest.main()

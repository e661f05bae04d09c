"""What is run: sections of cells. Each section runs what is missing and leaves everything in the lab's file."""

import contacts
import cost
import stability
from cells import cell

# Scenes beside the chains: (title, scene, n, ratio), 1/60 s.
OTHERS = (
    ("chain of 10 four-bars, R = 100", "fourbars", 10, 1e2),
    ("chain of 10 four-bars, R = 1e4", "fourbars", 10, 1e4),
    ("net of 5 × 5 meshes, R = 100", "net", 5, 1e2),
    ("tree of 60 bodies, root shaken", "tree", 60, 1),
    ("R = 100 on 3 boxes", "heavy", 3, 1e2),
    ("R = 1e4 on 3 boxes", "heavy", 3, 1e4),
    ("5 ragdolls", "ragdolls", 5, 1),
    ("pile of 100, alike", "pile", 100, 1),
    ("pile of 100, masses 1…100", "pile", 100, 100),
)

# Where all engines must find the same motion before anything is compared: (scene, n, ratio, turn).
CHECKS = (("S1", 5, 10, 0.3), ("S2", 5, 10, 0.3), ("S3", 5, 10, 0.3), ("fourbars", 2, 10, 0.0), ("net", 2, 10, 0.0),
          ("tree", 60, 1, 0.0))

# Processor time that a cell may take [s]; stability.py and cost.py have their own.
CHECK_LIMIT, OTHERS_LIMIT, TIMES_LIMIT = 20, 30, 4


class Plan:
    def __init__(self, quick=False, seeds=None):
        self.quick = quick
        self.seeds = seeds or (2 if quick else contacts.SEEDS)
        self.contact_scenes = contacts.BRIEF[:1] if quick else [title for title, *_ in contacts.SCENES]
        self.lengths = stability.LENGTHS[::2] if quick else stability.LENGTHS
        self.ratios = (1, 1e2, 1e4, 1e6) if quick else stability.RATIOS
        self.columns = [(10, 1 / 60), (100, 1 / 60)] if quick else stability.COLUMNS
        self.turns = (0.3,) if quick else stability.TURNS
        self.chains = ("S1",) if quick else stability.CHAINS
        self.passes = 1 if quick else 3
        self.costs = cost.LOADS[:1] if quick else cost.LOADS
        self.checks = CHECKS[:1] if quick else CHECKS

    def check_cells(self, engines):
        return [cell(e, s, n, r, w, 1e-4, 0.5) for s, n, r, w in self.checks for e in engines]

    def time_cells(self, engines):
        """Passes outermost: what else the machine does falls on all engines alike."""
        return [cell(e, "S1", n, 100, h=1 / 60, seconds=2.0, rounds=3, turn_of=p) for p in range(self.passes)
                for n in self.lengths for e in engines]

    def other_cells(self, engines):
        return [cell(e, s, n, r) for _, s, n, r in OTHERS for e in engines]


def run_check(lab, plan):
    tasks = plan.check_cells(lab.engines)
    lab.progress.begin("check", len(tasks))

    def one(task):
        lab.run(task, CHECK_LIMIT)
        lab.progress.tick(1, f"{task['engine']} {task['scene']}")

    lab.side_by_side([lambda t=t: one(t) for t in tasks])
    lab.progress.end()


def run_others(lab, plan):
    tasks = plan.other_cells(lab.engines)
    lab.progress.begin("others", len(tasks))
    for task in tasks:  # one by one: their table has times
        lab.run(task, OTHERS_LIMIT)
        lab.progress.tick(1, f"{task['engine']} {task['scene']} n={task['n']}")
    lab.progress.end()


def run_times(lab, plan):
    tasks = plan.time_cells(lab.engines)
    lab.progress.begin("times", len(tasks))
    for task in tasks:
        first = lab.known(task | {"turn_of": 0})
        if first is None or first["verdict"] == "timed":  # what was too slow once is not tried again
            lab.run(task, TIMES_LIMIT)
        lab.progress.tick(1, f"{task['engine']} n={task['n']}")
    lab.progress.end()


# Cheap and telling ones first.
SECTIONS = {"check": run_check, "others": run_others, "contacts": contacts.run, "stability": stability.run, "cost": cost.run, "times": run_times}

"""Bodies that touch: what a step costs and how far bodies penetrate, over several draws of each scene.

A cell is one engine on one scene with one seed. Seeds are added until they are all there or took BUDGET of processor time; the first one
that is too slow or fails is the last. All figures are of what the cells hold: times of all steps of all seeds, penetration of all
contacts of all steps.
"""

import collections

from cells import cell

SECONDS, STEP = 5.0, 1 / 60
SEEDS = 20
CELL_LIMIT = 50.0   # processor time of one run [s]: ten times slower than real time
BUDGET = 60.0       # processor time of the steps of one engine on one scene after which no further seed is begun [s]
APART = 0.1         # p99 of penetration over the thinner half width below which bodies are kept apart

# (title, scene, n, ratio)
SCENES = (
    ("pile of 100", "pile", 100, 1),
    ("pile of 100, masses 1…100", "pile", 100, 100),
    ("pile of 500", "pile", 500, 1),
    ("5 ragdolls", "ragdolls", 5, 1),
    ("10 ragdolls", "ragdolls", 10, 1),
    ("10 ragdolls with limits", "limited", 10, 1),
    ("50 ragdolls", "ragdolls", 50, 1),
)
BRIEF = ("pile of 100", "pile of 500", "10 ragdolls")
# One of each kind: Bullet's MLCP and MuJoCo's other integrators are in the table of the other scenes.
ENGINES = ("taut", "bullet-si", "ode-direct", "ode-quick", "mujoco-euler", "jolt", "jolt-fine", "rapier", "mujoco3")
# What shorter steps do for engines whose step is cheap: sub-steps in a frame.
SUBSTEPS = 8
SUBSTEPPED = ("bullet-si", "ode-quick", "mujoco-euler", "jolt-fine")
SUBSTEPPED_SCENES = ("pile of 100", "10 ragdolls")


def entries(lab, title):
    """What is run on a scene: (engine, sub-steps)."""
    found = [(engine, 1) for engine in ENGINES if engine in lab.programs]
    if title in SUBSTEPPED_SCENES:
        found += [(engine, SUBSTEPS) for engine in SUBSTEPPED if engine in lab.programs]
    return found


def cells_of(entry, place, seeds=SEEDS):
    (engine, substeps), (scene, n, ratio) = entry, place
    return [cell(engine, scene, n, ratio, h=STEP, seconds=SECONDS, substeps=substeps, seed=seed) for seed in range(seeds)]


def hopeless(lab, entry, place):
    """Whether a smaller one of these scenes took so long that this one is too slow even if time grows as the bodies, no faster."""
    scene, n, ratio = place
    for _, other, m, other_ratio in SCENES:
        known = lab.known(cells_of(entry, (other, m, other_ratio))[0]) if (other, other_ratio) == (scene, ratio) and m < n else None
        if known is not None and known.get("spent", 0) * n / m > CELL_LIMIT * lab.patience:
            return True
    return False


def next_seed(lab, entry, place, seeds):
    """The next cell to run, or None."""
    if hopeless(lab, entry, place):
        return None
    spent = 0.0
    for task in cells_of(entry, place, seeds):
        result = lab.known(task)
        if result is None:
            return task if spent < BUDGET * lab.patience else None
        if result["verdict"] != "measured":
            return None
        spent += result["spent"]
    return None


def run(lab, plan):
    scenes = [scene for scene in SCENES if scene[0] in plan.contact_scenes]
    lab.progress.begin("contacts", plan.seeds * sum(len(entries(lab, title)) for title, *_ in scenes))
    # seeds outermost: a run that is stopped has something of every scene, and what else the machine does falls on all engines alike
    for seed in range(plan.seeds):
        for title, *place in scenes:
            for entry in entries(lab, title):
                task = next_seed(lab, entry, place, plan.seeds)
                if task is not None and task["seed"] <= seed:
                    lab.run(task, CELL_LIMIT, seed=task["seed"])
                lab.progress.tick(1, f"{entry[0]} {title}")
    lab.progress.end()


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def class_bound(index):
    """Where a class of penetration ends, of the half width (ContactMonitor::classes)."""
    return 1e-6 * 10 ** (index / 100)


class Summary:
    """All seeds of one engine on one scene."""

    def __init__(self, results):
        self.seeds = len(results)
        self.verdict = next((r["verdict"] for r in results if r["verdict"] != "measured"), "measured")
        self.failure = next((r["failure"] for r in results if r.get("failure")), "")
        times = [ns * 1e-6 for r in results for ns in r.get("ns", ())]
        self.any = bool(times)
        if not self.any:
            return
        self.steps = len(times)
        self.mean, self.p99 = sum(times) / len(times), quantile(times, 0.99)  # [ms]
        self.real_time = 1000 * STEP / self.mean if self.mean > 0 else float("inf")
        counts = collections.Counter()
        for result in results:
            counts.update({int(k): n for k, n in result["classes"].items()})
        self.contacts = sum(counts.values()) / self.steps
        self.depth = self.depth_at(counts, 0.99)
        most = {name: max(r[name] for r in results) for name in ("worst", "rise", "gap", "beyond_limit")}
        self.worst, self.rise, self.gap, self.beyond_limit = most.values()
        self.apart = self.verdict == "measured" and self.depth < APART

    @staticmethod
    def depth_at(counts, share):
        total, seen = sum(counts.values()), 0
        for index in sorted(counts):
            seen += counts[index]
            if seen > share * total:
                return class_bound(index) if index > 0 else 0.0
        return 0.0


def summary(lab, entry, place):
    """Of what is there; None where nothing is."""
    found = [lab.known(task) for task in cells_of(entry, place)]
    found = [r for r in found if r is not None]
    return Summary(found) if found else None

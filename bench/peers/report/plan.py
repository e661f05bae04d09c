"""What is run: sections of cells. Each section runs what is missing and leaves everything in the lab's file."""

from cells import cell

RATIOS = (1, 10, 1e2, 1e3, 1e4, 1e5, 1e6)
CHAINS = ("S1", "S2", "S3")
TURNS = (0.0, 0.3)
LENGTHS = (10, 50, 100, 1000)
STEPS = (0.1, 1 / 60, 1 / 240, 1 / 1000)  # from large to small: what is too slow at one is too slow at the next
# in the order in which answers are wanted
COLUMNS = [(n, h) for hs in (STEPS[:2], STEPS[2:]) for n in LENGTHS for h in hs]
GRAVITY, LINK = 9.81, 0.1
DRAWN = ("S1", 0.3, 10)  # the map of the documents
REAL_TIME = 1e6 / 60  # µs of a frame

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

# Where all engines must find the same motion before anything is compared: (scene, n, ratio, turn, step).
CHECKS = (("S1", 5, 10, 0.3), ("S2", 5, 10, 0.3), ("S3", 5, 10, 0.3), ("fourbars", 2, 10, 0.0), ("net", 2, 10, 0.0),
          ("tree", 60, 1, 0.0))

# Damping that an expert would try. Joint damping c [N m s/rad] that is treated implicitly calms links under the load's pull
# T = R g when c ≈ T l h; rates [1/s] are for engines that damp bodies.
JOINT_DAMPING = ("mujoco-euler", "mujoco-implicit", "mujoco3", "dart", "simbody-fixed")
SHARES, RATES = (0, 0.1, 0.3, 1), (0, 0.1, 1)


class Plan:
    def __init__(self, quick=False):
        self.quick = quick
        self.ratios = (1, 1e2, 1e4, 1e6) if quick else RATIOS
        self.columns = [(10, 1 / 60), (100, 1 / 60)] if quick else COLUMNS
        self.turns = (0.3,) if quick else TURNS
        self.chains = ("S1",) if quick else CHAINS
        self.passes = 1 if quick else 3
        self.costs = [(10, 1e4)] if quick else [(n, r) for n in (10, 100) for r in (1e4, 1e5, 1e6)]
        self.checks = CHECKS[:1] if quick else CHECKS

    def check_cells(self, engines):
        return [cell(e, s, n, r, w, 1e-4, 0.5) for s, n, r, w in self.checks for e in engines]

    def time_cells(self, engines):
        """Passes outermost: what else the machine does falls on all engines alike."""
        return [cell(e, "S1", n, 100, h=1 / 60, seconds=2.0, rounds=3, turn_of=p) for p in range(self.passes)
                for n in LENGTHS for e in engines]

    def other_cells(self, engines):
        return [cell(e, s, n, r) for _, s, n, r in OTHERS for e in engines]


def run_all(lab, cells, name, parallel=True):
    lab.progress.begin(name, len(cells))

    def one(task):
        result = lab.run(task)
        lab.progress.tick(1, f"{task['engine']} {task['scene']} n={task['n']}")
        return result

    if parallel:
        lab.side_by_side([lambda t=t: one(t) for t in cells])
    else:
        for task in cells:
            one(task)
    lab.progress.end()


def stable(result):
    return result is not None and result["verdict"] == "stable"


def climb(lab, engine, scene, turn, n, h, ratios):
    """Loads from light to heavy. Two failures in a row, or one cell that is too slow, end the climb: except where a picture
    shows all of them."""
    drawn = (scene, turn, n) == DRAWN
    failures = 0
    for ratio in ratios:
        result = lab.run(cell(engine, scene, n, ratio, turn, h))
        failures = 0 if stable(result) else failures + 1
        if result is None or result["verdict"] == "cannot":
            return
        if not drawn and (failures == 2 or result["verdict"] == "too slow"):
            return


def slow_already(lab, engine, scene, turn, n, h):
    """Too slow at a larger step, the lightest load: too slow here."""
    return any(lab.known(cell(engine, scene, n, 1, turn, larger)) is not None
               and lab.known(cell(engine, scene, n, 1, turn, larger))["verdict"] == "too slow"
               for larger in STEPS if larger > h)


def run_stability(lab, plan):
    lab.progress.begin("stability", len(plan.columns) * len(plan.chains) * len(plan.turns) * len(lab.engines))

    def column(engine, scene, turn, n, h):
        if not slow_already(lab, engine, scene, turn, n, h):
            climb(lab, engine, scene, turn, n, h, plan.ratios)
        lab.progress.tick(1, f"{engine} {scene} n={n} h={h:.4g}")

    for n, h in plan.columns:
        lab.side_by_side([lambda a=(e, s, w, n, h): column(*a) for s in plan.chains for w in plan.turns
                          for e in lab.engines])
    lab.progress.end()


def dampings(engine, ratio, substeps):
    if engine in ("taut", "simbody-adaptive"):
        return (0,)
    if engine in JOINT_DAMPING:
        return tuple(share * ratio * GRAVITY * LINK / 60 / substeps for share in SHARES)
    return RATES


def search_cost(lab, engine, n, ratio):
    """Sub-steps 1, 2, 4, … with every damping until less than 1 % is lost or a frame takes longer than it lasts. False: it could
    not be brought to its end, because cells are missing and nothing may be run."""
    substeps = 1
    while substeps <= 4096:
        results = [lab.run(cell(engine, "S1", n, ratio, substeps=substeps, damping=c)) for c in
                   dampings(engine, ratio, substeps)]
        if any(r is None for r in results):
            return False
        if any(stable(r) and r["kept"] > 0.99 for r in results):
            return True
        if all(r["verdict"] in ("too slow", "crashed") or r.get("us", 0) > REAL_TIME for r in results):
            return True
        substeps *= 2
    return True


def searched(lab, engine, n, ratio):
    """Whether the search is over, as far as the cells tell."""
    may_run, lab.may_run = lab.may_run, False
    try:
        return search_cost(lab, engine, n, ratio)
    finally:
        lab.may_run = may_run


def winners(lab, engine, n, ratio):
    """Largest loss allowed → the cell with fewest sub-steps that keeps it, of these the one that loses least."""
    found = {}
    for allowed in (0.01, 0.05, 0.2):
        substeps = 1
        while substeps <= 4096 and allowed not in found:
            results = [lab.known(cell(engine, "S1", n, ratio, substeps=substeps, damping=c)) for c in
                       dampings(engine, ratio, substeps)]
            good = [r for r in results if stable(r) and r["kept"] > 1 - allowed]
            if good:
                found[allowed] = max(good, key=lambda r: min(r["kept"], 2 - r["kept"]))
            substeps *= 2
    return found


def timing_of(winner):
    return cell(winner["engine"], "S1", winner["n"], winner["ratio"], seconds=2.0, substeps=winner["substeps"],
                damping=winner["damping"], rounds=3)


def run_cost(lab, plan):
    tasks = [(e, n, r) for n, r in plan.costs for e in lab.engines]
    lab.progress.begin("cost", 2 * len(tasks))

    def search(task):
        search_cost(lab, *task)
        lab.progress.tick(1, f"{task[0]} n={task[1]} R={task[2]:g}")

    lab.side_by_side([lambda t=t: search(t) for t in tasks])
    for task in tasks:  # times one by one
        for winner in {w["substeps"]: w for w in winners(lab, *task).values()}.values():
            lab.run(timing_of(winner))
        lab.progress.tick(1, f"{task[0]} n={task[1]} R={task[2]:g}")
    lab.progress.end()


def run_times(lab, plan):
    lab.progress.begin("times", len(plan.time_cells(lab.engines)))
    for task in plan.time_cells(lab.engines):
        first = lab.known(task | {"turn_of": 0})
        if first is None or first["verdict"] == "timed":  # what was too slow once is not tried again
            lab.run(task)
        lab.progress.tick(1, f"{task['engine']} n={task['n']}")
    lab.progress.end()


SECTIONS = {
    "check": lambda lab, plan: run_all(lab, plan.check_cells(lab.engines), "check"),
    "times": lambda lab, plan: run_times(lab, plan),
    "others": lambda lab, plan: run_all(lab, plan.other_cells(lab.engines), "others", parallel=False),
    "cost": run_cost,
    "stability": run_stability,
}

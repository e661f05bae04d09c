"""Which chains stay together: S1, S2, S3, at rest and turning, loads of 1 to 1e6, four lengths, four steps.

Every place of the grid is a verdict or one of the reasons below for which nothing was run; `outcome` tells which, from the cells
alone, so that the rules by which work is saved and the tables that say so cannot differ.
"""

from cells import cell

RATIOS = (1, 10, 1e2, 1e3, 1e4, 1e5, 1e6)
CHAINS = ("S1", "S2", "S3")
TURNS = (0.0, 0.3)
LENGTHS = (10, 50, 100, 1000)
STEPS = (0.1, 1 / 60, 1 / 240, 1 / 1000)
# in the order in which answers are wanted
COLUMNS = [(n, h) for ns in (LENGTHS[:3], LENGTHS[3:]) for hs in (STEPS[:2], STEPS[2:3], STEPS[3:]) for n in ns for h in hs]
DRAWN = ("S1", 0.3, 10)  # a picture shows all of it: climbs do not end early there
REAL_TIME = 1.0  # processor time of a second of motion [s]: what takes longer is too slow

# Why a cell is not run, beside what a cell can answer itself.
LIGHTER_FAILED = "lighter failed"  # two lighter loads in a row were unstable
SLOW = "too slow"                  # so was a lighter load, a longer step, a shorter chain, or the same chain as S1 at rest with R = 1
LONG_IN_WASM = "long in wasm"      # steps below 1/60 s: chains of more than 10 links in native engines only
OWN_STEPS = "own steps"            # the error-controlled engine chooses its steps itself: frames below 1/60 s only where drawn
MISSING = "missing"                # to be run


def is_wasm(lab, engine):
    return lab.programs[engine][0].name == "peer_node"


def slow_chain(lab, engine, scene, turn, n, h):
    """Whether the lightest load is known to be too slow: here, at a longer step, with fewer links, or on S1 at rest."""
    known = lab.known(cell(engine, scene, n, 1, turn, h))
    if known is not None:
        return known["verdict"] == SLOW
    longer, shorter = STEPS.index(h) - 1, LENGTHS.index(n) - 1
    return (longer >= 0 and slow_chain(lab, engine, scene, turn, n, STEPS[longer])
            or shorter >= 0 and slow_chain(lab, engine, scene, turn, LENGTHS[shorter], h)
            or (scene, turn) != ("S1", 0.0) and slow_chain(lab, engine, "S1", 0.0, n, h))


def outcomes(lab, engine, scene, turn, n, h, ratios=RATIOS):
    """Verdict or reason for each load, from light to heavy; once a load is missing, so are the heavier ones."""
    found, failures = [], 0
    drawn = (scene, turn, n) == DRAWN
    for ratio in ratios:
        known = lab.known(cell(engine, scene, n, ratio, turn, h))
        before = found[-1] if found else None
        if known is not None:
            word = known["verdict"]
        elif before == "cannot":
            word = "cannot"
        elif before == SLOW or before is None and slow_chain(lab, engine, scene, turn, n, h):
            word = SLOW
        elif is_wasm(lab, engine) and n > 10 and h < 1 / 60:
            word = LONG_IN_WASM
        elif engine == "simbody-adaptive" and h < 1 / 60 and not drawn:
            word = OWN_STEPS
        elif failures >= 2 and not drawn:
            word = LIGHTER_FAILED
        else:
            word = MISSING
        failures = failures + 1 if word in ("unstable", "crashed") else failures if known is None else 0
        found.append(word)
    return found


def climb(lab, engine, scene, turn, n, h, ratios):
    """Runs one column of loads, from light to heavy, as far as there is something to learn."""
    while MISSING in (words := outcomes(lab, engine, scene, turn, n, h, ratios)):
        task = cell(engine, scene, n, ratios[words.index(MISSING)], turn, h)
        if lab.run(task, REAL_TIME * task["seconds"]) is None:
            return


def run(lab, plan):
    lab.progress.begin("stability", len(plan.columns) * len(plan.chains) * len(plan.turns) * len(lab.engines))

    def column(engine, scene, turn, n, h):
        climb(lab, engine, scene, turn, n, h, plan.ratios)
        lab.progress.tick(1, f"{engine} {scene} n={n} h={h:.4g}")

    for n, h in plan.columns:
        lab.side_by_side([lambda a=(e, s, w, n, h): column(*a) for s in plan.chains for w in plan.turns
                          for e in lab.engines])
    lab.progress.end()

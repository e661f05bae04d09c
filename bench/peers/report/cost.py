"""What a frame of 1/60 s costs when only so much energy may be lost: S1 at rest, 10 s. Engines may take sub-steps and be damped by
hand; the cheapest setting that stays stable and keeps 99, 95, 80 % is looked for, then timed."""

from cells import cell, stable

LOADS = [(10, 1e4), (10, 1e6), (100, 1e4), (100, 1e5), (100, 1e6)]  # N, R; of one length from light to heavy
LOSSES = (0.01, 0.05, 0.2)
GRAVITY, LINK = 9.81, 0.1
FRAME = 1e6 / 120  # µs: half of a frame; the rest of it has other work to do
SECONDS = 10.0
TIMING_LIMIT = 1.0  # processor time of one timing [s]; fast settings are timed over all of the motion, slow ones over its beginning
MOST = 4096

# Damping that an expert would try. Joint damping c [N m s/rad] that is treated implicitly calms links under the load's pull
# T = R g when c ≈ T l h, and long chains as a whole when it is up to a thousand times that: then links hardly turn against each
# other, and more damping may lose less. Small numbers are for the others: rates [1/s] at which turning fades, or joint damping that is
# explicit.
IMPLICIT = ("mujoco-euler", "mujoco-implicit", "mujoco3", "dart")
SHARES, RATES = (0, 0.3, 1, 2, 3, 6, 10, 20, 30, 60, 100, 300, 1000, 3000), (0, 0.1, 1)


def dampings(engine, ratio, substeps):
    if engine in ("taut", "simbody-adaptive"):
        return (0,)
    if engine in IMPLICIT:
        return tuple(share * ratio * GRAVITY * LINK / 60 / substeps for share in SHARES)
    return RATES


def attempt(lab, engine, n, ratio, substeps):
    """All dampings from none to much, until one keeps enough or is too dear, for damping does not make a step cheaper; where it is
    a rate at which turning fades, until one is stable, for more of it only loses more. None: cells are missing."""
    results = []
    for damping in dampings(engine, ratio, substeps):
        task = cell(engine, "S1", n, ratio, substeps=substeps, damping=damping)
        plain = substeps == 1 and damping == 0  # also a cell of the stability grid, which asks for no energy
        result = lab.run(task, SECONDS if plain else SECONDS * FRAME * 60e-6, None if plain else max(LOSSES))
        if result is None:
            return None
        results.append(result)
        enough = keeps(result, LOSSES[0]) if engine in IMPLICIT else stable(result)
        if enough or not affordable(result):
            break
    return results


def affordable(result):
    return result["verdict"] not in ("too slow", "crashed", "cannot") and result.get("us", 0) <= FRAME


def keeps(result, loss):
    return stable(result) and affordable(result) and result["kept"] > 1 - loss


class Search:
    """Sub-steps 1, 2, 4, … until less than 1 % is lost or a step costs too much; then three quarters of what was found. `done` is
    false if cells are missing and nothing may be run; `hopeless`: a lighter load on the same chain had no answer."""

    def __init__(self, lab, engine, n, ratio):
        self.found, self.done, self.hopeless = {}, False, False
        lighter = [r for m, r in LOADS if m == n and r < ratio]
        if lighter:
            below = Search(lab, engine, n, lighter[-1])
            if not below.done:
                return
            if not below.found:
                self.done = self.hopeless = True
                return
        self.done = self.climb(lab, engine, n, ratio) and self.refine(lab, engine, n, ratio)

    def climb(self, lab, engine, n, ratio):
        substeps = 1
        while substeps <= MOST:
            results = attempt(lab, engine, n, ratio, substeps)
            if results is None:
                return False
            self.note(results)
            if LOSSES[0] in self.found or not any(affordable(r) for r in results):
                return True
            substeps *= 2
        return True

    def refine(self, lab, engine, n, ratio):
        for substeps in sorted({w["substeps"] for w in self.found.values() if w["substeps"] % 4 == 0}):
            results = attempt(lab, engine, n, ratio, 3 * substeps // 4)
            if results is None:
                return False
            self.note(results)
        return True

    def note(self, results):
        """Keeps for every loss the fewest sub-steps, of these what loses least."""
        for loss in LOSSES:
            for result in (r for r in results if keeps(r, loss)):
                best = self.found.get(loss)
                if best is None or (result["substeps"], -result["kept"]) < (best["substeps"], -best["kept"]):
                    self.found[loss] = result

    def settings(self):
        return list({(w["substeps"], w["damping"]): w for w in self.found.values()}.values())


def timing_of(winner, number):
    return cell(winner["engine"], "S1", winner["n"], winner["ratio"], substeps=winner["substeps"], damping=winner["damping"],
                rounds=1, turn_of=number)


def microseconds(lab, plan, winner):
    """Of a frame, the fastest of all timings; None if there is none yet."""
    timed = [lab.known(timing_of(winner, p)) for p in range(plan.passes)]
    return min((r["fastest"] for r in timed if r is not None and "fastest" in r), default=None)


def run(lab, plan):
    tasks = [(e, n, r) for n, r in plan.costs for e in lab.engines]
    lab.progress.begin("cost", len(tasks) * (1 + plan.passes))
    winners = {}

    def search(task):
        winners[task] = Search(lab, *task).settings()
        lab.progress.tick(1, f"{task[0]} n={task[1]} R={task[2]:g}")

    lab.side_by_side([lambda t=t: search(t) for t in tasks])
    # times one by one and passes outermost: what else the machine does falls on all engines alike
    for number in range(plan.passes):
        for task in tasks:
            for winner in winners[task]:
                lab.run(timing_of(winner, number), TIMING_LIMIT)
            lab.progress.tick(1, f"{task[0]} n={task[1]} R={task[2]:g}")
    lab.progress.end()

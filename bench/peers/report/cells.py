"""Cells: one engine on one scene with one setting. Runs them as processes, keeps what came out, one JSON line each."""

import concurrent.futures
import json
import subprocess
import sys
import threading
import time

KEYS = ("engine", "scene", "n", "ratio", "turn", "h", "seconds", "substeps", "damping", "rounds", "turn_of", "seed")
DEFAULTS = {"seed": None}  # of keys that older lines lack
CONTACTS_ONLY = ("jolt-fine",)  # engines that are run on contacts alone


def cell(engine, scene="S1", n=10, ratio=1.0, turn=0.0, h=1 / 60, seconds=None, substeps=1, damping=0.0, rounds=0,
         turn_of=0, seed=None):
    """turn_of counts repetitions of the same measurement; a cell with a seed measures contacts. A thousand links are followed for
    2 s only."""
    if seconds is None:
        seconds = 2.0 if n >= 1000 else 10.0
    return dict(zip(KEYS, (engine, scene, n, float(ratio), float(turn), float(h), float(seconds), substeps,
                           float(damping), rounds, turn_of, seed)))


def key(task):
    values = [task[k] if k not in DEFAULTS else task.get(k, DEFAULTS[k]) for k in KEYS]
    return tuple(round(value, 12) if isinstance(value, float) else value for value in values)


def find_programs(folder):
    """Engine name → (program, setting), in the order of the tables."""
    found = {}
    for name in ("taut", "bullet", "ode", "mujoco", "dart", "simbody", "node"):
        program = folder / f"peer_{name}"
        if not program.exists():
            continue
        listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout
        for line in listed.splitlines():
            entry = json.loads(line)
            found[entry["engine"]] = (program, entry["setting"])
    return found


class Progress:
    """A bar on a terminal, a line now and then elsewhere."""

    def __init__(self):
        self.lock = threading.Lock()
        self.section, self.done, self.total, self.start, self.told = "", 0, 0, 0.0, 0.0

    def begin(self, section, total):
        self.section, self.done, self.total = section, 0, max(1, total)
        self.start = self.told = time.monotonic()

    def tick(self, count, what):
        with self.lock:
            self.done += count
            share = min(1.0, self.done / self.total)
            now = time.monotonic()
            if sys.stderr.isatty():
                bar = "#" * round(30 * share)
                print(f"\r{self.section:10} [{bar:30}] {100 * share:3.0f} %  {what[:50]:50}", end="", file=sys.stderr)
            elif now - self.told > 30:
                self.told = now
                print(f"{self.section}: {100 * share:.0f} %, {now - self.start:.0f} s", file=sys.stderr, flush=True)

    def end(self):
        if sys.stderr.isatty():
            print(file=sys.stderr)


class Lab:
    """Runs cells and remembers them. `patience` scales all limits of processor time."""

    def __init__(self, programs, out, patience=1.0, jobs=1, run=True):
        self.programs, self.patience, self.jobs, self.may_run = programs, patience, jobs, run
        self.progress = Progress()
        self.lock = threading.Lock()
        out.mkdir(parents=True, exist_ok=True)
        self.file = out / "cells.jsonl"
        self.results = {}
        if self.file.exists():
            for line in self.file.read_text().splitlines():
                try:
                    result = json.loads(line)
                    self.results[key(result)] = result
                except (json.JSONDecodeError, KeyError):
                    continue  # the line that was being written when somebody pulled the plug

    @property
    def engines(self):
        return [engine for engine in self.programs if engine not in CONTACTS_ONLY]

    def known(self, task):
        return self.results.get(key(task))

    def forget(self, condition):
        """Drops cells, from the file too; returns how many."""
        before = len(self.results)
        self.results = {k: r for k, r in self.results.items() if not condition(r)}
        fresh = self.file.with_suffix(".new")
        fresh.write_text("".join(json.dumps(r) + "\n" for r in self.results.values()))
        fresh.replace(self.file)
        return before - len(self.results)

    def run(self, task, limit, lose=None, seed=None):
        """The result, from the file if it is there; None if nothing may be run. `limit`: processor time [s] after which the cell
        is too slow. `lose`: the part of the energy after whose loss the run is of no interest. `seed`: measure contacts of
        the scene that is drawn with it."""
        result = self.known(task)
        if result is not None or not self.may_run:
            return result
        limit *= self.patience
        program, _ = self.programs[task["engine"]]
        words = [str(program), task["engine"], task["scene"], "--limit", str(limit)]
        for name in ("n", "ratio", "turn", "h", "seconds", "substeps", "damping", "rounds"):
            words += [f"--{name}", repr(task[name])]
        if lose is not None:
            words += ["--lose", str(lose)]
        if seed is not None:
            words += ["--seed", str(seed), "--contacts", "1"]
        result = dict(task) | {"limit": limit}
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=20 * limit + 60)
            if done.returncode == 2:
                raise SystemExit(f"bench_peers: {' '.join(words)}: {done.stderr}")
            line = done.stdout.strip()
            if line:
                result |= {k: v for k, v in json.loads(line).items() if k not in KEYS}
            else:
                slow = -done.returncode in (24, 9)  # SIGXCPU, SIGKILL: the limit
                result["verdict"] = "too slow" if slow else "crashed"
        except subprocess.TimeoutExpired:
            result["verdict"] = "too slow"
        with self.lock:
            self.results[key(task)] = result
            with self.file.open("a") as out:
                out.write(json.dumps(result) + "\n")
        return result

    def side_by_side(self, jobs):
        """Calls functions on the threads that there are; their order of completion does not matter."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for future in [pool.submit(job) for job in jobs]:
                future.result()


def stable(result):
    return result is not None and result["verdict"] == "stable"


def write_csv(lab, path):
    names = list(KEYS) + ["limit", "verdict", "failure", "reached", "rise", "kept", "drift", "gap", "penetration", "sunk", "us",
                          "fastest", "solves", "spent", "contacts", "worst", "beyond_limit"]
    with path.open("w") as out:
        out.write(",".join(names) + "\n")
        for result in lab.results.values():
            out.write(",".join(str(result.get(n, "")).replace(",", ";") for n in names) + "\n")

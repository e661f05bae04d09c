#!/usr/bin/env python3
"""Checks of the engine without threads and in WebAssembly.

    check_platform.py same STEP_SCENES STEP_SCENES_WITHOUT_THREADS
    check_platform.py symbols NM LIBRARY          no symbol of threads is wanted by the library
    check_platform.py includes SOURCE LAYER…      only core/worker_pool.cpp includes headers of threads
    check_platform.py wasm BUILD_WASM FOLDER STEP_SCENES
"""
import pathlib
import re
import subprocess
import sys

HEADERS = ["thread", "mutex", "shared_mutex", "condition_variable", "stop_token", "future",
           "semaphore", "latch", "barrier", "pthread.h"]


# The bits of WebAssembly are its own: Eigen adds in another order where it has no SSE, and sine and cosine come from
# another library. After 120 steps a pendulum shows the rounding (1e-13); a pile also where its contacts stop to slide,
# which the step knows to its own tolerance, and
# its bodies still slide then (1e-3 m).
WASM_TOLERANCE = {"pendulum": 1e-10, "pile": 1e-2}


def numbers(line):
    """Energy and position of a line of step_scenes."""
    return [float(x) for x in re.findall(r"-?\d+\.\d+(?:e[-+]\d+)?", line)]


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def same(with_threads, without):
    want = output(with_threads, "1")
    for command in ([with_threads, "2"], [without, "1"], [without, "4"]):
        got = output(*command)
        if got != want:
            sys.exit(f"{' '.join(command)} prints\n{got}and not\n{want}")
    print(want, end="")


def symbols(nm, library):
    wanted = output(nm, "--undefined-only", "--demangle", library)
    found = re.findall(r".*\b(?:pthread_|thrd_|std::thread|std::condition_variable).*", wanted)
    if found:
        sys.exit("the library without threads wants\n" + "\n".join(sorted(set(found))))
    if "operator new" not in wanted:
        sys.exit(f"{nm} shows no symbols of {library}")


def includes(source, *layers):
    pattern = re.compile(r"#include <(" + "|".join(map(re.escape, HEADERS)) + ")>")
    found, seen = [], 0
    for layer in layers:
        for path in sorted((pathlib.Path(source) / "src" / layer.removeprefix("taut_")).rglob("*.[hc]*")):
            seen += 1
            if pattern.search(path.read_text(encoding="utf-8")):
                found.append(path.relative_to(source).as_posix())
    if found != ["src/core/worker_pool.cpp"]:
        sys.exit(f"of {seen} files, these include headers of threads: {found}")


def wasm(build, folder, native):
    run = subprocess.run([build, folder], stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(run.returncode)
    want = output(native)
    print(f"WebAssembly:\n{run.stdout}native:\n{want}", end="")
    here, there = run.stdout.splitlines(), want.splitlines()
    if len(here) != len(there):
        sys.exit("another number of scenes")
    for got, expected in zip(here, there):
        scene, a, b = expected.split()[0], numbers(got), numbers(expected)
        if got.split()[0] != scene or len(a) != len(b):
            sys.exit(f"{scene}: other quantities")
        worst = max(abs(x - y) / max(1, abs(y)) for x, y in zip(a, b))
        if not worst <= WASM_TOLERANCE[scene]:
            sys.exit(f"{scene}: off by {worst:.2g}, allowed is {WASM_TOLERANCE[scene]:.0e}")


if __name__ == "__main__":
    {"same": same, "symbols": symbols, "includes": includes, "wasm": wasm}[sys.argv[1]](*sys.argv[2:])

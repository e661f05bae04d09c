"""What is written: Markdown tables of the sections, heat maps, and the same as data."""

import json
import statistics
import subprocess

from cells import cell
from plan import LENGTHS, OTHERS, STEPS, searched, slow_already, stable, timing_of, winners

STEP_NAMES = {0.1: "0.1", 1 / 60: "1/60", 1 / 240: "1/240", 1 / 1000: "1/1000"}


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(str(word) for word in line)} |\n" for line in lines)


def power(ratio):
    return f"{ratio:.0f}" if ratio < 1000 else f"1e{len(str(int(ratio))) - 1}"


def number(x):
    """Three digits, no more."""
    return f"{x:.0f}" if x >= 100 else f"{x:.3g}"


def name(lab, engine):
    setting = lab.programs[engine][1]
    return f"**{setting}**" if engine == "taut" else setting


def deviation(result, reference):
    return max(abs(a - b) for a, b in zip(result["last"], reference["last"]))


def check_table(lab, plan):
    """How far the last body is from where Taut has it, after half a second of steps of 0.1 ms [mm]."""
    head = ["engine", *(f"{s}{', turning' if w else ''}" for s, _, _, w in plan.checks)]
    rows = []
    for engine in lab.engines:
        words = []
        for scene, n, ratio, turn in plan.checks:
            result = lab.known(cell(engine, scene, n, ratio, turn, 1e-4, 0.5))
            reference = lab.known(cell("taut", scene, n, ratio, turn, 1e-4, 0.5))
            if result is None or reference is None:
                words.append("")
            elif result["verdict"] == "stable":
                words.append(f"{1000 * deviation(result, reference):.2f}")
            else:
                words.append("–" if result["verdict"] == "cannot" else result["verdict"])
        rows.append([name(lab, engine), *words])
    return markdown(head, rows)


def time_of(lab, plan, engine, n):
    found = [lab.known(task) for task in plan.time_cells([engine]) if task["n"] == n]
    return [r for r in found if r is not None]


def times_table(lab, plan):
    rows = []
    for engine in lab.engines:
        words = []
        for n in LENGTHS:
            found = time_of(lab, plan, engine, n)
            timed = [r for r in found if r["verdict"] == "timed"]
            if timed:
                median = statistics.median(r["us"] for r in timed)
                words.append(f"{number(min(r['fastest'] for r in timed))} ({number(median)})")
            else:
                words.append(found[0]["verdict"] if found else "")
        solves = [r["solves"] for n in LENGTHS for r in time_of(lab, plan, engine, n)[:1] if "solves" in r]
        rows.append([name(lab, engine), *words, " / ".join(f"{s:.2f}" for s in solves) if engine == "taut" else "1"])
    return markdown(["engine", *(f"N = {n}" for n in LENGTHS), "solves a step"], rows)


def largest(lab, engine, scene, turn, n, h, ratios):
    """The largest load up to which all are stable, in words; with ≥ where the next one was not run."""
    best, first = None, None
    for ratio in ratios:
        result = lab.known(cell(engine, scene, n, ratio, turn, h))
        first = first or result
        if not stable(result):
            break
        best = ratio
    if best is not None:
        return power(best) if result is not None else f"≥ {power(best)}"
    if first is None:
        return "slow" if slow_already(lab, engine, scene, turn, n, h) else ""
    return {"cannot": "–", "too slow": "slow", "crashed": "crash"}.get(first["verdict"], "none")


def stability_table(lab, plan, scene, turn):
    columns = [(n, h) for n in LENGTHS for h in STEPS[::-1] if (n, h) in plan.columns
               and any(largest(lab, e, scene, turn, n, h, plan.ratios) for e in lab.engines)]
    head = ["engine", *(f"{n}, {STEP_NAMES[h]}" for n, h in columns)]
    rows = [[name(lab, e), *(largest(lab, e, scene, turn, n, h, plan.ratios) for n, h in columns)] for e in lab.engines]
    return markdown(head, rows)


def stability_tables(lab, plan):
    titles = {"S1": "S1, released horizontally", "S2": "S2, hinges of alternating axes", "S3": "S3, hanging and pushed"}
    return "\n".join(f"{titles[s]}{', turning about the vertical at 0.3 rad/s' if w else ', at rest'} (N, step [s]):\n\n"
                     + stability_table(lab, plan, s, w) for s in plan.chains for w in plan.turns)


def energy_table(lab, plan):
    """Energy kept and drift of the vertical angular momentum on the turning chain S1, 1/60 s."""
    lengths = [n for n in (10, 100) if (n, 1 / 60) in plan.columns]
    ratios = [r for r in (1, 1e2, 1e4, 1e6) if r in plan.ratios]
    rows = []
    for engine in lab.engines:
        words = []
        for n in lengths:
            for ratio in ratios:
                r = lab.known(cell(engine, "S1", n, ratio, 0.3, 1 / 60))
                if stable(r):
                    words.append(f"{100 * r['kept']:.1f} % · {100 * r['drift']:.2g} %")
                else:
                    words.append("" if r is None else "×" if r["verdict"] == "unstable" else r["verdict"])
        rows.append([name(lab, engine), *words])
    return markdown(["engine", *(f"N = {n}, R = {power(r)}" for n in lengths for r in ratios)], rows)


def cost_table(lab, plan):
    """Cheapest way to keep so much of the energy: ms a frame, and what it takes (sub-steps, damping)."""
    rows = []
    for n, ratio in plan.costs:
        for engine in lab.engines:
            if not searched(lab, engine, n, ratio):
                continue
            found = winners(lab, engine, n, ratio)
            words = []
            for allowed in (0.01, 0.05, 0.2):
                winner = found.get(allowed)
                if winner is None:
                    words.append("–")
                    continue
                timing = lab.known(timing_of(winner)) or {}
                us = timing.get("fastest", winner["us"])
                damped = f", damping {number(winner['damping'])}" if winner["damping"] else ""
                words.append(f"{us / 1000:.3g} ms (×{winner['substeps']}{damped})")
            rows.append([f"{n}, {power(ratio)}", name(lab, engine), *words])
    return markdown(["N, R", "engine", "loses < 1 %", "< 5 %", "< 20 %"], rows)


def other_word(r):
    if r is None:
        return ""
    if r["verdict"] == "cannot":
        return "–"
    if r["verdict"] != "stable":
        return f"× {r['failure']}" if r.get("failure") else r["verdict"]
    touches = r["scene"] in ("heavy", "ragdolls", "pile")
    lengths = [r["gap"]] if not touches else [r["penetration"], r["sunk"]]
    if r["scene"] == "ragdolls":
        lengths.append(r["gap"])
    return f"{' / '.join(f'{1000 * x:.2g}' for x in lengths)} mm · {number(r['us'])} µs"


def others_table(lab, _plan):
    rows = [[name(lab, e), *(other_word(lab.known(cell(e, s, n, r))) for _, s, n, r in OTHERS)] for e in lab.engines]
    return markdown(["engine", *(title for title, *_ in OTHERS)], rows)


TABLES = {"check": check_table, "times": times_table, "stability": stability_tables, "energy": energy_table,
          "cost": cost_table, "others": others_table}
# which section's cells a table needs
NEEDS = {"energy": "stability"}


def figure(lab, plan, scene, turn, n):
    steps = [h for h in STEPS[::-1] if (n, h) in plan.columns]
    panels = []
    for engine in lab.engines:
        cells = []
        for ratio in plan.ratios:
            for h in steps:
                r = lab.known(cell(engine, scene, n, ratio, turn, h))
                if r is None or r["verdict"] in ("cannot", "too slow", "crashed"):
                    cells.append({"value": None, "text": "" if r is None else r["verdict"]})
                else:
                    kept = r["kept"] if r["kept"] is not None else 0
                    cells.append({"failed": not stable(r), "value": min(1, max(0, kept)), "text": f"{kept:.2f}"})
        panels.append({"title": lab.programs[engine][1], "cells": cells})
    return {"title": f"{scene}{', turning' if turn else ''}: N = {n} links, 10 s" if n < 1000 else f"{scene}: N = {n}, 2 s",
            "subtitle": "colour: energy kept, over the drop energy; red: energy appeared or joints came apart",
            "x_label": "step [s]", "y_label": "load / link", "x_values": [STEP_NAMES[h] for h in steps],
            "y_values": [power(r) for r in plan.ratios], "scale": "energy kept", "panels": panels,
            "caption": ["grey: not run, because lighter loads had failed, or too slow"]}


def draw_map(data, programs, path):
    subprocess.run([programs / "peer_map", path], input=json.dumps(data), text=True, check=True)


def draw_maps(lab, plan, programs, out):
    if not (programs / "peer_map").exists():
        return
    for scene in plan.chains:
        for turn in plan.turns:
            for n in sorted({n for n, _ in plan.columns}):
                data = figure(lab, plan, scene, turn, n)
                if all(c["value"] is None for p in data["panels"] for c in p["cells"]):
                    continue
                draw_map(data, programs, out / f"map_{scene}{'_turning' if turn else ''}_{n}.svg")

"""Heat maps: load against step, one panel per engine. Every cell without a colour says why."""

import json
import subprocess

import stability
from cells import cell, stable
from tables import STEP_NAMES, power

# What stands in a grey cell, and the line of the caption that explains it.
GREY = {
    stability.SLOW: ("slow", "slow: slower than real time, or so was a lighter load, a longer step, a shorter chain"),
    stability.LIGHTER_FAILED: ("", "grey, empty: not run, because two lighter loads had failed"),
    stability.LONG_IN_WASM: ("·", "·: not run; WebAssembly engines take short steps with 10 links only, the error-controlled one "
                                  "chooses its own"),
    stability.OWN_STEPS: ("·", "·: not run; WebAssembly engines take short steps with 10 links only, the error-controlled one "
                               "chooses its own"),
    stability.MISSING: ("?", "?: not run yet"),
    "cannot": ("–", "–: no such joint"),
    "crashed": ("crash", "crash: the program ended without a word"),
}


def drawn_cell(result, word):
    if word in GREY:
        return {"value": None, "text": GREY[word][0]}
    kept = result["kept"] if result.get("kept") is not None else 0
    return {"failed": not stable(result), "value": min(1, max(0, kept)), "text": f"{kept:.2f}"}


def figure(lab, plan, scene, turn, n):
    steps = [h for h in stability.STEPS[::-1] if (n, h) in plan.columns]
    panels, grey = [], set()
    for engine in lab.engines:
        columns = {h: stability.outcomes(lab, engine, scene, turn, n, h, plan.ratios) for h in steps}
        words = [(columns[h][i], cell(engine, scene, n, ratio, turn, h)) for i, ratio in enumerate(plan.ratios) for h in steps]
        grey |= {word for word, _ in words if word in GREY}
        panels.append({"title": lab.programs[engine][1], "cells": [drawn_cell(lab.known(task), word) for word, task in words]})
    seconds = cell("", n=n)["seconds"]
    return {"title": f"{scene}{', turning' if turn else ''}: N = {n} links, {seconds:.0f} s",
            "subtitle": "colour: energy kept, over the drop energy; red: energy appeared or joints came apart",
            "x_label": "step [s]", "y_label": "load / link", "x_values": [STEP_NAMES[h] for h in steps],
            "y_values": [power(r) for r in plan.ratios], "scale": "energy kept", "panels": panels,
            "caption": list(dict.fromkeys(GREY[word][1] for word in GREY if word in grey))}


def draw(data, programs, path):
    subprocess.run([programs / "peer_map", path], input=json.dumps(data), text=True, check=True)


def draw_all(lab, plan, programs, out):
    if not (programs / "peer_map").exists():
        return
    for scene in plan.chains:
        for turn in plan.turns:
            for n in sorted({n for n, _ in plan.columns}):
                draw(figure(lab, plan, scene, turn, n), programs, out / f"map_{scene}{'_turning' if turn else ''}_{n}.svg")

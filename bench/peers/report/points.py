"""The picture of contacts: penetration against time of a step, one panel per scene, one marker per engine."""

import json
import subprocess

import contacts

LOWEST, HIGHEST = 0.1, 1000.0  # penetration that the axis shows [% of the half width]


def place(s):
    return {"x": s.mean, "y": max(LOWEST, 100 * s.depth)} if s is not None and s.any else None


def point(s, substepped):
    if s is None or not s.any:
        return None
    return {**place(s), "x_largest": s.p99, "y_largest": 100 * s.worst,
            "hollow": s.verdict != "measured", "variant": place(substepped)}


def figure(lab):
    places = {title: place for title, *place in contacts.SCENES}
    engines = [e for e in contacts.ENGINES if e in lab.programs]
    panels = [{"title": title, "points": [point(*(contacts.summary(lab, (e, k), places[title]) for k in (1, contacts.SUBSTEPS)))
                                            for e in engines]}
              for title in contacts.BRIEF]
    return {"title": "Contacts that move: penetration against time of a step",
            "subtitle": f"step 1/60 s, {contacts.SECONDS:.0f} s of motion, up to {contacts.SEEDS} draws of each scene, one core",
            "x": {"label": "processor time of a step, mean [ms]", "low": 0.1, "high": 1000, "limit": 1000 * contacts.STEP,
                  "limit_label": "real time"},
            "y": {"label": "penetration of contacts, p99 [% of the half width]", "low": LOWEST, "high": HIGHEST,
                  "limit": 100 * contacts.APART, "limit_label": "kept apart below this"},
            "names": [lab.programs[e][1] for e in engines], "panels": panels,
            "caption": ["Lines reach up to the worst penetration of any contact, and to the right to the p99 of the time. Hollow: the engine ended early.",
                        f"Small, at the end of a dashed line: the same engine with {contacts.SUBSTEPS} sub-steps in each step.",
                        "Half width: half of the smallest width of the thinner body. Low and left is good. WASM costs the engines that run in it a factor of several."]}


def draw(lab, programs, path):
    subprocess.run([programs / "peer_points", path], input=json.dumps(figure(lab)), text=True, check=True)

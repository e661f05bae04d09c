"""What is written: Markdown tables of the sections."""

import collections
import statistics

import contacts
import cost
import stability
from cells import cell, stable
from plan import OTHERS

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
        for n in plan.lengths:
            found = time_of(lab, plan, engine, n)
            timed = [r for r in found if r["verdict"] == "timed"]
            if timed:
                median = statistics.median(r["us"] for r in timed)
                words.append(f"{number(min(r['fastest'] for r in timed))} ({number(median)})")
            else:
                words.append(found[0]["verdict"] if found else "")
        solves = [r["solves"] for n in plan.lengths for r in time_of(lab, plan, engine, n)[:1] if "solves" in r]
        rows.append([name(lab, engine), *words, " / ".join(f"{s:.2f}" for s in solves) if engine == "taut" else "1"])
    return markdown(["engine", *(f"N = {n}" for n in plan.lengths), "solves a step"], rows)


def summary_table(lab, plan):
    """Where the places of the stability grid went."""
    kinds = {"stable": ("stable",), "unstable": ("unstable", "crashed"), "lighter loads failed": (stability.LIGHTER_FAILED,),
             "too slow": (stability.SLOW,), "short step": (stability.LONG_IN_WASM, stability.OWN_STEPS),
             "no such joint": ("cannot",), "to be run": (stability.MISSING,)}
    rows = []
    for engine in lab.engines:
        words = collections.Counter(word for scene in plan.chains for turn in plan.turns for n, h in plan.columns
                                    for word in stability.outcomes(lab, engine, scene, turn, n, h, plan.ratios))
        rows.append([name(lab, engine), *(sum(words[w] for w in kind) for kind in kinds.values())])
    used = [0] + [i for i, title in enumerate(kinds, 1) if title == "stable" or any(row[i] for row in rows)]
    head = ["engine", *kinds]
    return markdown([head[i] for i in used], [[row[i] for i in used] for row in rows])


def largest(lab, engine, scene, turn, n, h, ratios):
    """The largest load up to which all are stable, in words; with ≥ where the next one was too slow, with ? where it is missing."""
    words = stability.outcomes(lab, engine, scene, turn, n, h, ratios)
    count = next((i for i, word in enumerate(words) if word != "stable"), len(words))
    if count == len(words):
        return power(ratios[-1])
    failed = words[count] in ("unstable", "crashed", stability.LIGHTER_FAILED)
    if count > 0:
        mark = "{}" if failed else "{} ?" if words[count] == stability.MISSING else "≥ {}"
        return mark.format(power(ratios[count - 1]))
    return {"cannot": "–", stability.SLOW: "slow", stability.LONG_IN_WASM: "·", stability.OWN_STEPS: "·",
            stability.MISSING: ""}.get(words[0], "none")


def stability_table(lab, plan, scene, turn):
    columns = [(n, h) for n in stability.LENGTHS for h in stability.STEPS[::-1] if (n, h) in plan.columns]
    head = ["engine", *(f"{n}, {STEP_NAMES[h]}" for n, h in columns)]
    rows = [[name(lab, e), *(largest(lab, e, scene, turn, n, h, plan.ratios) for n, h in columns)] for e in lab.engines]
    return markdown(head, rows)


def stability_tables(lab, plan):
    titles = {"S1": "S1, released horizontally", "S2": "S2, hinges of alternating axes", "S3": "S3, hanging and pushed"}
    return "\n".join(f"{titles[s]}{', turning about the vertical at 0.3 rad/s' if w else ', at rest'} (N, step [s]):\n\n"
                     + stability_table(lab, plan, s, w) for s in plan.chains for w in plan.turns)


def energy_word(lab, engine, n, ratio, ratios):
    result = lab.known(cell(engine, "S1", n, ratio, 0.3, 1 / 60))
    if stable(result):
        return f"{100 * result['kept']:.1f} % · {100 * result['drift']:.2g} %"
    word = stability.outcomes(lab, engine, "S1", 0.3, n, 1 / 60, ratios)[ratios.index(ratio)]
    return {"unstable": "×", "crashed": "×", stability.LIGHTER_FAILED: "(×)", stability.SLOW: "slow", "cannot": "–",
            stability.MISSING: ""}[word]


def energy_table(lab, plan):
    """Energy kept and drift of the vertical angular momentum on the turning chain S1, 1/60 s."""
    places = [(n, r) for n in (10, 100) if (n, 1 / 60) in plan.columns for r in (1, 1e2, 1e4, 1e6) if r in plan.ratios]
    rows = [[name(lab, e), *(energy_word(lab, e, n, r, plan.ratios) for n, r in places)] for e in lab.engines]
    return markdown(["engine", *(f"N = {n}, R = {power(r)}" for n, r in places)], rows)


def cost_word(lab, plan, winner):
    if winner is None:
        return "–"
    us = cost.microseconds(lab, plan, winner) or winner["us"]
    damped = f", damping {number(winner['damping'])}" if winner["damping"] else ""
    return f"{us / 1000:.3g} ms (×{winner['substeps']}{damped})"


def cost_rows(lab, plan, n, ratio):
    """One row for every engine that has an answer, the fastest at 5 % first, and one for those that have none."""
    searches = {e: cost.Search(lab, e, n, ratio) for e in lab.engines}
    place = f"{n}, {power(ratio)}"

    def spent(engine, loss):
        winner = searches[engine].found.get(loss)
        return (cost.microseconds(lab, plan, winner) or winner["us"]) if winner else float("inf")

    answered = sorted((e for e in lab.engines if searches[e].done and searches[e].found),
                      key=lambda e: [spent(e, loss) for loss in (0.05, 0.2, 0.01)])
    own = spent("taut", 0.05)
    rows = [[place, name(lab, e), *(cost_word(lab, plan, searches[e].found.get(loss)) for loss in cost.LOSSES),
             f"{spent(e, 0.05) / own:.3g}" if spent(e, 0.05) < float("inf") and own < float("inf") else "–"] for e in answered]
    for title, wanted in (("no setting", True), ("to be run", False)):
        rest = [lab.programs[e][1] for e in lab.engines if searches[e].done == wanted and e not in answered]
        if rest:
            rows.append([place, f"{title}: {'; '.join(rest)}", *["–" if wanted else ""] * 4])
    return rows


def better_than_taut(lab, plan):
    """All settings tried that took less time than Taut with one step a frame and lost less; times of the same kind of run."""
    found = []
    for n, ratio in plan.costs:
        own = lab.known(cell("taut", "S1", n, ratio))
        if not stable(own):
            continue
        found += [r for r in lab.results.values() if stable(r) and r["engine"] != "taut" and r["rounds"] == 0
                  and (r["scene"], r["n"], r["ratio"], r["turn"], r["h"]) == ("S1", n, ratio, 0.0, own["h"])
                  and r["us"] < own["us"] and abs(1 - r["kept"]) < abs(1 - own["kept"])]
    return found


def cost_table(lab, plan):
    """Cheapest way to keep so much of the energy: ms a frame, and what it takes (sub-steps, damping)."""
    rows = [row for n, ratio in plan.costs for row in cost_rows(lab, plan, n, ratio)]
    better = "; ".join(f"{lab.programs[r['engine']][1]} at N = {r['n']}, R = {power(r['ratio'])}, ×{r['substeps']}"
                       for r in better_than_taut(lab, plan) if r["engine"] in lab.programs)
    return (markdown(["N, R", "engine", "loses < 1 %", "< 5 %", "< 20 %", "time over Taut's, < 5 %"], rows)
            + f"\nSettings tried that took less time than Taut with one step a frame and lost less energy: {better or 'none'}.\n")


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


def contact_words(s, jointed, limited):
    """The columns behind scene, engine and seeds."""
    if not s.any:
        return [*["–"] * 8, s.failure or s.verdict]
    if s.verdict == "measured":
        verdict = "yes" if s.apart else "no"
    else:
        verdict = f"× {s.failure}" if s.failure else s.verdict
    return [number(s.contacts), number(s.mean), number(s.p99), f"{number(s.real_time)}×", f"{percent(s.depth)} / {percent(s.worst)}",
            number(1000 * s.gap) if jointed else "–", number(57.29577951 * s.beyond_limit) if limited else "–",
            percent(max(0, s.rise)), verdict]


def percent(share):
    return f"{number(100 * share)} %" if share >= 1e-4 else "0 %" if share < 1e-12 else "< 0.01 %"


CONTACT_HEAD = ["scene", "engine", "seeds", "contacts", "ms a step: mean", "p99", "of real time", "penetration: p99 / worst", "joints [mm]",
                "limits [°]", "energy gained", "keeps bodies apart"]


def contacts_table(lab, _plan):
    rows = []
    for title, *place in contacts.SCENES:
        for entry in contacts.entries(lab, title):
            s = contacts.summary(lab, entry, place)
            first = [title, entry_name(lab, entry)]
            jointed = place[0] != "pile"
            slow = contacts.hopeless(lab, entry, place)
            rows.append([*first, "0", *["–" if slow else ""] * 8, "too slow" if slow else ""] if s is None
                        else [*first, s.seeds, *contact_words(s, jointed, place[0] == "limited")])
    return markdown(CONTACT_HEAD, rows)


def brief_word(s):
    if s is None:
        return ""
    if s.verdict != "measured":
        return f"× {s.failure}" if s.failure else s.verdict
    depth = f"{percent(s.depth)} / {percent(s.worst)}"
    return f"{f'**{depth}**' if s.apart else depth} · {number(s.mean)} ({number(s.p99)}) ms"


def contacts_brief_table(lab, plan):
    """Penetration p99 / worst and time of a step, mean and p99, on the scenes of the picture; bold: keeps bodies apart."""
    places = {title: place for title, *place in contacts.SCENES}
    known = list(dict.fromkeys(entry for title in contacts.BRIEF for entry in contacts.entries(lab, title)))
    rows = [[entry_name(lab, entry), *(brief_word(contacts.summary(lab, entry, places[title])) for title in contacts.BRIEF)]
            for entry in known]
    return markdown(["engine", *contacts.BRIEF], rows)


def entry_name(lab, entry):
    engine, substeps = entry
    return name(lab, engine) + (f", ×{substeps}" if substeps > 1 else "")


TABLES = {"check": check_table, "summary": summary_table, "stability": stability_tables, "energy": energy_table,
          "cost": cost_table, "times": times_table, "others": others_table,
          "contacts": contacts_table, "contacts_brief": contacts_brief_table}
# which section's cells a table needs
NEEDS = {"energy": "stability", "summary": "stability", "contacts_brief": "contacts"}

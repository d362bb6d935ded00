# SPDX-License-Identifier: GPL-3.0-or-later
"""What became of many rigs, for people: a table, remarks, a summary, the lines over pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from blender_biped.character.model import ROLES
from tools.base.columns import ARRIVED, Figures
from tools.base.controllers import USUAL
from tools.rigs.folder import AMBIGUOUS, NEGATIVE

LIMITS = {
    "path_deviation_mean_m": 0.15,
    "foot_slip_median_mm": 5.0,
    "bake_error_mm": 1.0,
    "bake_error_deg": 0.1,
}
"""What a walk and its bake may have at most; lengths are for a leg of 0.9 m."""


def verdict(f: Figures) -> str:
    """Return in a word how a case ended: an error, refused, or how the walk did."""
    if f["error"]:
        return f"{f['outcome']} ERROR" if f["outcome"] else "ERROR"
    if f["refusal"]:
        return "refused" if f["stage"] in ("open", "map", "body") else f"refused ({f['stage']})"
    return str(f["outcome"])


def is_mapped(f: Figures) -> bool:
    """Return whether a rig became a body."""
    return f["stage"] in ("walk", "bake", "done")


def must_walk(f: Figures) -> bool:
    """Return whether a rig has two legs."""
    return f["kind"] not in (NEGATIVE, AMBIGUOUS)


def within(f: Figures, *names: str) -> bool:
    """Return whether all of these figures are there and within their limits."""
    return all(f[n] is not None and f[n] <= LIMITS[n] for n in names)


_WAYS = (("straight", ("straight",)), ("S-curve", ("s-curve",)), ("both", ("straight", "s-curve")))


def arrivals(f: Figures, path: str, controller: str = USUAL) -> tuple[int, int]:
    """Return how many walks of a rig along a path arrived, and of how many."""
    walks = [w for w in f["walks"] or () if (w["path"], w["controller"]) == (path, controller)]
    return sum(w["outcome"] in ARRIVED for w in walks), len(walks)


def falls_back(f: Figures, kind: str, controller: str = USUAL) -> int:
    """Return how many walks of a rig arrive by a fallback. kind: see ``Attempt``."""
    return sum(w["fallback"] == kind for w in f["walks"] or () if w["controller"] == controller)


def _all_baked(f: Figures, controller: str) -> bool:
    """Return whether all walks of a rig arrive by themselves or by what they fall back on, and there are any."""
    own = [w for w in f["walks"] or () if w["controller"] == controller]
    return bool(own) and all(w["baked_outcome"] in ARRIVED for w in own)


def _all_arrive(f: Figures, controller: str, *among: str) -> bool:
    """Return whether all walks of a rig along some paths arrived, and there are any."""
    counts = [arrivals(f, path, controller) for path in among]
    return all(good == of > 0 for good, of in counts)


def summary(cases: Sequence[Figures]) -> list[str]:
    """Return the lines that say how many do what they must."""
    two = [f for f in cases if must_walk(f)]
    walking = [f for f in two if f["outcome"] not in (None, "crashed")]
    arrived = [f for f in walking if f["outcome"] == "arrived"]
    negative = [f for f in cases if f["kind"] == NEGATIVE]
    times = [f["map_s"] for f in cases if f["map_s"] is not None]

    def share(what: str, good: Sequence[Figures], of: Sequence[Figures]) -> str:
        percent = f"{100.0 * len(good) / len(of):.0f} %" if of else "-"
        missing = ", ".join(f["rig"] for f in of if f not in good)
        return f"  {what:<46} {len(good):>3} of {len(of):<3} {percent:>5}" + (f"  not: {missing}" if missing else "")

    lines = [
        share("two-legged rigs that are mapped", [f for f in two if is_mapped(f)], two),
        share("... and arrive", arrived, two),
        *(
            share(f"... {words}, every start ({who})", [f for f in two if _all_arrive(f, who, *among)], two)
            for who in _controllers(cases) for words, among in _WAYS
        ),
        *(
            share(f"... with what the bake falls back on ({who})", [f for f in two if _all_baked(f, who)], two)
            for who in _controllers(cases)
        ),
        share("... off the path at most 0.15 m on average", [f for f in arrived if within(f, "path_deviation_mean_m")],
              walking),
        share("... slip median at most 5 mm", [f for f in arrived if within(f, "foot_slip_median_mm")], walking),
        share("... baked within 1 mm and 0.1 degrees", [f for f in walking if within(f, "bake_error_mm",
                                                                                    "bake_error_deg")], walking),
        share("... with the skin whole", [f for f in arrived if not f["skin_torn"]], walking),
        share("negatives that are refused", [f for f in negative if f["refusal"] and not is_mapped(f)], negative),
        f"  {'unhandled errors':<46} {sum(bool(f['error']) for f in cases):>3}",
    ]  # fmt: skip
    if times:
        lines.append(f"  {'seconds to map, median and longest':<46} {median(times):.3f}, {max(times):.3f}")
    return lines


def _controllers(cases: Sequence[Figures]) -> list[str]:
    """Return who walked, in order."""
    return list(dict.fromkeys(walk["controller"] for f in cases for walk in f["walks"] or ()))


@dataclass(frozen=True)
class _TextColumn:
    title: str
    name: str
    width: int
    digits: int = -1  # -1 for text

    def text(self, f: Figures) -> str:
        value = f[self.name]
        shown = "-" if value is None else str(value) if self.digits < 0 else f"{value:.{self.digits}f}"
        if len(shown) > self.width:
            shown = shown[: self.width - 1] + "~" if self.digits < 0 else f"{value:.{self.width - 5}g}"
        return f"{shown:<{self.width}}" if self.digits < 0 else f"{shown:>{self.width}}"


_COLUMNS = (
    _TextColumn("rig", "rig", 34), _TextColumn("kind", "kind", 9), _TextColumn("convention", "convention", 22),
    _TextColumn("conf", "confidence", 4, 2), _TextColumn("roles", "found", 5), _TextColumn("map s", "map_s", 6, 3),
    _TextColumn("end", "verdict", 13), _TextColumn("straight", "straight", 8),
    _TextColumn("S", "bends", 4), _TextColumn("calmer", "calmer", 6, 0),
    _TextColumn("other", "another", 5, 0), _TextColumn("KLAW", "kinematic", 4, 0),
    _TextColumn("off m", "path_deviation_mean_m", 6, 3),
    _TextColumn("slip mm", "foot_slip_median_mm", 7, 1), _TextColumn("worst", "foot_slip_worst_mm", 6, 1),
    _TextColumn("speed%", "speed_error_percent", 6, 1), _TextColumn("pen mm", "penetration_mm", 6, 1),
    _TextColumn("bake mm", "bake_error_mm", 8, 3), _TextColumn("deg", "bake_error_deg", 7, 3),
    _TextColumn("torn", "torn_edges", 5, 0), _TextColumn("gap mm", "torn_gap_mm", 6, 0),
    _TextColumn("hands%", "hands_in_skin_percent", 6, 0), _TextColumn("in S", "bends_hands_in_skin_percent", 4, 0),
    _TextColumn("legs%", "legs_in_skin_percent", 5, 0), _TextColumn("in S", "bends_legs_in_skin_percent", 4, 0),
    _TextColumn("low mm", "lowest_skin_mm", 6, 1), _TextColumn("in S", "bends_lowest_skin_mm", 5, 1),
    _TextColumn("rest mm", "rest_skin_mm", 7, 1), _TextColumn("CPU", "cpu_s_per_s", 6, 3),
)  # fmt: skip


def table(cases: Sequence[Figures]) -> list[str]:
    """Return the table of all rigs for the terminal, line by line, and what is to be said of some of them."""
    lines = [" ".join(f"{c.title:<{c.width}}" if c.digits < 0 else f"{c.title:>{c.width}}" for c in _COLUMNS).rstrip()]
    for f in cases:
        found = f"{len(f['roles'])}/{len(ROLES)}" if f["roles"] is not None else None
        ways = {name: _share(f, path) for name, path in (("straight", "straight"), ("bends", "s-curve"))}
        others = {kind: falls_back(f, kind) if f["walks"] else None for kind in ("calmer", "another", "kinematic")}
        row = {**f, "found": found, "verdict": verdict(f), **ways, **others}
        lines.append(" ".join(c.text(row) for c in _COLUMNS).rstrip())
    lines.append("")
    for f in cases:
        lines += [f"{f['rig']}: {text}" for text in remarks(f)]
    return lines


def _share(f: Figures, path: str) -> str | None:
    good, of = arrivals(f, path)
    return f"{good}/{of}" if of else None


def remarks(f: Figures) -> list[str]:
    """Return what is to be said of a rig beside its figures."""
    said = [f"mapped as {f['mapping']} says"] if f["mapping"] else []
    said += [f"missing {', '.join(f['missing'])}"] if f["missing"] else []
    said += [f"doubt: {doubt}" for doubt in f["doubts"] or ()]
    said += [f"note: {note}" for note in f["notes"] or ()]
    said += [f"refused: {f['refusal']}"] if f["refusal"] else []
    said += [f"ERROR at {f['stage'] or 'the start'}: {f['error'].strip().splitlines()[-1]}"] if f["error"] else []
    return said


def stories(cases: Sequence[Figures]) -> list[str]:
    """Return the lines of each unhandled error's whole story, once for all rigs that have the same."""
    rigs_of: dict[str, list[str]] = {}
    for f in cases:
        if f["error"]:
            rigs_of.setdefault(f["error"].rstrip(), []).append(f["rig"])
    return [line for error, rigs in rigs_of.items() for line in (f"{', '.join(rigs)}:", error, "")]


def title(f: Figures) -> str:
    """Return the line over a rig's picture."""
    shown = [f"{f['rig']} ({f['kind'] or 'rig'}): {verdict(f)}"]
    if f["convention"]:
        shown.append(f"{f['convention']}, confidence {f['confidence']:.2f}, {len(f['roles'])} of {len(ROLES)} roles")
    for words, name, digits in (
        ("off the path {} m", "path_deviation_mean_m", 2), ("slip {} mm", "foot_slip_median_mm", 1),
        ("bake {} mm", "bake_error_mm", 2), ("{}°", "bake_error_deg", 2),
    ):  # fmt: skip
        if f[name] is not None:
            shown.append(words.format(f"{f[name]:.{digits}f}"))
    if f["refusal"] or f["error"]:
        shown.append((f["refusal"] or f["error"].strip().splitlines()[-1])[:170])
    return "   ".join(shown)


def color(f: Figures) -> str:
    """Return the color of that line: red for what must not be so, orange for what is not good enough."""
    if f["error"] or (f["kind"] == NEGATIVE and is_mapped(f)):
        return "#b00020"
    if must_walk(f) and (f["outcome"] != "arrived" or f["skin_torn"]):
        return "#b00020"
    if must_walk(f) and not within(f, *LIMITS):
        return "#b06000"
    return "#0a5c2b"

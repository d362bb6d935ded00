# SPDX-License-Identifier: GPL-3.0-or-later
"""Every rig of a folder mapped, walked, baked and measured: a table, a report and contact sheets.

    python -m tools.measure --rigs FOLDER [--maps FOLDER] [--rendered] [--out DIR] [--jobs N]

A README.md in the folder may say what each file is, in a table with the columns "file" and "kind": biped, hard and
rigify must walk, negative must be refused, ambiguous may do either. Without it every rig must walk.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from blender_biped.base.errors import DataError
from blender_biped.character.model import ROLES
from tools.base import comparison, processes
from tools.base.columns import COLUMNS, IDENTITY, OTHER, Figures
from tools.base.processes import Task

RIG_FILES = (".blend", ".fbx", ".glb", ".gltf", ".vrm", ".bvh")
NEGATIVE, AMBIGUOUS = "negative", "ambiguous"
LIMITS = {
    "path_deviation_mean_m": 0.15,
    "foot_slip_median_mm": 5.0,
    "bake_error_mm": 1.0,
    "bake_error_deg": 0.1,
}
"""What a walk and its bake may have at most; lengths are for a leg of 0.9 m."""
_TIME_LIMIT = 600.0  # s for one rig
_OWN = (
    "rig", "file", "armature", "kind", "bones", "convention", "confidence", "roles", "missing", "doubts", "reasons",
    "controls", "told", "refusal", "stage", "map_s", "bake_s", "frame_start", "moments", "notes", "outcome", "error",
)  # fmt: skip

Say = Callable[[str], None]


@dataclass(frozen=True)
class Case:
    """One armature of a file. armature: its object's name, "" for the file's first. told: a mapping file or None."""

    file: Path
    armature: str
    kind: str
    told: Path | None

    @property
    def name(self) -> str:
        """A name that no other case has, fit for a file."""
        return plain(f"{self.file.name}.{self.armature}" if self.armature else self.file.name)


def plain(text: str) -> str:
    """Return a text fit for a file's name."""
    return re.sub(r"[^\w.+-]+", "-", text).strip("-.") or "rig"


def kinds(folder: Path) -> dict[str, str]:
    """Return the kind of each file that the folder's README.md has in a table with the columns file and kind."""
    try:
        lines = (folder / "README.md").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    found: dict[str, str] = {}
    columns: list[str] = []
    for line in lines:
        cells = [c.strip().strip("`") for c in line.strip().strip("|").split("|")]
        if not line.lstrip().startswith("|"):
            columns = []
        elif not columns:
            columns = [c.lower() for c in cells]
        elif "file" in columns and "kind" in columns and len(cells) > max(columns.index("file"), columns.index("kind")):
            found[cells[columns.index("file")]] = cells[columns.index("kind")]
    return found


def files(folder: Path) -> list[Path]:
    """Return the character files of a folder, in the order of their names. Raises DataError when there is none."""
    try:
        found = sorted(p for p in folder.iterdir() if p.suffix.lower() in RIG_FILES and p.is_file())
    except OSError as error:
        raise DataError(f"--rigs {folder}: the folder cannot be read: {error.strerror or error}.") from error
    if not found:
        raise DataError(f"--rigs {folder}: it has no characters: none of {', '.join(RIG_FILES)}.")
    return found


def told(maps: Path | None, file: Path, armature: str) -> Path | None:
    """Return the mapping file of an armature: STEM.OBJECT.json, or for a file's first armature STEM.json."""
    names = [f"{file.stem}.{armature}.json"] if armature else [f"{file.stem}.json"]
    return next((maps / n for n in names if (maps / n).is_file()), None) if maps else None


# --- running -----------------------------------------------------------------------------------------------------


def walked(folder: Path, maps: Path | None, out: Path, jobs: int, keep: bool, say: Say) -> list[dict[str, Any]]:
    """Do every armature of every file; return the flat reports, in the files' order.

    keep: also keep the baked scenes. Raises DataError when there are no characters, OSError for what is written.
    """
    kind_of = kinds(folder)
    first = [Case(f, "", kind_of.get(f.name, ""), told(maps, f, "")) for f in files(folder)]
    results = _results(first, out, jobs, keep, "files", say)
    more = [
        Case(c.file, name, c.kind, told(maps, c.file, name)) for c in first for name in results[c.name][0][1:]
    ]  # fmt: skip
    if more:
        results |= _results(more, out, jobs, keep, "further armatures", say)
    cases = sorted((*first, *more), key=lambda c: (c.file.name, c.armature))
    return [whole(c, results[c.name][1]) for c in cases]


def _results(
    cases: Sequence[Case], out: Path, jobs: int, keep: bool, what: str, say: Say
) -> dict[str, tuple[list[str], dict[str, Any]]]:
    """Return the names of the file's armatures and the figures of each case by its name; crashes have an error."""
    from tools.commands.measure import finished, source_hash

    sources = source_hash("tools/rigs/case.py", "tools/rigs/sheet.py", ui=True)
    tasks = [_task(case, out / "rigs", keep, sources) for case in cases]
    errors, found = finished(tasks, jobs, what, say)
    return {
        t.name: (found[t.name]["armatures"], found[t.name]["figures"]) if t.name in found
        else ([], {"error": errors[t.name], "outcome": "crashed"})
        for t in tasks
    }  # fmt: skip


def _task(case: Case, folder: Path, keep: bool, sources: str) -> Task:
    (folder / case.name).mkdir(parents=True, exist_ok=True)
    contents = [hashlib.sha256(p.read_bytes()).hexdigest() for p in (case.file, case.told) if p]
    data = {
        "file": str(case.file.resolve()), "object": case.armature, "told": str(case.told or ""),
        "folder": str((folder / case.name).resolve()), "keep": keep,
    }  # fmt: skip
    fingerprint = hashlib.sha256(json.dumps([sources, contents, data], sort_keys=True).encode()).hexdigest()
    data["fingerprint"] = fingerprint
    return Task(case.name, "tools.rigs.case", data, folder / case.name / "result.json", _TIME_LIMIT)


def whole(case: Case, figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the flat report of a case, with a null for all that does not apply."""
    name = figures.get("armature") or case.armature
    known = {
        "rig": case.name, "file": case.file.name, "armature": name, "kind": case.kind or None,
        "told": case.told.name if case.told else None,
    }  # fmt: skip
    return {**dict.fromkeys((*IDENTITY, *OTHER, *(c.name for c in COLUMNS), *_OWN)), **figures, **known}


# --- what came out -----------------------------------------------------------------------------------------------


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
        share("... off the path at most 0.15 m on average", [f for f in arrived if within(f, "path_deviation_mean_m")],
              walking),
        share("... slip median at most 5 mm", [f for f in arrived if within(f, "foot_slip_median_mm")], walking),
        share("... baked within 1 mm and 0.1 degrees", [f for f in walking if within(f, "bake_error_mm",
                                                                                    "bake_error_deg")], walking),
        share("negatives that are refused", [f for f in negative if f["refusal"] and not is_mapped(f)], negative),
        f"  {'unhandled errors':<46} {sum(bool(f['error']) for f in cases):>3}",
    ]  # fmt: skip
    if times:
        lines.append(f"  {'seconds to map, median and longest':<46} {median(times):.3f}, {max(times):.3f}")
    return lines


@dataclass(frozen=True)
class _Column:
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
    _Column("rig", "rig", 34), _Column("kind", "kind", 9), _Column("convention", "convention", 22),
    _Column("conf", "confidence", 4, 2), _Column("roles", "found", 5), _Column("map s", "map_s", 6, 3),
    _Column("end", "verdict", 13), _Column("off m", "path_deviation_mean_m", 6, 3),
    _Column("slip mm", "foot_slip_median_mm", 7, 1), _Column("worst", "foot_slip_worst_mm", 6, 1),
    _Column("speed%", "speed_error_percent", 6, 1), _Column("pen mm", "penetration_mm", 6, 1),
    _Column("bake mm", "bake_error_mm", 8, 3), _Column("deg", "bake_error_deg", 7, 3),
    _Column("CPU", "cpu_s_per_s", 6, 3),
)  # fmt: skip


def table(cases: Sequence[Figures]) -> list[str]:
    """Return the table of all rigs for the terminal, line by line, and what is to be said of some of them."""
    lines = [" ".join(f"{c.title:<{c.width}}" if c.digits < 0 else f"{c.title:>{c.width}}" for c in _COLUMNS).rstrip()]
    for f in cases:
        found = f"{len(f['roles'])}/{len(ROLES)}" if f["roles"] is not None else None
        row = {**f, "found": found, "verdict": verdict(f)}
        lines.append(" ".join(c.text(row) for c in _COLUMNS).rstrip())
    lines.append("")
    for f in cases:
        lines += [f"{f['rig']}: {text}" for text in remarks(f)]
    return lines


def remarks(f: Figures) -> list[str]:
    """Return what is to be said of a rig beside its figures."""
    said = [f"told by {f['told']}"] if f["told"] else []
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
    if must_walk(f) and f["outcome"] != "arrived":
        return "#b00020"
    if must_walk(f) and not within(f, *LIMITS):
        return "#b06000"
    return "#0a5c2b"


# --- all of it ---------------------------------------------------------------------------------------------------


def measure_rigs(
    folder: Path, maps: Path | None, out: Path, jobs: int, rendered: bool, say: Say
) -> list[dict[str, Any]]:
    """Do every rig of a folder, write the files and tell the table; return the flat reports.

    Raises DataError for a folder without characters, OSError when a file cannot be written.
    """
    cases = walked(folder, maps, out, jobs, rendered, say)
    report = json.dumps({"version": comparison.VERSION, "cases": cases}, indent=1, allow_nan=False)
    lines = [*table(cases), "", *stories(cases), *summary(cases)]
    processes.write_text(out / "rigs.json", report + "\n")
    processes.write_text(out / "rigs.txt", "\n".join(lines) + "\n")
    say("\n".join(["", *lines, ""]))
    from tools.rigs import sheet  # not before: matplotlib takes its time to start

    folders = {f["rig"]: out / "rigs" / f["rig"] for f in cases}
    pages = sheet.sheets([(title(f), color(f), folders[f["rig"]] / "strip.png") for f in cases], out, "rigs")
    if rendered:
        skins = rendered_skins(cases, folders, jobs, say)
        pages += sheet.sheets([(title(f), color(f), folders[f["rig"]] / "skin.png") for f in skins], out, "skins")
    for page in pages:
        say(f"  {page}")
    return cases


def rendered_skins(cases: Sequence[Figures], folders: Mapping[str, Path], jobs: int, say: Say) -> list[Figures]:
    """Render the skins of all baked rigs; return those of which there is a picture now. Raises OSError."""
    tasks = {}
    for f in cases:
        scene = folders[f["rig"]] / "walk.blend"
        (folders[f["rig"]] / "skin.png").unlink(missing_ok=True)
        if f["stage"] == "done" and scene.is_file():
            data = {
                "scene": str(scene.resolve()), "armature": f["armature"], "times": f["moments"],
                "start": f["frame_start"],
            }  # fmt: skip
            tasks[f["rig"]] = Task(f["rig"], "tools.rigs.render", data, folders[f["rig"]] / "skin.png", _TIME_LIMIT)
    with contextlib.closing(processes.run(list(tasks.values()), jobs)) as running:
        for ended in running:
            if ended.error:
                say(f"  {ended.task.name} is not rendered: {ended.error}")
    return [f for f in cases if f["rig"] in tasks and tasks[f["rig"]].result.is_file()]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Every rig of a folder mapped, walked, baked and measured: a table, a report and contact sheets."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.base import comparison, processes
from tools.base.columns import COLUMNS, IDENTITY, OTHER, Figures
from tools.base.controllers import USUAL
from tools.base.kept import finished, source_hash
from tools.base.processes import Task
from tools.base.progress import Say
from tools.rigs.folder import RigFile, files, kinds, mapping_file
from tools.rigs.table import color, stories, summary, table, title

STARTS = 3  # of each walk: one as it is, the others slightly perturbed
VIEWS = {"side": "skins", "ahead": "skins-ahead"}
"""From where skins are rendered, and the pictures' names."""
_TIME_LIMIT = 600.0  # s for one rig
_WALK_LIMIT = 120.0  # s more for each further walk along all paths
_OWN = (
    "rig", "file", "armature", "kind", "bones", "convention", "confidence", "roles", "missing", "doubts", "reasons",
    "controls", "mapping", "refusal", "stage", "map_s", "bake_s", "frame_start", "moments", "notes", "torn_edges",
    "torn_gap_mm", "skin_torn", "hands_in_skin_percent", "legs_in_skin_percent", "lowest_skin_mm",
    "rest_skin_mm", "bends_hands_in_skin_percent", "bends_legs_in_skin_percent", "bends_lowest_skin_mm", "walks",
    "outcome", "error",
)  # fmt: skip


@dataclass(frozen=True)
class RigOptions:
    """What is done with a folder. maps: of mapping files. out: for the results. jobs: processes at once.

    rendered: whether skins are drawn. controllers: who walks. starts: how many of each walk.
    """

    folder: Path
    maps: Path | None
    out: Path
    jobs: int
    rendered: bool
    controllers: tuple[str, ...] = (USUAL,)
    starts: int = STARTS


def walked(chosen: RigOptions, say: Say) -> list[dict[str, Any]]:
    """Do every armature of every file; return the flat reports, in the files' order.

    Raises DataError when there are no characters, OSError for what is written.
    """
    kind_of, maps = kinds(chosen.folder), chosen.maps
    first = [RigFile(f, "", kind_of.get(f.name, ""), mapping_file(maps, f, "")) for f in files(chosen.folder)]
    results = _results(first, chosen, "files", say)
    more = [
        RigFile(c.file, name, c.kind, mapping_file(maps, c.file, name))
        for c in first for name in results[c.name][0][1:]
    ]  # fmt: skip
    if more:
        results |= _results(more, chosen, "further armatures", say)
    cases = sorted((*first, *more), key=lambda c: (c.file.name, c.armature))
    return [whole(c, results[c.name][1]) for c in cases]


def _results(
    cases: Sequence[RigFile], chosen: RigOptions, what: str, say: Say
) -> dict[str, tuple[list[str], dict[str, Any]]]:
    """Return the names of the file's armatures and the figures of each case by its name; crashes have an error."""
    sources = source_hash(*(f"tools/rigs/{name}.py" for name in ("case", "sheet", "skin_contact", "inside")), ui=True)
    tasks = [_task(case, chosen, sources) for case in cases]
    errors, found = finished(tasks, chosen.jobs, what, say)
    return {
        t.name: (found[t.name]["armatures"], found[t.name]["figures"]) if t.name in found
        else ([], {"error": errors[t.name], "outcome": "crashed"})
        for t in tasks
    }  # fmt: skip


def _task(case: RigFile, chosen: RigOptions, sources: str) -> Task:
    folder = chosen.out / "rigs"
    (folder / case.name).mkdir(parents=True, exist_ok=True)
    contents = [hashlib.sha256(p.read_bytes()).hexdigest() for p in (case.file, case.mapping) if p]
    data = {
        "file": str(case.file.resolve()), "object": case.armature, "mapping": str(case.mapping or ""),
        "folder": str((folder / case.name).resolve()), "keep": chosen.rendered,
        "controllers": list(chosen.controllers), "starts": chosen.starts,
    }  # fmt: skip
    fingerprint = hashlib.sha256(json.dumps([sources, contents, data], sort_keys=True).encode()).hexdigest()
    data["fingerprint"] = fingerprint
    limit = _TIME_LIMIT + _WALK_LIMIT * len(chosen.controllers) * chosen.starts
    return Task(case.name, "tools.rigs.case", data, folder / case.name / "result.json", limit)


def whole(case: RigFile, figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the flat report of a case, with a null for all that does not apply."""
    name = figures.get("armature") or case.armature
    known = {
        "rig": case.name, "file": case.file.name, "armature": name, "kind": case.kind or None,
        "mapping": case.mapping.name if case.mapping else None,
    }  # fmt: skip
    return {**dict.fromkeys((*IDENTITY, *OTHER, *(c.name for c in COLUMNS), *_OWN)), **figures, **known}


def measure_rigs(chosen: RigOptions, say: Say) -> list[dict[str, Any]]:
    """Do every rig of a folder, write the files and say the table; return the flat reports.

    Raises DataError for a folder without characters, OSError when a file cannot be written.
    """
    cases, out = walked(chosen, say), chosen.out
    report = json.dumps({"version": comparison.VERSION, "cases": cases}, indent=1, allow_nan=False)
    lines = [*table(cases), "", *stories(cases), *summary(cases)]
    processes.write_text(out / "rigs.json", report + "\n")
    processes.write_text(out / "rigs.txt", "\n".join(lines) + "\n")
    say("\n".join(["", *lines, ""]))
    from tools.rigs import sheet  # not before: matplotlib takes its time to start

    folders = {f["rig"]: out / "rigs" / f["rig"] for f in cases}
    pages = sheet.sheets([(title(f), color(f), folders[f["rig"]] / "strip.png") for f in cases], out, "rigs")
    for view, name in VIEWS.items() if chosen.rendered else ():
        skins = rendered_skins(cases, folders, view, chosen.jobs, say)
        pages += sheet.sheets([(title(f), color(f), folders[f["rig"]] / f"{name}.png") for f in skins], out, name)
    for page in pages:
        say(f"  {page}")
    return cases


def rendered_skins(
    cases: Sequence[Figures], folders: Mapping[str, Path], view: str, jobs: int, say: Say
) -> list[Figures]:
    """Render the skins of all baked rigs; return those of which there is a picture now. Raises OSError.

    view: of VIEWS.
    """
    tasks = {}
    for f in cases:
        scene, picture = folders[f["rig"]] / "walk.blend", folders[f["rig"]] / f"{VIEWS[view]}.png"
        picture.unlink(missing_ok=True)
        if f["stage"] == "done" and scene.is_file():
            data = {
                "scene": str(scene.resolve()), "armature": f["armature"], "times": f["moments"],
                "start": f["frame_start"], "view": view,
            }  # fmt: skip
            tasks[f["rig"]] = Task(f["rig"], "tools.rigs.render", data, picture, _TIME_LIMIT)
    with contextlib.closing(processes.run(list(tasks.values()), jobs)) as running:
        for ended in running:
            if ended.error:
                say(f"  {ended.task.name} is not rendered ({view}): {ended.error}")
    return [f for f in cases if f["rig"] in tasks and tasks[f["rig"]].result.is_file()]

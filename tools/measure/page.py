# SPDX-License-Identifier: GPL-3.0-or-later
"""One page about many walks, in a single file that needs no network: tables, charts, and pictures of the worst."""

from __future__ import annotations

import base64
import contextlib
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from blender_biped.job import Job
from tools.base import processes
from tools.base.columns import (
    BY_NAME,
    VERDICTS,
    Column,
    Figures,
    StyleSummary,
    ending,
    measured_columns,
    stood,
    style,
    summaries,
    title,
    troubled,
    verdict,
)
from tools.base.processes import Task
from tools.measure.grid import Case
from tools.pictures import charts
from tools.pictures.filmstrip import When

Say = Callable[[str], None]
Raw = Mapping[str, Any]

MAX_PICTURES = 8
_FALLS = 3  # of them, at most: the earliest fall of each of so many paths
# The measures whose worst walk is shown, the most important first, and when in the walk.
_SHOWN: tuple[tuple[str, When], ...] = (
    ("path_deviation_worst_m", "at"), ("foot_slip_worst_mm", "at"), ("knee_r", "stride"), ("ankle_r", "stride"),
    ("hip_r", "stride"), ("speed_error_percent", "stride"), ("shake_deg", "stride"), ("arrival_m", "end"),
    ("self_intersection_mm", "ahead"), ("step_length_error_percent", "stride"), ("penetration_mm", "stride"),
)  # fmt: skip
_TRACKS = {"path_deviation_worst_m": "deviations", "foot_slip_worst_mm": "slips"}  # raw: [time, value]


@dataclass(frozen=True)
class Moment:
    """A picture to make: of a moment of the walk at ``index``, and why: "Worst by" and the measures with values."""

    index: int
    when: When
    at: float
    why: str
    values: tuple[str, ...]

    @property
    def caption(self) -> str:
        """Why it is shown, for people."""
        return f"{self.why}: {'; '.join(self.values)}"


def write_page(
    cases: Sequence[Case], figures: Sequence[Figures], raw: Sequence[Raw | None], job_of: Callable[[Case], Job],
    file: Path, at_once: int, say: Say,
) -> None:  # fmt: skip
    """Write the page of a grid's results. Raises OSError.

    figures, raw: one for each case, see ``measured``. The worst walks are simulated again for their pictures,
    ``at_once`` at a time.
    """
    wanted = moments(figures, raw)
    say(f"Drawing the {len(wanted)} worst walks ...")
    pictures = drawn(wanted, [job_of(cases[m.index]) for m in wanted], at_once, say)
    processes.write_text(file, page(figures, raw, wanted, pictures))


def moments(figures: Sequence[Figures], raw: Sequence[Raw | None]) -> list[Moment]:
    """Return which moments of which walks are shown: falls, and the worst of each important measure."""
    found: list[Moment] = []
    paths: set[str] = set()
    for fallen in (f for f in troubled(figures) if verdict(f) == "fell"):
        if len(paths) < _FALLS and fallen["path"] not in paths:
            paths.add(fallen["path"])
            why = "Earliest fall" if len(paths) == 1 else f"Earliest fall on the path {fallen['path']}"
            found.append(Moment(_place(figures, fallen), "end", 0.0, why, (f"{fallen['fell_at_s']:.1f} s",)))
    upright = stood(figures)
    for name, when in _SHOWN:
        column = BY_NAME[name]
        worst = column.worst(upright)
        if worst is None or (column.good == "low" and column.text(worst[name]) == column.text(0.0)):
            continue
        i = _place(figures, worst)
        value = f"{column.words} {_with_unit(column, worst[name])}"
        track = (raw[i] or {}).get(_TRACKS.get(name, ""), [])
        at = max(track, key=lambda sample: sample[1])[0] if track else 0.0
        _add(found, Moment(i, when if track or when != "at" else "stride", at, "Worst by", (value,)))
    return found[:MAX_PICTURES]


def _place(figures: Sequence[Figures], one: Figures) -> int:
    return next(i for i, f in enumerate(figures) if f is one)


def _add(found: list[Moment], new: Moment) -> None:
    """Add a moment, or its values to those of the same one."""
    for k, m in enumerate(found):
        if (m.index, m.when, m.at if m.when == "at" else 0.0) == (new.index, new.when, new.at):
            found[k] = replace(m, values=m.values + new.values)
            return
    found.append(new)


def drawn(wanted: Sequence[Moment], jobs: Sequence[Job], at_once: int, say: Say) -> list[bytes | None]:
    """Return the PNG of each moment, None for one that could not be made. Raises OSError."""
    with tempfile.TemporaryDirectory(prefix="biped-") as folder:
        tasks = [
            Task(f"moment{k}", "tools.pictures.moment", {"job": job.as_json(), "when": m.when, "at": m.at},
                 Path(folder) / f"moment{k}.png")
            for k, (m, job) in enumerate(zip(wanted, jobs, strict=True))
        ]  # fmt: skip
        with contextlib.closing(processes.run(tasks, at_once)) as running:
            for ended in running:
                if ended.error:
                    say(f"  A picture could not be made: {ended.error}.")
        return [t.result.read_bytes() if t.result.is_file() else None for t in tasks]


# --- the page ----------------------------------------------------------------------------------------------------


def page(
    figures: Sequence[Figures], raw: Sequence[Raw | None], wanted: Sequence[Moment], pictures: Sequence[bytes | None]
) -> str:
    """Return the page's HTML."""
    found = summaries(figures)
    parts = [
        _tiles(figures),
        _section("Controllers and presets", _summary_table(found)),
        _section("Which walks fall or stray", _LEGEND + "".join(_matrices(s) for s in found)),
        _troubles(figures),
        _section("Measures", _MEASURES + _measure_table(found)),
        _section("The worst walks", _STRIPS + _pictures(figures, wanted, pictures)) if wanted else "",
        _section("Joint angles against adults'", "".join(_angles(s, figures, raw) for s in found)),
        _section("Slips and deviations", _SPREADS + "".join(_spreads(s, figures, raw) for s in found)),
        _section("All walks", _ALL + _case_table(figures)),
    ]
    body = "\n".join(p for p in parts if p)
    made = time.strftime("%Y-%m-%d %H:%M")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Measured walks</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_CSS}</style></head>\n'
        f"<body><header><h1>Measured walks</h1><p>{len(figures)} walks, {made}. Lengths are for a leg of 0.9 m.</p>"
        f"</header>\n<main>{body}</main>\n<script>{_SORTING}</script></body></html>\n"
    )


_LEGEND = (
    '<p class="note">Each cell is one walk: how it ended, then the worst distance from the path and the worst foot '
    "slip. With several starts a cell counts them and has the worst figures. "
    + " ".join(f'<span class="key {v}">{words}</span>' for v, words in VERDICTS.items())
    + "</p>"
)
_MEASURES = '<p class="note">Of the walks that did not fall; what happens on the way to a fall is no walking.</p>'
_STRIPS = (
    '<p class="note">Left limbs are orange, right ones blue; L and R under a pose: that foot bears load. On the '
    "right the walk from above: the path in green, from its dot to its square, mid-hip in black, footprints.</p>"
)
_SPREADS = '<p class="note">The upright axis is even up to 10 and logarithmic above, so that rare ones show.</p>'
_ALL = '<p class="note">A click on a column\'s name sorts by it. The table scrolls sideways.</p>'


def _section(name: str, inner: str) -> str:
    return f"<section><h2>{escape(name)}</h2>{inner}</section>"


def _tiles(figures: Sequence[Figures]) -> str:
    how = [verdict(f) for f in figures]
    good = 100.0 * (how.count("fine") + how.count("late")) / len(how)
    tiles = [("neither fell nor strayed", f"{good:.0f} %", "fine")]
    tiles += [(VERDICTS[v], str(how.count(v)), v if how.count(v) else "") for v in ("fell", "strayed", "late")]
    tiles += [("crashed", str(how.count("crashed")), "crashed")] if "crashed" in how else []
    return '<div class="tiles">' + "".join(
        f'<div class="tile {kind}"><b>{value}</b><span>{escape(words)}</span></div>' for words, value, kind in tiles
    ) + "</div>"  # fmt: skip


def _table(head: Iterable[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """Return a table; cells are whole elements of HTML, headings are text."""
    top = "".join(f"<th>{escape(h)}</th>" for h in head)
    body = "".join(f"<tr>{''.join(cells)}</tr>\n" for cells in rows)
    return (
        f'<div class="scroll"><table class="{kind}"><thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table></div>'
    )


def _text(text: str, kind: str = "") -> str:
    return f'<td class="{kind}">{escape(text)}</td>' if kind else f"<td>{escape(text)}</td>"


def _number(text: str, value: float | None = None, kind: str = "") -> str:
    """Return a cell of a number; value: what it sorts by."""
    by = "" if value is None else f' data-v="{value:.9g}"'
    return f'<td class="n {kind}"{by}>{escape(text)}</td>'


def _with_unit(column: Column, value: float | None) -> str:
    return f"{column.text(value)} {column.unit}".rstrip()


def _summary_table(found: Sequence[StyleSummary]) -> str:
    keys = ("path_deviation_worst_m", "speed_error_percent", "foot_slip_worst_mm", "hip_r", "knee_r", "ankle_r")
    head = ["", "walks", "neither fell nor strayed", "fell", "strayed", "did not arrive", "crashed"]
    head += [f"{BY_NAME[k].words} (median)" for k in keys]
    rows = []
    for s in found:
        counts = [_number(str(n), n, v if n else "") for n, v in
                  ((s.fell, "fell"), (s.strayed, "strayed"), (s.late, "late"), (s.crashed, "crashed"))]  # fmt: skip
        medians = [_number(_with_unit(BY_NAME[k], s.median(BY_NAME[k]))) for k in keys]
        cells = [_text(s.style, "name"), _number(str(len(s.cases))), _number(f"{s.share:.0f} %", s.share)]
        rows.append([*cells, *counts, *medians])
    return _table(head, rows)


def _matrices(summary: StyleSummary) -> str:
    blocks = []
    for character in dict.fromkeys(f["character"] for f in summary.cases):
        own = [f for f in summary.cases if f["character"] == character]
        speeds = sorted({f["speed_mps"] for f in own})
        rows = []
        for path in dict.fromkeys(f["path"] for f in own):
            cells = [cell([f for f in own if (f["path"], f["speed_mps"]) == (path, speed)]) for speed in speeds]
            rows.append([f"<th>{escape(path)}</th>", *cells])
        good = sum(verdict(f) in ("fine", "late") for f in own)
        name = f"{escape(character)} <small>{good} of {len(own)} neither fell nor strayed</small>"
        blocks.append(f"<div><h4>{name}</h4>{_table(['', *(f'{v:g} m/s' for v in speeds)], rows, 'matrix')}</div>")
    return f'<h3>{escape(summary.style)}</h3><div class="blocks">{"".join(blocks)}</div>'


def cell(walks: Sequence[Figures]) -> str:
    """Return a cell of a matrix: the walks of one path and speed, more than one when there are several starts."""
    if not walks:
        return '<td class="none"></td>'
    order = list(VERDICTS)
    worst = min(walks, key=lambda f: order.index(verdict(f)))
    how = verdict(worst)
    words = {"crashed": "crashed", "fell": f"fell {worst['fell_at_s'] or 0.0:.1f} s", "strayed": "strayed",
             "late": "late", "fine": "fine"}[how]  # fmt: skip
    if len(walks) > 1:
        words = f"{sum(verdict(f) == how for f in walks)}/{len(walks)} {words.split()[0]}"
    shown = []
    for name in ("path_deviation_worst_m", "foot_slip_worst_mm"):
        values = [f[name] for f in walks if f.get(name) is not None]
        column = BY_NAME[name]
        shown.append(f"{max(values):.{2 if column.unit == 'm' else 0}f} {column.unit}" if values else "-")
    hover = "; ".join(f"{title(f)}: {ending(f)}" for f in walks)
    return f'<td class="{how}" title="{escape(hover)}"><b>{words}</b><br><small>{", ".join(shown)}</small></td>'


def _troubles(figures: Sequence[Figures]) -> str:
    found = troubled(figures)
    if not found:
        return ""
    rows = [[_text(title(f)), _text(ending(f), verdict(f))] for f in found]
    table = _table(["walk", "how it ended"], rows)
    return f"<section><h2>Crashed, fell or strayed, worst first</h2>{_folded(table, len(rows))}</section>"


def _folded(table: str, rows: int) -> str:
    if rows <= 15:
        return table
    return f"<details><summary>{rows} walks</summary>{table}</details>"


def _measure_table(found: Sequence[StyleSummary]) -> str:
    columns = measured_columns(stood(f for s in found for f in s.cases))
    head = ["measure", "unit", "good"]
    for s in found:
        head += [f"{s.style}: median", "worst", "worst walk"]
    rows = []
    for c in columns:
        cells = [_text(c.words, "name"), _text(c.unit), _text(c.wanted(), "soft")]
        for s in found:
            worst = s.worst(c)
            cells += [
                _number(c.text(s.median(c)), kind="strong"),
                _number("-" if worst is None else c.text(worst[c.name])),
                _text("" if worst is None else title(worst, short=True), "soft"),
            ]
        rows.append(cells)
    return _table(head, rows)


def _pictures(figures: Sequence[Figures], wanted: Sequence[Moment], pictures: Sequence[bytes | None]) -> str:
    blocks = []
    for m, picture in zip(wanted, pictures, strict=True):
        caption = f"<b>{escape(m.caption)}</b><br>{escape(title(figures[m.index]))}"
        shown = _image(picture, m.caption) if picture else "<p>This picture could not be made.</p>"
        blocks.append(f"<figure><figcaption>{caption}</figcaption>{shown}</figure>")
    return "".join(blocks)


def _image(picture: bytes, words: str) -> str:
    data = base64.b64encode(picture).decode("ascii")
    return f'<img alt="{escape(words)}" src="data:image/png;base64,{data}">'


def _angles(summary: StyleSummary, figures: Sequence[Figures], raw: Sequence[Raw | None]) -> str:
    picture = charts.angles(_raw(summary, figures, raw)[0])
    shown = _image(picture, "joint angles") if picture else "<p>No walk that stood has a steady stride.</p>"
    return f"<h3>{escape(summary.style)}</h3>{shown}"


def _spreads(summary: StyleSummary, figures: Sequence[Figures], raw: Sequence[Raw | None]) -> str:
    picture = charts.spreads(*_raw(summary, figures, raw))
    shown = _image(picture, "histograms of slip and deviation") if picture else "<p>No walk has a step.</p>"
    return f"<h3>{escape(summary.style)}</h3>{shown}"


def _raw(summary: StyleSummary, figures: Sequence[Figures], raw: Sequence[Raw | None]) -> tuple[list[Raw], list[Raw]]:
    """Return the raw material of a summary's walks: of those that stood, and of those that fell."""
    own = [(verdict(f), r) for f, r in zip(figures, raw, strict=True) if r and style(f) == summary.style]
    return [r for how, r in own if how != "fell"], [r for how, r in own if how == "fell"]


def _case_table(figures: Sequence[Figures]) -> str:
    columns = measured_columns(figures)
    seeds = any(f.get("seed") for f in figures)
    styles = len({style(f) for f in figures}) > 1
    head = ["walk", "how it ended", "length, s", *(f"{c.words}, {c.unit}" if c.unit else c.words for c in columns)]
    rows = []
    for f in figures:
        name = title(f, short=not styles) if seeds or styles else title(f, short=True)
        how = [_text(name, "name"), _text(ending(f), verdict(f))]
        how.append(_number("-" if f["duration_s"] is None else f"{f['duration_s']:.1f}", f["duration_s"]))
        rows.append(how + [_number(c.text(f.get(c.name)), f.get(c.name)) for c in columns])
    return _table(head, rows, "sortable")


_CSS = """
:root { --ink: #22272b; --soft: #69727a; --line: #e3e6e8; }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: var(--ink);
  margin: 0; background: #f4f5f6; }
header, main { max-width: 1480px; margin: 0 auto; padding: 0 24px; }
h1 { font-size: 28px; margin: 28px 0 2px; } header p { margin: 0 0 16px; color: var(--soft); }
h2 { font-size: 20px; margin: 0 0 10px; } h3 { font-size: 16px; margin: 18px 0 8px; }
h4 { font-size: 14px; margin: 10px 0 4px; } h4 small { font-weight: normal; color: var(--soft); margin-left: 6px; }
section { background: white; border: 1px solid var(--line); border-radius: 8px; padding: 20px 22px; margin: 0 0 18px; }
.note { color: var(--soft); margin: 0 0 10px; max-width: 1000px; }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; margin: 0 0 18px; }
.tile { background: white; border: 1px solid var(--line); border-radius: 8px; padding: 12px 20px; min-width: 150px; }
.tile b { display: block; font-size: 28px; line-height: 1.2; } .tile span { color: #4a5258; font-size: 13px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 4px 10px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { vertical-align: bottom; font-weight: 600; color: #4a5258; border-bottom: 2px solid #cfd4d7; }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.name, td.soft { white-space: nowrap; } td.soft { color: var(--soft); } .strong, td.name { font-weight: 600; }
tbody tr:hover td { box-shadow: inset 0 0 0 100px rgba(60, 80, 100, .05); }
.matrix td { text-align: center; min-width: 90px; border: 2px solid white; line-height: 1.25; padding: 5px 2px; }
.matrix { font-size: 12.5px; } .matrix th { white-space: nowrap; border: 0; padding: 4px 6px 4px 0; }
.matrix tbody th { text-align: right; font-weight: 600; vertical-align: middle; }
.matrix thead th { text-align: center; border: 0; }
.matrix small { color: #4a5258; font-size: 11px; }
.blocks { display: flex; flex-wrap: wrap; gap: 12px 20px; }
.fine { background: #d9eedd; } .late { background: #dfe3f5; } .strayed { background: #fbe3b5; }
.fell { background: #f5c3bb; } .crashed { background: #cfcfd4; } td.none { background: #fafafa; }
.key { padding: 2px 9px; border-radius: 4px; color: var(--ink); white-space: nowrap; }
figure { margin: 0 0 22px; } figcaption { margin: 0 0 4px; } img { max-width: 100%; height: auto; display: block; }
.sortable { white-space: nowrap; } .sortable thead th { white-space: normal; min-width: 78px; cursor: pointer; }
.sortable td.name { position: sticky; left: 0; background: white; } summary { cursor: pointer; }
.sortable th.up::after { content: " \\25B2"; } .sortable th.down::after { content: " \\25BC"; }
"""
_SORTING = """
document.querySelectorAll("table.sortable").forEach(function (table) {
  table.querySelectorAll("thead th").forEach(function (head, column) {
    head.addEventListener("click", function () {
      var down = head.className !== "down", body = table.tBodies[0];
      function key(row) {
        var cell = row.cells[column];
        if (!cell.classList.contains("n")) return cell.textContent;
        return cell.hasAttribute("data-v") ? Number(cell.getAttribute("data-v")) : null;
      }
      table.querySelectorAll("thead th").forEach(function (other) { other.className = ""; });
      head.className = down ? "down" : "up";
      Array.from(body.rows).sort(function (one, two) {
        var a = key(one), b = key(two);
        if (a === null || b === null) return (a === null) - (b === null);
        return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
      }).forEach(function (row) { body.appendChild(row); });
    });
  });
});
"""

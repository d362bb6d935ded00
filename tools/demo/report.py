# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's report for people, with the limits that a good walk keeps."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from tools.demo.walk import DemoWalk


@dataclass(frozen=True)
class _ReportLine:
    """One figure for people: words, its name in the report, digits, unit, and its limit, if it has one."""

    words: str
    name: str
    digits: int
    unit: str
    limit: float | None = None


_LINES = (
    _ReportLine("distance from the path's end when standing", "arrival_m", 2, "m", 0.3),
    _ReportLine("off the path, on average", "path_deviation_mean_m", 3, "m", 0.10),
    _ReportLine("off the path, at worst", "path_deviation_worst_m", 3, "m", 0.30),
    _ReportLine("speed error in steady walking", "speed_error_percent", 1, "%", 5.0),
    _ReportLine("feet slide in a typical step", "foot_slip_median_mm", 1, "mm", 3.0),
    _ReportLine("feet slide in the worst step", "foot_slip_worst_mm", 1, "mm", 15.0),
    _ReportLine("soles below the ground, at worst", "penetration_mm", 1, "mm", 5.0),
    _ReportLine("baked bones off the simulation, at worst", "bake_error_mm", 3, "mm", 1.0),
    _ReportLine("baked bones turned off it, at worst", "bake_error_deg", 4, "degrees", 0.1),
    _ReportLine("steps a minute", "cadence_steps_per_min", 0, ""),
    _ReportLine("step length", "step_length_m", 2, "m"),
    _ReportLine("hip, knee, ankle like adults' (1 is the same)", "hip_r", 2, ""),
)
# Times are held against other work of the same run: a slower machine takes longer for both.
_CPU_LIMIT = 2.0  # yardsticks for a second of walk
_WRITE_LIMIT = 10.0  # times as many keys without curves, groups and handles


def report_lines(result: DemoWalk) -> list[str]:
    """Return the report for people, line by line: figures in plain words, with their limits where they have one."""
    f = result.figures
    end = f"fell after {f['fell_at_s']:.1f} s" if f["fell"] else _END[f["outcome"]]
    end += " and to rest" if f["outcome"] == "arrived" and f["stop_s"] is not None else ""
    lines = [f"{f['character']}, {f['controller']}/{f['preset']}: {f['duration_s']:.1f} s, {end}."]
    if result.others:
        lines.append(f"Of {len(result.others) + 1} starts {arrivals(result)} arrive; limits are for their medians.")
    lines.append("")
    for line in _LINES:
        names = ["hip_r", "knee_r", "ankle_r"] if line.name == "hip_r" else [line.name]
        values = ", ".join("-" if f[n] is None else f"{f[n]:.{line.digits}f}" for n in names)
        lines.append(_limited(line.words, values, line.unit, line.limit, *_typical(result, line)))
    lines += _time_lines(result)
    return lines + [f"  Note: {note}" for note in result.notes]


def arrivals(result: DemoWalk) -> int:
    """Return how many of the starts arrive as they were set: without a fall, and no other walk in their place."""
    starts = (result.figures, *result.others)
    return sum(one["outcome"] == "arrived" and one["fallback"] is None for one in starts)


def _typical(result: DemoWalk, line: _ReportLine) -> tuple[float | None, str]:
    """Return what a figure is judged by, and how it reads: the median over the starts where these have it.

    A walk in the place of one that fell is none of them.
    """
    own: float | None = result.figures[line.name]
    starts = [one for one in (result.figures, *result.others) if one["fallback"] is None]
    found = [one[line.name] for one in starts if one[line.name] is not None]
    if line.name.startswith("bake") or not result.others or not found:
        return own, ""
    middle = median(found)
    return middle, f"median {middle:.{line.digits}f}, "


def _time_lines(result: DemoWalk) -> list[str]:
    """Return the lines of what was slow or quick, judged by what other work took in the same run."""
    cpu = result.figures["cpu_s_per_s"] or 0.0
    cost, writing = cpu / result.yardstick_s, result.write_s / result.plain_s
    keys = f"writing the action ({result.keys} keys in {result.frames} frames)"
    return [
        _limited("CPU time for a second of walk", f"{cpu:.3f}", "s", _CPU_LIMIT, cost, f"{cost:.1f} yardsticks, "),
        _limited(keys, f"{result.write_s:.2f}", "s", _WRITE_LIMIT, writing, f"{writing:.1f} times plain keys, "),
    ]


_END = {
    "arrived": "came to the end of the path",
    "passed": "came to the end of the path",
    "stuck": "steps on the spot before the end of the path",
    "unfinished": "ran out of time before the end of the path",
}


def _limited(words: str, values: str, unit: str, limit: float | None, value: float | None, typical: str = "") -> str:
    """Return a line: words, the baked walk's values, and how ``value`` is by its limit."""
    text = f"  {words + ' ':.<50} {values:>8} {unit}"
    if limit is None:
        return text.rstrip()
    verdict = "not measured" if value is None else "ok" if value <= limit else "TOO MUCH"
    return f"{text:<70} ({typical}at most {limit:g}: {verdict})"

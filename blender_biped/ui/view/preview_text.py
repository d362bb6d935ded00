"""What the panel says about the preview, in an animator's words and the scene's units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import bpy

from ...job import Job
from ...klaw.preview import Preview
from ...motion.summary import Summary
from ...motion.trail import MotionTrail
from ..base.fallback_text import fallback_text
from ..base.reading import frame_rate
from ..base.units import SPACE, length_text, speed_text


@dataclass(frozen=True)
class Message:
    """A text, "" for none, and the icon before it."""

    text: str
    icon: Literal["TIME", "CHECKMARK", "ERROR"]


def ghost_text(preview: Preview, job: Job, start: int, scene: bpy.types.Scene) -> Message:
    """Return what to say of KLAW's ghost of a job that begins at frame ``start``."""
    slower = ""
    if preview.speed < 0.999 * job.speed:
        slower = f" Walked at {speed_text(preview.speed, scene.unit_settings)}, the fastest that people walk."
    last = _last_frame(preview.duration, start, scene)
    return Message(
        f"KLAW's steps until the walk is simulated: {preview.steps} steps in {preview.duration:.1f}{SPACE}s, "
        f"to frame {last}.{slower}",
        "TIME",
    )


def begun_text(walk: MotionTrail, start: int, scene: bpy.types.Scene) -> Message:
    """Return what to say of so much of a simulated walk as has come."""
    return Message(f"Simulated to frame {_last_frame(walk.duration, start, scene)}.", "TIME")


def walk_text(summary: Summary, start: int, scene: bpy.types.Scene) -> Message:
    """Return what to say of a walk that is simulated to its end: how it ends, and figures."""
    units = scene.unit_settings
    end = _last_frame(summary.duration, start, scene)
    if summary.fell_at is not None:
        end = start + round(summary.fell_at * frame_rate(scene))
    left = length_text(summary.left, units)
    ends = {
        "arrived": f"Arrives at frame {end}",
        "passed": f"Reaches the end at frame {end}, still walking",
        "unfinished": f"Does not reach the end: {left} left at frame {end}",
        "stuck": f"Steps on the spot, {left} before the end, until frame {end}",
        "fell": f"Falls at frame {end}, {left} before the end",
    }[summary.outcome]
    if summary.astray == "end" and summary.astray_by is not None:
        ends = f"Stands {length_text(summary.astray_by, units)} from the path's end at frame {end}"
    if summary.lies:
        ends = f"Falls at frame {end}, and lies still at frame {_last_frame(summary.duration, start, scene)}"
    figures = [f"{summary.steps} steps in {summary.duration:.1f}{SPACE}s"]
    if summary.speed is not None:
        figures.append(speed_text(summary.speed, units))
    if summary.deviation_worst is not None:
        figures.append(f"at most {length_text(summary.deviation_worst, units)} off the path")
    well = (summary.outcome in ("arrived", "passed") or summary.lies) and not (summary.fallback or summary.astray)
    said = [f"{ends}. {', '.join(figures)}.", fallback_text(summary)]
    return Message(" ".join(filter(None, said)), "CHECKMARK" if well else "ERROR")


def _last_frame(duration: float, start: int, scene: bpy.types.Scene) -> int:
    """Return the last frame of a walk of a length, s: the last one that the bake keys."""
    return start + int(duration * frame_rate(scene) + 1e-6)

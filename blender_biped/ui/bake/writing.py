"""A walk that was simulated, written: its keys, its figures, what is added to them, and the message about it."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...base.errors import BipedError, RigError
from ...job import Job
from ...klaw.nearest import looks_upright
from ...motion.arrivals import arrivals
from ...motion.falls import upright_until
from ...motion.measures import before_fall
from ...motion.motion import Motion
from ...motion.summary import Summary, summarised
from ...world.floor import Floor
from ...world.path import Path
from ..base.fallback_text import fallback_text
from ..base.reading import frame_rate
from ..base.status import Level
from ..base.units import length_text
from ..job.estimate import keep_walked
from ..job.gait_plan import gait_names
from ..job.mapping import keep_found
from ..job.prints_plan import keep_met
from ..job.request import Request
from ..settings.kept_result import (
    COURSE_EVERY,
    KeptStride,
    keep_course,
    keep_fall,
    keep_stride,
    keep_summary,
    keep_sunk,
    keep_torn,
)
from ..settings.trying import set_all
from .choices import Choices, Shown, choices_of, shown
from .footsteps import keep_footsteps, mark_strikes
from .keyframes import Baked, bake_steps
from .looks import look_at
from .marks import lay_footprints
from .portions import within
from .props import BakedProps, PropKeys
from .result import arrivals_text, astray_text, choices_text, fall_frame, sunk_text, torn_text
from .scene_end import end_with
from .sunk import sinking
from .torn import tearing
from .treadmill import lay_treadmill
from .way_back import WayBack

_PROPS_SHARE = 0.3  # of the time that writing takes, where there are props

_ASTRAY_CURE = "Set a lower speed or another style, or make its bends wider."
GONE = "The armature or the scene is no longer there: choose them and bake again."


@dataclass(frozen=True)
class Written:
    """What became of a walk. outcome: in a sentence, where it is not as it should be. text: what was made.

    notes: what else the user should know. trouble: of these the first that is wrong, "" for none. first, last: frames.
    """

    outcome: str
    text: str
    notes: tuple[str, ...]
    level: Level
    first: int
    last: int
    trouble: str = ""

    @property
    def message(self) -> str:
        """All of it."""
        return " ".join(filter(None, (self.outcome, self.text, *self.notes)))

    @property
    def line(self) -> str:
        """The point of it: what is not as it should be, else at which frames it is."""
        return self.outcome or self.trouble or f"Baked: frames {self.first} to {self.last}."


def choices_for(armature: Any, job: Job) -> Choices:
    """Return what is chosen for an armature, as far as the walk allows: hands with tasks stay as simulated."""
    choices = choices_of(armature)
    return replace(choices, sharing=replace(choices.sharing, shoulders=0.0)) if job.world.targets else choices


def find_armature(context: bpy.types.Context, armature: int, scene: int) -> bpy.types.Object:
    """Return the armature of a session_uid. Raises RigError when it, or the scene, is no longer there."""
    context.view_layer.update()  # else what was deleted or unlinked meanwhile is still there, as None or as it was
    objects = filter(None, context.view_layer.objects)
    found = next((thing for thing in objects if thing.session_uid == armature), None)
    if context.scene.session_uid != scene:
        shown_before = next((own.name for own in bpy.data.scenes if own.session_uid == scene), "")
        if shown_before:
            raise RigError(f"Another scene is shown now: go back to {shown_before!r} and bake again.")
    if found is None or context.scene.session_uid != scene:
        raise RigError(GONE)
    return found


def write_steps(
    context: bpy.types.Context, armature: Any, request: Request, motion: Motion
) -> Generator[float, None, Written]:
    """Write a walk to its armature in small portions; yield the share that is done, and return what became of it.

    Closed early, or with whatever exception it ends, it leaves everything as it was. Raises RigError or DataError as
    ``bake_steps`` and ``shown`` do.
    """
    back = WayBack()
    with back.taken():
        written = yield from _write_steps(context, armature, request, motion, back)
    back.settle()
    return written


def _write_steps(
    context: bpy.types.Context, armature: Any, request: Request, motion: Motion, back: WayBack
) -> Generator[float, None, Written]:
    """Do what ``write_steps`` does; ``back`` notes how that is put back."""
    scene, settings = context.scene, armature.biped.walk
    job = request.job
    choices = choices_for(armature, job)
    walk = shown(armature, motion, job, choices)
    props = _props_of(armature, motion, job, walk)
    if props:
        back.note(props.drop)
        yield from within(props.write(), 0.0, _PROPS_SHARE)
    steps = bake_steps(armature, walk.motion, settings.frame_start, walk.root, choices, armature.biped.limbs, back)
    baked = yield from within(steps, _PROPS_SHARE if props else 0.0, 1.0)
    loose = props.put_to_use(back) if props else BakedProps(notes=_no_props_notes(motion, job, walk))
    last = int(baked.frames[-1])
    if settings.extend:
        end_with(scene, armature, last, back)
    summary = summarised(motion, job)
    missed = props.missed if props else ()
    outcome = " ".join(filter(None, (_outcome(summary, job.path.length, settings.frame_start, scene), *missed)))
    text = f"Action {baked.action.name!r}: frames {settings.frame_start} to {last}, {walk.motion.duration:.1f} s."
    text = " ".join((text, *choices_text(choices, walk.cycle, scene.unit_settings), *baked.facts))
    fall = fall_frame(summary, settings.frame_start, scene)
    upright = baked.frames if fall is None or walk.cycle else baked.frames[baked.frames < fall]
    said = _seen(armature, baked, upright, job.floor if walk.motion is motion else Floor(job.ground), job)
    kept = arrivals_text(arrivals(motion, job.along), settings.frame_start, scene)
    # Nothing from here on ends the bake.
    mapped: list[str] = []
    added = _tried("settings", lambda: set_all(settings, request.settings))
    if request.found:
        found = request.found
        added += _tried("mapping", lambda: mapped.extend(keep_found(armature, found, job.character)))
    if settings.treadmill and walk.motion is motion:
        added.append("There is no treadmill, since the walk travels: set Travel On to In Place, and bake again.")
    added += _add_to(context, armature, request, baked, motion, walk, summary)
    troubles = (*baked.notes, *added, *said, *loose.notes)
    failed = missed or (outcome and not summary.lies)
    doubtful = failed or troubles or request.warnings or (request.found and request.found.doubts)
    level: Level = "WARNING" if doubtful else "INFO"
    armature.biped.show_result |= bool(failed or said)
    notes = (*mapped, *loose.facts, *kept, *request.warnings, *request.notes, *troubles)
    trouble = next(iter((*troubles, *request.warnings)), "")
    return Written(outcome, text, notes, level, settings.frame_start, last, trouble)


def _seen(armature: Any, baked: Baked, frames: NDArray[np.int_], floor: Floor, job: Job) -> list[str]:
    """Look at a baked walk as it plays, keep what is seen on its action, and return what is wrong with it.

    frames: of the scene, before a fall. floor: of the walk as it is shown.
    """
    units = bpy.context.scene.unit_settings
    skin, low = tearing(armature), sinking(armature, job.character, floor)
    look_at(armature, frames, [watcher for watcher in (skin, low) if watcher is not None])
    torn, sunk = skin.torn if skin and len(frames) else None, low.sunk if low else None
    keep_torn(baked.action, torn)
    keep_sunk(baked.action, sunk)
    return [said for said in (torn_text(torn, units) if torn else "", sunk_text(sunk, units) if sunk else "") if said]


def _props_of(armature: Any, motion: Motion, job: Job, walk: Shown) -> PropKeys | None:
    """Return the keys of the props that a walk has moved; None where there are none."""
    if not job.world.loose or not motion.things.size or walk.motion is not motion:
        return None
    return PropKeys(armature, motion, job, armature.biped.walk.frame_start)


def _no_props_notes(motion: Motion, job: Job, walk: Shown) -> tuple[str, ...]:
    """Return why props got no keys: they stay where the walk is not shown where it went."""
    if not job.world.loose or not motion.things.size or walk.motion is motion:
        return ()
    return ("Props got no keys: the walk is baked in place, and does not meet them.",)


def _outcome(summary: Summary, length: float, start: int, scene: bpy.types.Scene) -> str:
    """Return when and where a walk fell, how much of the path is left, or what it is in place of the one that was set.

    "" for one that went well.

    length: of the path, m. start: frame at which the walk begins.
    """
    if summary.fallback:
        return fallback_text(summary)
    units = scene.unit_settings
    along, left = length_text(length - summary.left, units), length_text(summary.left, units)
    if summary.outcome == "stuck":
        return (
            f"The character steps on the spot {along} along the path, {left} before its end: take away what stops it "
            "there, or lead the path round it."
        )
    if summary.outcome == "unfinished":
        return f"The character did not reach the end of the path: {left} are left."
    if summary.fell_at is None:
        strayed = astray_text(summary, units)
        return f"{strayed}. {_ASTRAY_CURE}" if strayed else ""
    if summary.lies is not None:
        end = "and lies still at the end." if summary.lies else "and does not lie still yet at the end."
        return (
            f"The character falls as a ragdoll after {summary.fell_at:.1f} s, at frame "
            f"{fall_frame(summary, start, scene)}, {end}"
        )
    return (
        f"The character fell after {summary.fell_at:.1f} s, at frame {fall_frame(summary, start, scene)}: {along} "
        f"along the path, {left} before its end."
    )


def _add_to(
    context: bpy.types.Context,
    armature: Any,
    request: Request,
    baked: Baked,
    motion: Motion,
    walk: Shown,
    summary: Summary,
) -> list[str]:
    """Keep the figures, and add what is set to be added to the keyframes; return what went wrong."""
    settings, job = armature.biped.walk, request.job
    start, stride = int(baked.frames[0]), KeptStride.of(walk.cycle) if walk.cycle else None
    frame = None if stride else fall_frame(summary, start, context.scene)
    upright = before_fall(motion, job)
    marked = walk.motion if stride else upright
    goes = walk.motion is motion
    travels = goes and (settings.footprints or settings.decals)
    gaits = "" if summary.fallback in ("kinematic", "another") else gait_names(job)  # it has one style of its own

    def fall() -> None:
        until = None if frame is None else upright_until(motion, job)
        found = looks_upright(motion, job) if until is not None or summary.fallback else None
        upright_frame = None if until is None else int(start + until * frame_rate(context.scene))
        keep_fall(baked.action, upright_frame, () if found is None else found.tolist())

    extras: list[tuple[bool, str, Callable[[], object]]] = [
        (True, "stride's figures", lambda: keep_stride(baked.action, stride)),
        (True, "result", lambda: keep_summary(baked.action, summary, frame, gaits)),
        (True, "fall's figures", fall),
        (True, "course", lambda: keep_course(baked.action, () if stride else course_shares(motion, job.path))),
        (True, "footsteps", lambda: keep_footsteps(armature, baked.action, marked, job, start, goes)),
        (settings.markers, "foot strike markers", lambda: mark_strikes(baked.action)),
        (stride is None, "walk's length", lambda: keep_walked(context, armature, job, summary)),
        (bool(job.footholds), "edited footprints", lambda: keep_met(armature, motion, job)),
        (settings.treadmill and not goes, "treadmill", lambda: lay_treadmill(armature, motion, walk, start)),
        (travels, "footprints", lambda: lay_footprints(armature, upright, job.floor, settings.decals)),
    ]
    return [note for chosen, what, make in extras if chosen for note in _tried(what, make)]


def course_shares(motion: Motion, path: Path) -> list[float]:
    """Return how far along a path a walk is, shares of its length, each ``COURSE_EVERY`` s."""
    times = np.arange(float(motion.times[0]), float(motion.times[-1]), COURSE_EVERY)
    hips = np.column_stack([np.interp(times, motion.times, column) for column in motion.root.T])
    return [place / path.length for place in path.followed(hips)]


def _tried(what: str, make: Callable[[], object]) -> list[str]:
    """Do something on top of a bake; return what went wrong, which must not lose the bake."""
    try:
        make()
    except BipedError as error:
        return [str(error)]
    except Exception as error:
        traceback.print_exc()
        return [f"The {what} could not be added: {error}"]
    return []

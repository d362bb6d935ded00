"""The motion of props as keys of their objects, in the same step as the walk that pushed them about."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...base.errors import BipedError, RigError
from ...base.spatial import Array, quaternion_matrix
from ...job import Job
from ...motion.motion import Motion
from ..base.frames import check_frames, show_frame
from ..base.reading import frame_rate, metres
from ..job.things import start_matrix
from .accuracy import listed
from .action import Draft, assign, new_action, without_last, write
from .channels import object_channels
from .keyframes import frames_of
from .portions import within
from .spaces import parent_spaces
from .written import last_bake, why_kept

_LIFTED = 0.02  # m by which what is picked up moves at least
_MOVED = (2e-4, 2e-3)  # m and rad by which a prop has moved


@dataclass(frozen=True)
class BakedProps:
    """What became of the props. facts: what the user should know. notes: what is not right."""

    facts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def bake_props(context: bpy.types.Context, motion: Motion, job: Job, start: int) -> Generator[float, None, BakedProps]:
    """Give the objects of a job's props the keys of their motion, the first at a frame; yield the share that is done.

    A prop that did not move, and that nothing else would move, gets none. One that cannot be keyed is named, and does
    not stop the others.
    """
    names = [thing.name for thing in job.world.loose]
    moved = 0
    switched: list[str] = []
    notes: list[str] = []
    for count, (name, track) in enumerate(zip(names, np.moveaxis(motion.props, 1, 0), strict=False)):
        try:
            share = (count / len(names), (count + 1) / len(names))
            moved += yield from within(_baked(context, name, track, motion, start, switched), *share)
        except BipedError as error:
            notes.append(f"{name!r} got no keys: {error}")
    notes += [
        f"{name!r} was not taken: hands did not get to it. Lead the path closer to it, or make room around it."
        for name in left_behind(motion, job)
    ]
    facts = [f"{moved} of {len(names)} props moved."]
    if switched:
        facts.append(
            f"Animated in their Rigid Body settings from now on, so that their keys count: {listed(switched)}."
        )
    return BakedProps(tuple(facts), tuple(notes))


def _baked(
    context: bpy.types.Context, name: str, track: Array, motion: Motion, start: int, switched: list[str]
) -> Generator[float, None, int]:
    """Key one prop by its track (T, 7); return 1 where it moves, else 0. Raises RigError where it cannot be keyed.

    switched: gets its name where Blender's own simulation moved it so far.
    """
    thing = next((o for o in context.view_layer.objects if o is not None and o.name == name), None)
    if thing is None:
        raise RigError("it is no longer there.")
    if thing.library:
        raise RigError("it is linked from another file; make a library override of it first.")
    moves, last = _moves(track), last_bake(thing)
    body = thing.rigid_body
    free = body is not None and body.type == "ACTIVE" and not body.kinematic  # Blender's own simulation would move it
    if not moves and last is None and not free:
        return 0
    scene = context.scene
    frames = frames_of(motion, scene, start)
    check_frames(int(frames[0]), int(frames[-1]))
    first = start_matrix(thing)
    spaces = yield from within(parent_spaces(thing, scene, frames.astype(float)), 0.0, 0.5)
    worlds = placed(track, motion, (frames - start) / frame_rate(scene), first, metres(scene))
    channels = object_channels(thing, np.linalg.inv(spaces) @ worlds)
    chosen: NDArray[np.int_] = np.arange(len(frames)) if moves else np.array([0])
    kept = [channel.chosen(chosen, frames) for channel in channels]
    why = why_kept(last, thing, {channel.data_path for channel in kept}) if last else ""
    draft: Draft = without_last(last, ()) if last and not why else new_action(thing, "Motion")
    try:
        yield from within(write(draft, kept, False), 0.5, 1.0)
    except BaseException:
        draft.drop()
        raise
    if last and not why:
        draft.finish()
    else:
        assign(thing, draft)
    if free:
        body.kinematic = True
        switched.append(name)
    return int(moves)


def left_behind(motion: Motion, job: Job) -> list[str]:
    """Return the names of props that a walk was to pick up, and that were not lifted."""
    own = {target.thing for target in job.world.targets}
    tracks = zip(job.world.loose, np.moveaxis(motion.props, 1, 0), strict=False)
    return [
        thing.name for thing, track in tracks
        if thing.name in own and float(np.abs(track[:, :3] - track[0, :3]).max()) < _LIFTED
    ]  # fmt: skip


def placed(track: Array, motion: Motion, times: Array, first: Array, unit: float) -> Array:
    """Return where an object is in the world (F, 4, 4), Blender units, at times (F,), s.

    track (T, 7): of its solid, see ``Motion.things``. first (4, 4): where the object is as the track begins.
    """
    flat = motion.sampled_props(track[:, None], times)[:, 0]
    turns = quaternion_matrix(flat[:, 3:]) @ quaternion_matrix(track[0, 3:]).T
    begin = track[0, :3] / unit
    worlds = np.tile(np.eye(4), (len(times), 1, 1))
    worlds[:, :3, :3] = turns @ first[:3, :3]
    worlds[:, :3, 3] = flat[:, :3] / unit + np.einsum("tij,j->ti", turns, first[:3, 3] - begin)
    return worlds


def _moves(track: Array) -> bool:
    """Return whether a prop has moved in its track (T, 7)."""
    away = float(np.linalg.norm(track[:, :3] - track[0, :3], axis=1).max())
    cosines = np.abs(track[:, 3:] @ track[0, 3:]).min()
    return away > _MOVED[0] or 2.0 * float(np.arccos(min(float(cosines), 1.0))) > _MOVED[1]


def prop_error(thing: Any, track: Array, motion: Motion, frames: NDArray[np.int_], first: Array) -> tuple[float, float]:
    """Return how far an object is from its simulated motion, the worst of scene frames: m and rad.

    track (T, 7): see ``placed``. frames (F,): the first is the motion's first sample. first (4, 4): where it began.
    """
    scene = bpy.context.scene
    current, unit = scene.frame_current, metres(scene)
    desired = placed(track, motion, (frames - frames[0]) / frame_rate(scene), first, unit)
    far, turned = 0.0, 0.0
    for frame, want in zip(frames.tolist(), desired, strict=True):
        show_frame(scene, frame)
        found = np.array(thing.matrix_world, dtype=float)
        far = max(far, unit * float(np.linalg.norm(found[:3, 3] - want[:3, 3])))
        turn = found[:3, :3] @ np.linalg.inv(want[:3, :3])
        turned = max(turned, float(np.arccos(np.clip(0.5 * (np.trace(turn) - 1.0), -1.0, 1.0))))
    scene.frame_set(current)
    return far, turned

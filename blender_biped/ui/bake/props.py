"""The motion of props as keys of their objects, in the same step as the walk that pushed them about."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...base.errors import BipedError, RigError
from ...base.spatial import Array, quaternion_matrix
from ...job import Job
from ...motion.motion import Motion
from ..base.frames import check_frames, frame_kept, show_frame
from ..base.reading import frame_rate, metres
from ..job.things import start_matrix
from .accuracy import listed
from .action import Draft, assign, new_action, without_last, write
from .channels import object_channels
from .keyframes import frames_of
from .portions import finished, within
from .spaces import parent_spaces
from .way_back import WayBack, keep_animation, keep_pose
from .written import last_bake, why_kept

_LIFTED = 0.02  # m by which what is picked up moves at least
_MOVED = (2e-4, 2e-3)  # m and rad by which a prop has moved


@dataclass(frozen=True)
class BakedProps:
    """What became of the props. facts: what the user should know. notes: what is not right."""

    facts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Draft:
    """The keys of a prop, which nothing uses yet.

    replaces: whether they take the place of the last bake's. free: whether Blender's own simulation moves the prop so
    far. moves: whether it moves in the walk.
    """

    thing: Any
    draft: Draft
    replaces: bool
    free: bool
    moves: bool

    def put_to_use(self, back: WayBack) -> None:
        """Let the keys play."""
        keep_pose(self.thing, back)
        keep_animation(self.thing, [curve.data_path for curve in self.draft.holder.fcurves], back)
        if self.replaces:
            self.draft.finish(back)
        else:
            assign(self.thing, self.draft)
        if self.free:
            body = self.thing.rigid_body
            back.note(lambda: setattr(body, "kinematic", False))
            body.kinematic = True


class PropKeys:
    """The keys of the props that a walk has moved: written first, and put to use together with the armature's.

    A prop that did not move, and that nothing else would move, gets none. One that cannot be keyed is named, and does
    not stop the others.
    """

    def __init__(self, armature: bpy.types.Object, motion: Motion, job: Job, start: int) -> None:
        """Keep what they are made of. start: the frame of the first ones."""
        self._armature, self._motion, self._job, self._start = armature, motion, job, start
        names = [thing.name for thing in job.world.loose]
        self._tracks = dict(zip(names, np.moveaxis(motion.props, 1, 0), strict=False))
        self._drafts: list[_Draft] = []
        self._hanging: list[str] = []
        self._notes: list[str] = []

    def write(self) -> Generator[float, None, None]:
        """Write them where nothing uses them yet; yield the share that is done.

        But for what hangs on the armature: its place depends on the walk.
        """
        for count, name in enumerate(self._tracks):
            if _hangs_on(_found(name), self._armature):
                self._hanging.append(name)
            else:
                share = (count / len(self._tracks), (count + 1) / len(self._tracks))
                yield from within(self._written(name), *share)

    def drop(self) -> None:
        """Leave everything as it was."""
        for each in self._drafts:
            each.draft.drop()

    def put_to_use(self, back: WayBack) -> BakedProps:
        """Let them play, now that the walk does."""
        for name in self._hanging:
            finished(self._written(name))
        for each in self._drafts:
            each.put_to_use(back)
        moved = sum(each.moves for each in self._drafts)
        names = self._job.world.loose
        facts = [f"{moved} of {len(names)} props moved."]
        switched = [each.thing.name for each in self._drafts if each.free]
        if switched:
            facts.append(
                f"Animated in their Rigid Body settings from now on, so that their keys count: {listed(switched)}."
            )
        return BakedProps(tuple(facts), tuple(self._notes))

    @property
    def missed(self) -> tuple[str, ...]:
        """What hands were to take and did not, in sentences."""
        return tuple(
            f"{name!r} was not taken: hands did not get to it. Lead the path closer to it, or make room around it."
            for name in left_behind(self._motion, self._job)
        )

    def _written(self, name: str) -> Generator[float, None, None]:
        try:
            made = yield from _drafted(name, self._tracks[name], self._motion, self._start)
        except BipedError as error:
            self._notes.append(f"{name!r} got no keys: {error}")
        else:
            self._drafts += [made] if made else []


def _found(name: str) -> Any:
    """Return an object of the view layer by its name, None for one that is no longer there."""
    return next((o for o in bpy.context.view_layer.objects if o is not None and o.name == name), None)


def _hangs_on(thing: Any, armature: bpy.types.Object) -> bool:
    """Return whether an armature carries an object, by parents or constraints."""
    waiting, seen = [thing], set()
    while waiting:
        at = waiting.pop()
        if at is None or at in seen:
            continue
        if at == armature:
            return True
        seen.add(at)
        targets = [[c, *getattr(c, "targets", ())] for c in at.constraints]
        waiting += [at.parent, *(getattr(each, "target", None) for group in targets for each in group)]
    return False


@contextmanager
def _animated(body: Any) -> Iterator[None]:
    """Keep Blender's own simulation from moving a rigid body meanwhile, if there is one."""
    if body is not None:
        body.kinematic = True
    try:
        yield
    finally:
        if body is not None:
            with suppress(ReferenceError):  # another file was opened meanwhile
                body.kinematic = False


def _drafted(name: str, track: Array, motion: Motion, start: int) -> Generator[float, None, _Draft | None]:
    """Write the keys of one prop by its track (T, 7); return them, None where it needs none.

    Raises RigError where it cannot be keyed.
    """
    thing = _found(name)
    if thing is None:
        raise RigError("it is no longer there.")
    if thing.library:
        raise RigError("it is linked from another file; make a library override of it first.")
    moves, last = _moves(track), last_bake(thing)
    body = thing.rigid_body
    free = body is not None and body.type == "ACTIVE" and not body.kinematic  # Blender's own simulation would move it
    if not moves and last is None and not free:
        return None
    scene = bpy.context.scene
    frames = frames_of(motion, scene, start)
    check_frames(int(frames[0]), int(frames[-1]))
    first = start_matrix(thing)
    with _animated(body if free else None):
        spaces = yield from within(parent_spaces(thing, scene, frames.astype(float)), 0.0, 0.5)
    worlds = placed(track, motion, (frames - start) / frame_rate(scene), first, metres(scene))
    channels = object_channels(thing, np.linalg.inv(spaces) @ worlds)
    chosen: NDArray[np.int_] = np.arange(len(frames)) if moves else np.array([0])
    kept = [channel.chosen(chosen, frames) for channel in channels]
    why = why_kept(last, thing, {channel.data_path for channel in kept}) if last else ""
    replaced = last if last and not why else None
    draft = without_last(replaced, ()) if replaced else new_action(thing, "Motion")
    try:
        yield from within(write(draft, kept, False), 0.5, 1.0)
    except BaseException:
        draft.drop()
        raise
    return _Draft(thing, draft, replaced is not None, free, moves)


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
    unit = metres(scene)
    desired = placed(track, motion, (frames - frames[0]) / frame_rate(scene), first, unit)
    far, turned = 0.0, 0.0
    with frame_kept(scene):
        for frame, want in zip(frames.tolist(), desired, strict=True):
            show_frame(scene, frame)
            found = np.array(thing.matrix_world, dtype=float)
            far = max(far, unit * float(np.linalg.norm(found[:3, 3] - want[:3, 3])))
            turn = found[:3, :3] @ np.linalg.inv(want[:3, :3])
            turned = max(turned, float(np.arccos(np.clip(0.5 * (np.trace(turn) - 1.0), -1.0, 1.0))))
    return far, turned

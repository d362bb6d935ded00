"""From a Motion to keyframes: an action on the armature, exact at every frame or within what is allowed.

Everything is computed first, on arrays, and written to an action that nothing uses yet; that is put to use last. What
goes wrong even then puts everything back as it was. It takes the place of what this character's last bake wrote, where
that is chosen and nobody has changed it since; else the action that the armature had stays in the file as it was, with
a fake user when it has no other.
Where the armature has a control rig that is known, its controls get the keys, otherwise the mapped bones: rotations,
in their own rotation mode; location goes to the hips and to bones that do not hang on their body part's neighbour.
Bones of spine and neck may share turns, and clavicles follow the arms: see ``supple``.
Hips that are connected to their parent cannot move by themselves: the bone that they hang on gets the location then.
All other bones are put back to rest and get no keys, except for fingers, which curl a little, and for those that are
not to be baked: they keep their pose and their animation. Constraints that would move the keyed bones are turned off by
the action, at its first frame.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Generator, Iterable, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...base.errors import RigError
from ...base.spatial import Array
from ...character.armature import EVEN_SCALE
from ...motion.motion import Motion
from ...motion.travel import travel
from ..base.fcurves import SLOTTED
from ..base.frames import DENSEST, check_frames, spacing, stretching
from ..base.hidden import evaluated
from ..base.reading import frame_rate, metres, stretch_of, unstretched
from .accuracy import between_notes, listed, off_notes, shoulders_text, within_notes
from .action import Draft, assign, layered_paths, new_action, new_slot, without_last, write
from .channels import (
    Carried,
    Channel,
    bone_channels,
    held_channels,
    locked_bones,
    object_channels,
    rest_channels,
    undriven,
)
from .choices import Choices, closed, judged, kept_bones
from .desired import DesiredPoses, Placed, desired_of, trials
from .fingers import relaxed
from .influences import HeldInfluence, Influences, carried
from .layers import fingers_text, fit_range, fit_strip, lay_strip, repeats, take_over
from .needed import PER_FRAME, BakeTiming, needed_keys
from .portions import finished, within
from .probe import TRIALS, carriers
from .riding import path_moves
from .rig import Limbs, Node, Rig
from .rig import Root as Root
from .spaces import is_carried, parent_space, parent_spaces
from .way_back import WayBack, keep_animation, keep_pose
from .written import LastBake, last_bake, why_kept

Frames = NDArray[np.int_]

_EVERYTHING = Choices()
_PATH_MOVES = "The path moves in the course of the walk, and was walked as it lay when the bake began."


@dataclass(frozen=True)
class Baked:
    """What a bake made. frames (F,): scene frames with keys. notes: what the user should know of what is not right.

    facts: what else the user should know. write_s: seconds that writing the keys took.
    """

    action: bpy.types.Action
    frames: Frames
    write_s: float
    notes: tuple[str, ...]
    facts: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Keys:
    """What is to be written. used (N,): share of what is allowed that keys where they are needed use at each sample.

    kept: bones that keep their pose and their animation. fingers: those that nobody chose. notes: about the rig.
    shoulders: how far they move arms.
    """

    channels: list[Channel]
    frames: Frames
    kept: frozenset[str]
    notes: list[str]
    used: Array | None = None
    fingers: frozenset[str] = frozenset()
    shoulders: Sequence[str] = ()


def frames_of(motion: Motion, scene: bpy.types.Scene, start: int) -> Frames:
    """Return the scene frames (F,), whole numbers, that a motion has from frame ``start``, as close as keys may be."""
    rate = frame_rate(scene)
    count = int(np.floor(motion.duration * rate + 1e-6)) + 1
    return start + np.arange(0, count, spacing(rate))


def bake(
    armature: bpy.types.Object,
    motion: Motion,
    start: int = 1,
    root: Root = "HIPS",
    choices: Choices = _EVERYTHING,
    limbs: Limbs = "FK",
) -> Baked:
    """Give the armature keys for the motion, at once; see ``bake_steps``."""
    return finished(bake_steps(armature, motion, start, root, choices, limbs))


def bake_steps(
    armature: bpy.types.Object,
    motion: Motion,
    start: int = 1,
    root: Root = "HIPS",
    choices: Choices = _EVERYTHING,
    limbs: Limbs = "FK",
    back: WayBack | None = None,
) -> Generator[float, None, Baked]:
    """Give the armature keys for the motion, its first frame at scene frame ``start``, in small portions.

    Yields the share that is done, and returns what it made. Until then nothing uses what it writes. Closed early, or
    with whatever exception it ends, it leaves everything as it was. Between two portions nothing of Blender's data may
    be changed or undone. back: notes how what it did is put back, for who settles that later; None: it is settled.

    The character's bones must be the armature's. limbs: how a known control rig's arms and legs are keyed. ``choices``
    say where the keys go and which there are. Raises RigError: a bone is missing or cannot move, there is no root bone
    to carry the travel, the object cannot carry it, or the action cannot be set; or DataError: the walk is not within
    Blender's frames.
    """
    _check(armature)
    own = back or WayBack()
    keep_pose(armature, own)
    with evaluated(armature), own.taken():
        made = yield from _bake_steps(armature, motion, start, root, choices, limbs, own)
    if back is None:
        own.settle()
    return made


def _bake_steps(
    armature: bpy.types.Object, motion: Motion, start: int, root: Root, choices: Choices, limbs: Limbs, back: WayBack
) -> Generator[float, None, Baked]:
    """Do what ``bake_steps`` does, for an armature that Blender evaluates."""
    facts: list[str] = []
    moves = path_moves(armature, frames_of(motion, bpy.context.scene, start), motion.character.leg_length)
    if moves == "rides":  # it walks on what carries it, as that is now
        choices = replace(choices, in_place=True)
        facts.append("The path moves with what carries the character: it walks on that.")
    last = last_bake(armature) if choices.onto == "REPLACE" else None
    why = why_kept(last, armature, ()) if last else ""
    additive = choices.onto == "ADDITIVE" or bool(
        last and not why and last.strip and last.strip.blend_type in ("COMBINE", "ADD")
    )
    keys = yield from within(_keys(armature, motion, start, root, choices, limbs, additive), 0.0, 0.4)
    if last and not why:
        why = why_kept(last, armature, {channel.data_path for channel in keys.channels})
        if why and additive:  # it would be another action
            new = replace(choices, onto="ACTION")
            keys = yield from within(_keys(armature, motion, start, root, new, limbs, False), 0.0, 0.4)
    if last and why:
        facts.append(f"{last.action.name!r} stays as it is because {why}.")
        last, additive = None, False
    elif last:
        facts.append("It replaces the last walk.")
    began = time.perf_counter()
    draft = _draft(armature, choices, last, keys.kept, facts)
    back.note(draft.drop)
    yield from within(write(draft, keys.channels, choices.cyclic), 0.4, 1.0)
    if last is None and choices.onto not in ("STRIP", "ADDITIVE"):
        take_over(armature, draft.holder, keys.kept)
    facts += fit_range(draft, int(keys.frames[0]), int(keys.frames[-1]))
    facts += (*fingers_text(draft, keys.fingers), *keys.shoulders)
    keep_animation(armature, [curve.data_path for curve in draft.holder.fcurves], back)
    write_s = time.perf_counter() - began
    notes = [_PATH_MOVES] if moves == "moves" else []
    notes += [*keys.notes, *_put_to_use(armature, draft, keys, choices, last, additive, back)]
    scene = bpy.context.scene
    scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)
    keyed = np.unique(np.concatenate([c.at for c in keys.channels if c.at is not None] or [keys.frames[:1]]))
    if not additive and not (choices.in_place and is_carried(armature)):
        checked = judged(motion, keys.kept)
        rig = Rig(armature, motion.character, limbs, choices.sharing)
        if choices.needed and keys.used is not None:
            said, wrong = within_notes(rig, checked, keys.frames, keys.used, choices.needed)
            facts += said
            notes += wrong
        else:
            places = np.searchsorted(keys.frames, keyed)
            notes += off_notes(rig, checked, keyed) or between_notes(rig, checked, keys.frames, places)
    apart = spacing(frame_rate(scene))
    if apart > 1:
        facts.append(f"Keys are at every {apart}th frame at most: {DENSEST:.0f} a second have all that there is of it.")
    if choices.needed:
        facts.append(_saving(keys))
    if stretching(scene) != 1.0:
        begin, end = (round(float(frame) * stretching(scene)) for frame in (keys.frames[0], keys.frames[-1]))
        facts.append(
            f"Time Stretching shows it in frames {begin} to {end} of the scene, at {1.0 / stretching(scene):.3g} "
            "times its speed."
        )
    return Baked(draft.action, keyed, write_s, tuple(notes), tuple(facts))


def _keys(
    armature: bpy.types.Object,
    motion: Motion,
    start: int,
    root: Root,
    choices: Choices,
    limbs: Limbs,
    additive: bool,
) -> Generator[float, None, _Keys]:
    """Return what is to be written; yields the share that is done. See ``bake_steps`` for what it raises."""
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    if additive and root == "OBJECT":
        raise RigError(
            "The object's own travel cannot be added to what it does: choose another Travel On, or NLA Strip."
        )
    stretch = stretch_of(armature)
    frames = frames_of(motion, scene, start)
    check_frames(int(frames[0]), int(frames[-1]))
    rig = Rig(armature, motion.character, limbs, choices.sharing)
    # Keys where they are needed are judged between frames too.
    count = PER_FRAME * (len(frames) - 1) + 1 if choices.needed else len(frames)
    at = np.linspace(float(frames[0]), float(frames[-1]), count)
    if choices.in_place:  # with respect to what carries the character, as that is now
        spaces = np.broadcast_to(parent_space(armature), (count, 4, 4))
    else:
        spaces = yield from within(parent_spaces(armature, scene, at), 0.0, 0.3)
    times = (at - start) / frame_rate(scene)
    desired = desired_of(rig, motion, times, unstretched(stretch) @ spaces, metres(scene))
    _check_scale(armature, desired.standing, root)
    yield 0.3
    influences = Influences(armature)
    made = yield from within(
        _channels(rig, desired, influences, root, at, _way(motion, times), _uneven(stretch)), 0.3, 0.7
    )
    channels, held, bound = made.channels, made.held, made.bound
    kept, own = kept_bones(armature, motion.character, choices.parts), frozenset[str]()
    if not additive:  # switches and turned off constraints would be added to what they are
        channels += held_channels(rig, held)
        channels += rest_channels(rig, channels, layered_paths(armature))
        if choices.relax:
            fingers, own = relaxed(armature, motion.character, influences, kept)
            channels += fingers
            kept |= own
    channels, driven = undriven(channels, influences)
    channels = [channel for channel in channels if channel.group not in kept]
    if choices.cyclic:
        channels = [
            channel if channel.held else replace(channel, values=closed(channel.values)) for channel in channels
        ]
    held, bound, driven = [h for h in held if h.bone not in kept], _without(bound, kept), _without(driven, kept)
    notes = _notes(rig, channels, held, bound, driven, stretch)
    channels = [replace(c, at=frames[:1]) if c.held else c for c in channels]
    if choices.needed:
        timing = BakeTiming(frames, frame_rate(scene) / spacing(frame_rate(scene)), choices.cyclic)
        channels, used = yield from within(
            needed_keys(rig, made.placed, channels, motion, timing, choices.needed, made.leg),
            0.7,
            1.0,
        )
        return _Keys(channels, frames, kept, notes, used, own, made.shoulders)
    keyed = choices.keyed(len(frames))
    chosen = [c if c.held else replace(c, values=c.values[keyed], at=frames[keyed]) for c in channels]
    return _Keys(chosen, frames, kept, notes, None, own, made.shoulders)


def _draft(
    armature: bpy.types.Object, choices: Choices, last: LastBake | None, kept: Collection[str], facts: list[str]
) -> Draft:
    """Return what to write to, and add to ``facts`` why it is not what was chosen."""
    if last:
        return without_last(last, kept)
    present = armature.animation_data.action if armature.animation_data else None
    if choices.onto == "SLOT" and SLOTTED and present:
        if present.is_editable and not present.override_library:
            return new_slot(armature, present)
        facts.append(f"{present.name!r} is linked from another file and gets no slot: this is a new action.")
    return new_action(armature)


def _saving(keys: _Keys) -> str:
    """Return how many keys there are, and how many there would be with one at every frame."""
    moving = [channel for channel in keys.channels if not channel.held]
    count = sum(channel.values.size for channel in moving)
    every = sum(len(keys.frames) * channel.values.shape[1] for channel in moving)
    return f"{count:,} keys in place of {every:,}."


def _without(names: Iterable[str], others: Collection[str]) -> list[str]:
    return [name for name in names if name not in others]


def _way(motion: Motion, times: Array) -> tuple[Array, Array]:
    """Return the smoothed place (F, 2), m, and heading (F,), rad, of the travel at ``times`` (F,), s."""
    place, heading = travel(motion)
    columns = [np.interp(times, motion.times, column) for column in (*place.T, heading)]
    return np.stack(columns[:2], axis=1), columns[2]


def _put_to_use(
    armature: bpy.types.Object,
    draft: Draft,
    keys: _Keys,
    choices: Choices,
    last: LastBake | None,
    additive: bool,
    back: WayBack,
) -> list[str]:
    """Let what was written play. Returns what the user should know."""
    scene = bpy.context.scene
    first, end = int(keys.frames[0]), int(keys.frames[-1])
    notes: list[str] = []
    if last:
        repeat = repeats(last.strip, first, end, choices.cyclic, scene.frame_end) if last.strip else 1.0
        draft.finish(back)
        if last.strip:
            fit_strip(last.strip, first, end, repeat)
    elif choices.onto in ("STRIP", "ADDITIVE"):
        until = scene.frame_end if choices.cyclic else None
        notes = lay_strip(armature, draft.action, first, additive, until)
    else:
        assign(armature, draft)
    if not additive:
        for bone in armature.pose.bones:
            if bone.name not in keys.kept:
                bone.matrix_basis = Matrix.Identity(4)
    return notes


@dataclass(frozen=True)
class _Made:
    """The keys of bones and object at all samples, where these are, and what is held of constraints, see ``_channels``.

    leg: the leg's length in armature units. shoulders: how far they move arms, for the user.
    """

    channels: list[Channel]
    placed: Placed
    leg: float
    held: list[HeldInfluence]
    bound: list[str]
    shoulders: Sequence[str]


def _channels(
    rig: Rig,
    desired: DesiredPoses,
    influences: Influences,
    root: Root,
    frames: Array,
    way: tuple[Array, Array],
    stretched: bool,
) -> Generator[float, None, _Made]:
    """Return the keys of bones and object, what is held of constraints, and bones that cannot be freed of theirs.

    way: the smoothed place and heading of the travel. Yields the share that is done. Raises RigError when ``root``
    cannot carry it.
    """
    worlds, channels = desired.standing, []
    carrier: Node | None = None
    matrices: Array | None = None
    if root == "OBJECT":
        worlds = desired.travelling(*way)
        channels = object_channels(rig.armature, np.linalg.inv(desired.spaces) @ worlds)
    elif root == "ROOT_BONE":
        carrier = rig.carry_by(rig.root_bone())
        rest = np.eye(4)
        rest[:3, :3], rest[:3, 3] = carrier.rest, carrier.head
        matrices = np.linalg.inv(worlds) @ desired.travelling(*way) @ rest
    elif rig.hips.connected and not rig.hips.control:
        carrier = rig.carry_by(rig.movable())
        matrices = np.tile(np.eye(4), (len(worlds), 1, 1))
        matrices[:, :3, :3] = carrier.rest
        hips = desired.placed(worlds).point(0, rig.hips.head)
        matrices[:, :3, 3] = hips - rig.hips.head + carrier.head
    yield 0.1
    placed = desired.placed(worlds, carrier, matrices)
    yield 0.2
    leg = rig.character.leg_length / (desired.unit * float(np.cbrt(np.linalg.det(worlds[0, :3, :3]))))
    held, bound = influences.held(rig, stretched)
    places = carried(rig, influences)
    moved: Carried = {}
    if places:
        trial = trials(rig, TRIALS, desired.spaces[0], desired.unit)
        bases = np.linalg.inv(desired.spaces) @ worlds
        work = carriers(rig, places, trial.tried(carrier), placed, held, frames.tolist(), bases, leg)
        moved = yield from within(work, 0.2, 0.6)
    channels += yield from within(bone_channels(rig, placed, moved, leg), 0.6, 1.0)
    said = shoulders_text(rig, placed, desired.simulated(worlds), rig.character.leg_length / leg)
    return _Made(channels, placed, leg, held, bound, said)


def _check(armature: bpy.types.Object) -> None:
    """Raise RigError when the armature cannot take an action."""
    name = repr(armature.name)
    if armature.library:
        raise RigError(f"Armature {name} is linked from another file: make a library override of it first.")
    if armature.animation_data and armature.animation_data.use_tweak_mode:
        raise RigError(f"Armature {name} is being tweaked in the NLA editor: leave tweak mode (Tab) first.")


def _check_scale(armature: bpy.types.Object, standing: Array, root: Root) -> None:
    """Raise RigError when the object does not keep its stretch and its size in the walk.

    standing (F, 4, 4): without its stretch.
    """
    own = np.abs(np.array(armature.scale) * np.array(armature.delta_scale))
    if root == "OBJECT" and own.max() > own.min() * (1.0 + EVEN_SCALE):
        raise RigError(
            f"Armature {armature.name!r} is scaled unevenly, and its stretch would turn with it: choose Hips or "
            "Root Bone to travel on, or apply its scale in Object mode (Ctrl A, Scale)."
        )
    sizes = np.linalg.svd(standing[:, :3, :3], compute_uv=False)
    if (sizes[:, 0] > sizes[:, 2] * (1.0 + 2.0 * EVEN_SCALE)).any() or (np.linalg.det(standing[:, :3, :3]) < 0.0).any():
        raise RigError(
            f"Armature {armature.name!r} is stretched differently in the course of the walk: apply the scale of the "
            "object that carries it, or keep that one from turning."
        )
    present = np.linalg.det(np.array(armature.matrix_world.to_3x3(), dtype=float))  # at which it was read
    grown = np.cbrt(np.abs(np.linalg.det(standing[:, :3, :3]) / present))
    if grown.max() > 1.0 + 2.0 * EVEN_SCALE or grown.min() < 1.0 - 2.0 * EVEN_SCALE:
        raise RigError(
            f"Armature {armature.name!r} changes its size during the walk ({grown.min():.2f} to "
            f"{grown.max():.2f} times), and a walk has one size: delete the scale keys of what carries it, or "
            "bake at another frame."
        )


def _notes(
    rig: Rig,
    channels: Iterable[Channel],
    held: Sequence[HeldInfluence],
    bound: Sequence[str],
    driven: Sequence[str],
    stretch: Array,
) -> list[str]:
    """Return what the user should know about what is keyed."""
    notes = []
    if not np.array_equal(stretch, np.eye(3)):
        how = "unevenly" if _uneven(stretch) else "by a mirror"
        notes.append(f"The object is scaled {how}: the walk is simulated without that and shown with it.")
    if held:
        labels = [each.label for each in held]
        notes.append(f"The action turns off what would move bones away from their keys: {listed(labels)}.")
    if bound:
        notes.append(f"Drivers hold constraints on keyed bones on: {listed(bound)}.")
    if driven:
        notes.append(f"Channels with drivers got no keys: {listed(driven)}.")
    locked = locked_bones(rig, channels)
    if locked:
        notes.append(f"Channels that are locked against editing got keys too: {listed(locked)}.")
    return notes


def _uneven(stretch: Array) -> bool:
    sizes = np.linalg.svd(stretch, compute_uv=False)
    return bool(sizes[0] > sizes[2] * (1.0 + EVEN_SCALE))

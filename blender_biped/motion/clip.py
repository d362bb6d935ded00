"""Recorded clips as motions: BVH files in, bones mapped as those of a rig, foot strikes found from the feet's paths."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FilePath

import numpy as np

from ..base.errors import DataError
from ..base.files import read_whole
from ..base.limits import MAX_CLIP_BYTES
from ..base.spatial import Array, axis_angle_quaternion, continuous, matrix_quaternion, quaternion_matrix, shortest_arc
from ..character.armature import Armature, Bone
from ..character.body import build_character
from ..character.mapping import RigMap
from ..character.reference import GRAVITY
from ..character.roles import map_bones
from ..job import Job
from ..preset.preset import Preset
from ..world.path import Path
from .gait_events import SIDES, ball_track, moving_mean
from .motion import RATE, Motion

_SLOWEST = 0.2  # m/s; who goes slower does not walk
_FLAT = np.sin(np.radians(5.0))  # a sole tilted less than this is flat
_STILL = 0.1  # share of the frames in which a foot stands stillest
_UPRIGHT = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # a BVH's Y up to the world's z up
_AXES = {"X": 0, "Y": 1, "Z": 2}


@dataclass(frozen=True)
class Clip:
    """What a BVH file holds: a skeleton in its rest pose and how it moves. In the file's units and axes (Y up).

    names, parents (J,): joints, parents first. offsets (J, 3): from the parent. ends (J, 3): of the End Site, NaN
    where there is none. rate: frames a second. root (T, 3): of the first joint. rotations (T, J, 3, 3): of each joint
    in its parent's frame; the identity is the rest pose.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: Array
    ends: Array
    rate: float
    root: Array
    rotations: Array


def read_bvh(path: FilePath) -> Clip:
    """Return the clip in a BVH file. Raises DataError that says what is wrong in it."""
    try:
        text = read_whole(path, MAX_CLIP_BYTES).decode("utf-8", errors="replace")
    except OSError as error:
        raise DataError(f"Cannot read {path.name}: {error.strerror or error}.") from error
    hierarchy, found, motion = text.partition("MOTION")
    if not found:
        raise DataError(f"{path.name} is not a BVH file: it has no MOTION part.")
    header = re.match(r"\s*Frames:\s*(\d+)\s+Frame Time:\s*([0-9.eE+-]+)", motion)
    if header is None or float(header[2]) <= 0.0:
        raise DataError(f"{path.name}: MOTION does not begin with Frames and Frame Time.")
    skeleton = _Hierarchy(hierarchy, path.name)
    channels = skeleton.channels
    try:
        numbers = np.array(motion[header.end() :].split(), dtype=float)
        table = numbers.reshape(int(header[1]), len(channels))
    except ValueError as error:
        raise DataError(f"{path.name}: its frames are not {header[1]} rows of {len(channels)} numbers.") from error
    if not len(table) or not np.isfinite(table).all():
        raise DataError(f"{path.name}: it has no frames, or one that is not a finite number.")
    rotations = np.tile(np.eye(3), (len(table), len(skeleton.names), 1, 1))
    places = np.tile(np.array(skeleton.offsets), (len(table), 1, 1))
    for (joint, channel), column in zip(channels, table.T, strict=True):
        axis = _AXES[channel[0].upper()]
        if channel.lower().endswith("rotation"):
            turn = quaternion_matrix(axis_angle_quaternion(np.eye(3)[axis], np.radians(column)))
            rotations[:, joint] = rotations[:, joint] @ turn
        else:
            places[:, joint, axis] = column
    clip = Clip(
        tuple(skeleton.names), tuple(skeleton.parents), np.array(skeleton.offsets), np.array(skeleton.ends),
        1.0 / float(header[2]), places[:, 0], rotations,
    )  # fmt: skip
    moves = any(joint == 1 and not channel.lower().endswith("rotation") for joint, channel in channels)
    return _without_carrier(clip, places[:, 1]) if moves and clip.parents.count(0) == 1 else clip


def _without_carrier(clip: Clip, places: Array) -> Clip:
    """Return a clip without its first joint, which only carries the second one about. places (T, 3): of that in it."""
    rotations = clip.rotations[:, 1:].copy()
    rotations[:, 0] = clip.rotations[:, 0] @ rotations[:, 0]
    root = clip.root + (clip.rotations[:, 0] @ places[:, :, None])[:, :, 0]
    parents = tuple(parent - 1 for parent in clip.parents[1:])
    return Clip(clip.names[1:], parents, clip.offsets[1:], clip.ends[1:], clip.rate, root, rotations)


class _Hierarchy:
    """The HIERARCHY of a BVH file: channels are (joint, channel name) in the order of a frame's numbers."""

    def __init__(self, text: str, name: str) -> None:
        self.names: list[str] = []
        self.parents: list[int] = []
        self.offsets: list[Array] = []
        self.ends: list[Array] = []
        self.channels: list[tuple[int, str]] = []
        open_joints: list[int] = []  # -1 for an End Site
        following = -2  # what the next brace opens
        for line in text.splitlines():
            words = line.split()
            if not words or words[0] == "HIERARCHY":
                continue
            try:
                if words[0] in ("ROOT", "JOINT"):
                    following = len(self.names)
                    self.names.append(" ".join(words[1:]))
                    self.parents.append(open_joints[-1] if open_joints else -1)
                    self.offsets.append(np.zeros(3))
                    self.ends.append(np.full(3, np.nan))
                elif words[0] == "End":
                    following = -1
                elif words[0] == "{":
                    open_joints.append(following)
                elif words[0] == "}":
                    open_joints.pop()
                elif words[0] == "OFFSET":
                    place = np.array(words[1:4], dtype=float).reshape(3)
                    if open_joints[-1] < 0:
                        self.ends[open_joints[-2]] = place
                    else:
                        self.offsets[open_joints[-1]] = place
                elif words[0] == "CHANNELS":
                    self.channels += [(open_joints[-1], _channel(word)) for word in words[2 : 2 + int(words[1])]]
                else:
                    raise ValueError
            except (IndexError, ValueError) as error:
                raise DataError(f"{name}: the line {line.strip()!r} of its HIERARCHY cannot be understood.") from error
        if not self.names or open_joints:
            raise DataError(f"{name}: its HIERARCHY is not complete.")


def _channel(word: str) -> str:
    if re.fullmatch(r"[XYZ](rotation|position)", word, re.IGNORECASE) is None:
        raise ValueError
    return word


def clip_armature(clip: Clip, name: str, scale: float) -> Armature:
    """Return the rest pose of a clip as an armature. scale: metres of one of the file's units."""
    heads, bones = _rest_heads(clip), []
    for i, parent in enumerate(clip.parents):
        children = [k for k, p in enumerate(clip.parents) if p == i]
        end = clip.ends[i] if np.isfinite(clip.ends[i]).all() else np.zeros(3)
        tail = np.mean(heads[children], axis=0) if children else heads[i] + end
        bones.append(Bone(clip.names[i], parent, heads[i], tail, np.eye(3)))
    world = np.eye(4)
    world[:3, :3] = scale * _UPRIGHT
    return Armature(name, tuple(bones), world)


def with_hanging_legs(clip: Clip, thighs: Sequence[str], feet: Sequence[str]) -> Clip:
    """Return the same clip with a rest pose whose legs, from ``thighs`` to ``feet``, hang down, feet turned along.

    Skeletons fitted to recorded markers rest with their legs apart and their feet tilted with them, so that feet
    would stand on their edges where the rest pose is taken for one with flat feet.
    """
    heads = _rest_heads(clip)
    offsets, ends, rotations = clip.offsets.copy(), clip.ends.copy(), clip.rotations.copy()
    for thigh, foot in zip(thighs, feet, strict=True):
        start = clip.names.index(thigh)
        along = heads[clip.names.index(foot)] - heads[start]
        turn = quaternion_matrix(shortest_arc(along, np.array([0.0, -1.0, 0.0])))
        moved = {start}
        for i in range(start, len(clip.names)):
            if i != start and clip.parents[i] not in moved:
                continue
            if i != start:
                moved.add(i)
                offsets[i] = turn @ offsets[i]
                rotations[:, i] = turn @ rotations[:, i]
            rotations[:, i] = rotations[:, i] @ turn.T
            ends[i] = turn @ ends[i]
    return replace(clip, offsets=offsets, ends=ends, rotations=rotations)


def resting_as_it_stands(clip: Clip, feet: Sequence[str]) -> Clip:
    """Return the same clip with a rest pose taken from its own frames, where that of the file is no pose of a body.

    Some programs write bones along their axes, and leave the pose to the rotations. feet: the joints of both feet, each
    with the toes below it. The leg above a foot is taken from a frame in which that foot stands still, all else from
    the first one's.
    """
    turns, places = _placed(clip)
    frames = np.zeros(len(clip.names), dtype=int)
    for name in reversed(feet):
        joint = clip.names.index(name)
        tips = [k for k, parent in enumerate(clip.parents) if parent == joint] or [joint]
        moved = sum(np.linalg.norm(np.gradient(places[:, k], axis=0), axis=1) for k in (joint, tips[0]))
        slow = np.convolve(np.pad(moved, 2, mode="edge"), np.full(5, 0.2), "valid")
        still = np.argsort(slow)[: max(round(_STILL * len(slow)), 1)]
        tilts = places[still, joint, 1] - places[still, tips[0], 1]
        frame = int(still[np.argmin(np.abs(tilts - np.median(tilts)))])
        leg = {joint}
        up = joint
        while clip.parents.count(clip.parents[up]) == 1:
            up = clip.parents[up]
            leg.add(up)
        leg |= {k for k in range(joint, len(clip.names)) if _below(clip, k, joint)}
        if name == feet[0]:
            frames[:] = np.where(frames == 0, frame, frames)
        frames[list(leg)] = frame
    rest = turns[frames, np.arange(len(frames))]
    own = turns @ np.swapaxes(rest, -1, -2)
    rotations, offsets, ends = own.copy(), clip.offsets.copy(), (rest @ clip.ends[:, :, None])[:, :, 0]
    for i, parent in enumerate(clip.parents):
        if parent >= 0:
            rotations[:, i] = np.swapaxes(own[:, parent], -1, -2) @ own[:, i]
            offsets[i] = rest[parent] @ offsets[i]
    return replace(clip, offsets=offsets, ends=ends, rotations=rotations)


def _below(clip: Clip, joint: int, above: int) -> bool:
    """Return whether a joint hangs on another one, or is it."""
    while joint > above:
        joint = clip.parents[joint]
    return joint == above


def _placed(clip: Clip) -> tuple[Array, Array]:
    """Return all joints' rotations (T, J, 3, 3) and places (T, J, 3) in the file's frame."""
    turns = clip.rotations.copy()
    places = np.empty((*turns.shape[:2], 3))
    for i, parent in enumerate(clip.parents):
        if parent < 0:
            places[:, i] = clip.root
        else:
            turns[:, i] = turns[:, parent] @ turns[:, i]
            places[:, i] = places[:, parent] + turns[:, parent] @ clip.offsets[i]
    return turns, places


def _rest_heads(clip: Clip) -> Array:
    """Return where each joint (J, 3) is in the rest pose, the first one at the origin."""
    heads = np.zeros_like(clip.offsets)
    for i, parent in enumerate(clip.parents):
        if parent >= 0:
            heads[i] = heads[parent] + clip.offsets[i]
    return heads


def clip_motion(
    clip: Clip, name: str, scale: float = 1.0, rig_map: RigMap | None = None, mass: float | None = None
) -> tuple[Motion, Job]:
    """Return a clip of someone who walks as a motion at RATE, and the job it would be the answer to.

    scale: metres of one of the file's units. rig_map: which joints are which parts, None to tell by their names.
    The job is the straight way from the first to the last place at the mean speed; its ground is where the soles are
    when they are down, and a floor that rises in the recording is levelled. Foot strikes and toe-offs are found from
    the feet's paths (``contacts``); the weight is shared evenly by the feet that are down.
    Raises RigError when the joints cannot be mapped.
    """
    armature = clip_armature(clip, name, scale)
    mapped = rig_map if rig_map is not None else map_bones(armature)
    body = build_character(armature, mapped, mass)
    turns, places = _placed(clip)
    first = [armature.index[name] for name in body.first_bones]
    rests = np.array([quaternion_matrix(link.rest) for link in body.links])
    matrices = _UPRIGHT @ turns[:, first] @ rests
    root = scale * places[:, first[0]] @ _UPRIGHT.T - matrices[:, 0] @ np.array(body.hip_bone_offset)
    count = len(root)
    recorded = Motion(
        character=body, times=np.arange(count) / clip.rate, root=root,
        rotations=continuous(matrix_quaternion(matrices)), loads=np.zeros((count, 2)),
        torques=np.zeros((count, len(body.links), 3)), strikes=np.empty((0, 2)), lifts=np.empty((0, 2)),
        command=np.zeros((count, 3)), cpu=0.0, outcome="time",
    )  # fmt: skip
    motion = recorded.sampled(np.arange(int(recorded.duration * RATE + 1e-2) + 1) / RATE)
    return _as_walk(motion, name)


def contacts(motion: Motion) -> tuple[Array, Array]:
    """Return foot strikes and toe-offs (K, 2) of a walk, found from the feet's paths alone.

    A foot is about to strike when its ankle is farthest ahead of the pelvis and to lift when its ball is farthest
    behind (Zeni, Richards, Higginson 2008), along the way the pelvis goes. Near those times it strikes when it goes
    down fastest and lifts when it goes up fastest (O'Connor, Thorpe, O'Malley, Vaughan 2007).
    """
    body, times = motion.character, motion.times
    middle = moving_mean(motion.root[:, :2], times, 1.0)
    way = np.gradient(middle, times, axis=0)
    speed = np.linalg.norm(way, axis=1)
    walking = speed > _SLOWEST
    way /= np.maximum(speed[:, None], 1e-9)
    strikes: list[tuple[float, int]] = []
    lifts: list[tuple[float, int]] = []
    for side, name in enumerate(SIDES):
        ankle, front = motion.origins[:, body.index(f"foot.{name}")], ball_track(motion, side)
        rising = np.gradient(moving_mean(0.5 * (ankle + front)[:, 2], times, 0.04), times)
        for point, sign, found in ((ankle, 1.0, strikes), (front, -1.0, lifts)):
            along = sign * moving_mean(((point - motion.root)[:, :2] * way).sum(axis=1), times, 0.08)
            for i in _peaks(np.where(walking, along, -np.inf), round(0.4 * RATE)):
                first = max(0, i - round(0.02 * RATE))
                near = -sign * rising[first : i + round(0.12 * RATE)]
                found.append((float(times[first + int(near.argmax())]), side))
    return np.array(sorted(strikes)).reshape(-1, 2), np.array(sorted(lifts)).reshape(-1, 2)


def _peaks(values: Array, apart: int) -> list[int]:
    """Return where values (T,) are greatest among ``apart`` samples on both sides, and rise before and fall after."""
    return [
        i for i in range(1, len(values) - 1)
        if values[i - 1] < values[i] >= values[i + 1] and values[i] == values[max(0, i - apart) : i + apart + 1].max()
    ]  # fmt: skip


def _as_walk(motion: Motion, name: str) -> tuple[Motion, Job]:
    body = motion.character
    strikes, lifts = contacts(motion)
    down = np.stack([_down(motion.times, strikes, lifts, side) for side in (0, 1)], axis=1)
    path = Path(motion.root[[0, -1], :2])
    speed = path.length / motion.duration
    along = (motion.root[:, :2] - motion.root[0, :2]) @ (path.points[-1] - path.points[0]) / path.length
    slope, ground = _floor(motion, down, along)
    root = motion.root - np.outer(slope * along, [0.0, 0.0, 1.0])
    heading = np.full(len(along), float(path.heading(0.0)))
    shared = down / np.maximum(down.sum(axis=1, keepdims=True), 1)
    walk = Motion(
        character=body, times=motion.times, root=root, rotations=motion.rotations,
        loads=body.mass * GRAVITY * shared, torques=motion.torques, strikes=strikes, lifts=lifts,
        command=np.stack((np.full(len(along), speed), heading, along), axis=1), cpu=0.0, outcome="time",
    )  # fmt: skip
    return walk, Job(body, path, Preset(name, "recorded", name, "", {}), speed=speed, stop=False, ground=ground)


def _down(times: Array, strikes: Array, lifts: Array, side: int) -> Array:
    """Return whether a foot is on the ground (T,): after a strike until the next toe-off."""
    events = sorted([(t, True) for t, s in strikes if s == side] + [(t, False) for t, s in lifts if s == side])
    if not events:
        return np.zeros(len(times), dtype=bool)
    state = np.array([not events[0][1]] + [strike for _, strike in events])
    return np.asarray(state[np.searchsorted([t for t, _ in events], times, side="right")])


def _floor(motion: Motion, down: Array, along: Array) -> tuple[float, float]:
    """Return how much the floor rises for each metre ``along`` (T,), and its height at the start, m.

    A line through the heights of the soles below the balls of the feet that are ``down`` (T, 2) and flat.
    """
    distances, heights = [], []
    for side, name in enumerate(SIDES):
        ahead = quaternion_matrix(motion.rotations[:, motion.character.index(f"foot.{name}")])[:, 2, 0]
        flat = down[:, side] & (np.abs(ahead) < _FLAT)
        distances.append(along[flat])
        heights.append(ball_track(motion, side)[flat, 2])
    at, height = np.concatenate(distances), np.concatenate(heights)
    if len(at) == 0 or np.ptp(at) < 0.5 * motion.character.leg_length:
        return 0.0, float(np.median(height)) if len(height) else 0.0
    slope, start = np.polyfit(at, height, 1)
    return float(slope), float(start)

"""Keys where the motion needs them: as few as keep feet and joints within stated errors of it.

Every bone begins with keys at both ends of the motion and, where it carries a foot, at that foot's strikes and
lift-offs. The curves between are cubics fitted to all samples (see ``fitting.fitted``). How far they put each foot and
turn each link is added up from what every bone that carries it is off, to first order; wherever that is too much, the
bone with the largest part in it gets a further key, until nothing is. Samples are at frames and halfway between them.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...base.fitting import fitted
from ...base.spatial import (
    Array,
    axis_angle_quaternion,
    normalized,
    quaternion_conjugate,
    quaternion_matrix,
    quaternion_product,
    rotation_vector,
)
from ...character.model import Link
from ...motion import gait_events
from ...motion.motion import Motion
from .channels import Channel
from .choices import Tolerance, closes
from .desired import Placed
from .rig import Node, Rig

PER_FRAME = 2
"""Samples for each frame."""

_ROUNDS = 60
_SLACK = 1.25  # what may be off between frames, of what it is off there with keys at every frame, where that is more
_SIDE = 0.25  # of the stretch between two keys: a further one keeps this far from both

Frames = NDArray[np.int_]


@dataclass
class _Bone:
    """What is keyed together: channels of one group. carries (L,): which links it moves.

    head (N, 3): what it turns about. axes (N, 3, 3): of its turns. Both in armature space, as spin and shift (N, 3):
    what its curves are off. knots: the samples with keys.
    """

    channels: list[Channel]
    mode: str
    carries: NDArray[np.bool_]
    head: Array
    axes: Array
    knots: Frames
    spin: Array = field(default_factory=lambda: np.zeros(0))
    shift: Array = field(default_factory=lambda: np.zeros(0))
    slopes: list[Array] = field(default_factory=list)

    def fit(self, cyclic: bool) -> None:
        """Fit the curves to all samples, with keys at the knots."""
        self.slopes, self.spin, self.shift = [], np.zeros_like(self.head), np.zeros_like(self.head)
        for channel in self.channels:
            ends = _seam(channel.values) if cyclic else None
            slopes, curve = fitted(channel.values, self.knots, ends)
            self.slopes.append(slopes)
            if channel.data_path.endswith("location"):
                off = np.zeros_like(self.head)
                off[:, list(channel.indices)] = curve - channel.values
                self.shift += (channel.axes @ off[..., None])[..., 0] if channel.axes is not None else off
            else:
                own, new = (_turns(replace(channel, values=v), self.mode) for v in (channel.values, curve))
                off = rotation_vector(quaternion_product(quaternion_conjugate(own), new))
                self.spin += (self.axes @ off[..., None])[..., 0]


@dataclass(frozen=True, eq=False)
class BakeTiming:
    """The frames (F,) of a bake. rate: of these, a second. cyclic: whether the end is the begin."""

    frames: Frames
    rate: float
    cyclic: bool


def needed_keys(
    rig: Rig,
    placed: Placed,
    channels: Sequence[Channel],
    motion: Motion,
    timing: BakeTiming,
    tolerance: Tolerance,
    leg: float,
) -> Generator[float, None, tuple[list[Channel], Array]]:
    """Return the channels with keys where they are needed, and how much of what is allowed is used at each sample (N,).

    Channels that are held stay. Yields the share that is done.

    channels, placed: at PER_FRAME samples for each frame, from the first to the last. leg: the leg's length in armature
    units.
    """
    frames, cyclic = timing.frames, timing.cyclic
    unit = leg / motion.character.leg_length  # armature units of a metre
    bones = _bones(rig, placed, channels, _contacts(motion, len(frames), timing.rate))
    if not bones:
        return list(channels), np.zeros(len(placed.turns))
    effects = _Effects(list(bones.values()), _soles(rig, placed, unit))
    first = [bone.knots for bone in bones.values()]
    every = np.arange(0, len(placed.turns), PER_FRAME)
    for done, bone in enumerate(bones.values()):
        bone.knots = every
        bone.fit(cyclic)
        yield 0.2 * done / len(bones)
    limits = effects.limits(tolerance.length * unit, tolerance.turn)
    for done, (bone, knots) in enumerate(zip(bones.values(), first, strict=True)):
        bone.knots = knots
        bone.fit(cyclic)
        yield 0.2 + 0.1 * done / len(bones)
    for done in range(_ROUNDS):
        changed = effects.with_further_keys(limits)
        if not changed:
            break
        for bone in changed:
            bone.fit(cyclic)
            yield 1.0 - 0.7 * 0.8**done
    return [_sparse(channel, bones, frames) for channel in channels], effects.used(limits)


def _sparse(channel: Channel, bones: Mapping[str, _Bone], frames: Frames) -> Channel:
    """Return a channel with the keys of its bone."""
    if channel.held:
        return channel
    bone = bones[channel.group]
    slopes = bone.slopes[next(i for i, own in enumerate(bone.channels) if own is channel)]
    at = frames[bone.knots // PER_FRAME]
    return replace(channel, values=channel.values[bone.knots], at=at, slopes=slopes * PER_FRAME / _apart(frames))


def _apart(frames: Frames) -> int:
    return int(frames[1] - frames[0]) if len(frames) > 1 else 1


def _contacts(motion: Motion, count: int, rate: float) -> Mapping[int, set[int]]:
    """Return for each foot (0 left, 1 right) the first and the last whole frame of each stance, of ``count``."""
    found: dict[int, set[int]] = {}
    for side in (0, 1):
        stances = gait_events.stances(motion, side)
        at = [int(np.ceil(s.start * rate)) for s in stances] + [int(np.floor(s.end * rate)) for s in stances]
        found[side] = {frame for frame in at if 0 < frame < count - 1}
    return found


def _soles(rig: Rig, placed: Placed, unit: float) -> dict[int, Array]:
    """Return the tracks (N, P, 3), armature space, of points of feet and toes, by link: see ``sole_points``."""
    found = {}
    for k in rig.character.soles:
        points = (
            rig.firsts[k]
            + sole_points(rig.character.links[k]) @ quaternion_matrix(rig.character.links[k].rest).T * unit
        )
        found[k] = np.stack([placed.point(k, point) for point in points], axis=1)
    return found


def sole_points(link: Link) -> Array:
    """Return points (3, 3) of a foot or of toes, in the link's frame, m: its origin, and both ends of its sole."""
    shape = link.shape
    center, half = np.array(shape.center), np.array(shape.half)
    low = center[2] - (half[2] if shape.kind == "box" else abs(half[2]) + shape.radius)
    ends = [(center[0] - abs(half[0]), center[1], low), (center[0] + abs(half[0]), center[1], low)]
    return np.array([(0.0, 0.0, 0.0), *ends])


def _bones(rig: Rig, placed: Placed, channels: Sequence[Channel], contacts: Mapping[int, set[int]]) -> dict[str, _Bone]:
    """Return what is keyed together, by its group, with its first keys."""
    last = len(placed.turns) - 1
    groups: dict[str, list[Channel]] = {}
    for channel in channels:
        if not channel.held:
            groups.setdefault(channel.group, []).append(channel)
    feet = [{rig.character.index(f"foot.{name}")} for name in gait_events.SIDES]
    found = {}
    for name, own in groups.items():
        carries = _carried_links(rig, name)
        at = {0, last}
        for side, links in enumerate(feet):
            if any(carries[k] for k in links):
                at |= {PER_FRAME * frame for frame in contacts[side]}
        place = rig.place.get(name, -1)
        if place >= 0:
            node = rig.nodes[place]
            if _reached_for(rig, node, own):
                at = set(range(0, last + 1, PER_FRAME))
            mode = rig.armature.pose.bones[name].rotation_mode
            head, axes = placed.head(node), placed.turn(node.column, node.rest)
        else:  # the object itself
            mode = rig.armature.rotation_mode
            head, axes = np.zeros((last + 1, 3)), np.broadcast_to(np.eye(3), (last + 1, 3, 3))
        found[name] = _Bone(own, mode, carries, head, axes, np.array(sorted(at)))
    return found


def _reached_for(rig: Rig, node: Node, channels: Sequence[Channel]) -> bool:
    """Return whether bones above a control may turn towards where it is: it moves what it does not carry."""
    solved = rig.known.ik if rig.by_ik and rig.known else {}
    own = 0 < node.column < len(rig.character.links) and rig.character.links[node.column].role not in solved
    return node.control and node.pole is None and own and any(c.data_path.endswith("location") for c in channels)


def _carried_links(rig: Rig, name: str) -> NDArray[np.bool_]:
    """Return which links (L,) a keyed bone moves, or with the name of none, the object: all of them."""
    links = rig.character.links
    if name not in rig.place:
        return np.ones(len(links), dtype=bool)
    node = rig.nodes[rig.place[name]]
    own, supple = node.column, rig.supple.carries
    if 0 <= own - len(links) - 1 < len(supple):
        own = supple[own - len(links) - 1]
    if own >= len(links):
        return np.ones(len(links), dtype=bool)
    solved = rig.known.ik if rig.by_ik and rig.known else {}  # where they are does not depend on their parents
    found = np.zeros(len(links), dtype=bool)
    for k, link in enumerate(links):
        hangs = link.parent >= 0 and bool(found[link.parent]) and link.role not in solved
        found[k] = k == own or hangs
    return found


class _Effects:
    """What the errors of bones add up to at feet and joints."""

    def __init__(self, bones: list[_Bone], soles: Mapping[int, Array]) -> None:
        self._bones = bones
        points: list[tuple[int, Array | None]] = [(k, None) for k in range(len(bones[0].carries))] if bones else []
        points += [(k, track) for k, tracks in soles.items() for track in np.moveaxis(tracks, 1, 0)]
        carriers = [(np.flatnonzero([bone.carries[k] for bone in bones]), track) for k, track in points]
        self._targets = [(mine, track) for mine, track in carriers if len(mine)]

    def limits(self, length: float, turn: float) -> list[Array]:
        """Return what each target may be off at each sample (N,): what is allowed, and what it is off now if more."""
        return [
            np.maximum(_SLACK * np.linalg.norm(parts.sum(axis=0), axis=1), turn if track is None else length)
            for (_, track), parts in zip(self._targets, self._parts(), strict=True)
        ]

    def used(self, limits: Sequence[Array]) -> Array:
        """Return the largest share (N,) that targets are off of their limits."""
        shares = [
            np.linalg.norm(parts.sum(axis=0), axis=1) / limit
            for parts, limit in zip(self._parts(), limits, strict=True)
        ]
        return np.asarray(np.max(shares, axis=0))

    def _parts(self) -> Iterator[Array]:
        """Yield for each target what each bone that carries it puts it off (B, N, 3)."""
        spins = np.stack([bone.spin for bone in self._bones])
        heads = np.stack([bone.head for bone in self._bones])
        still = np.stack([bone.shift for bone in self._bones]) - np.cross(spins, heads)  # of a point at the origin
        for mine, track in self._targets:
            yield spins[mine] if track is None else still[mine] + np.cross(spins[mine], track)

    def with_further_keys(self, limits: Sequence[Array]) -> list[_Bone]:
        """Give bones further keys where a target is off by more than its limit; return those that got some."""
        free = np.stack([_free(bone.knots) for bone in self._bones])
        blame = np.zeros(free.shape)
        for (mine, _), parts, limit in zip(self._targets, self._parts(), limits, strict=True):
            _add_blame(blame, mine, free, parts, limit)
        changed = []
        for bone, wrong in zip(self._bones, blame, strict=True):
            worst = np.maximum.reduceat(wrong, bone.knots[:-1])
            new = []
            for i in np.flatnonzero(worst > 1.0).tolist():
                begin, end = bone.knots[i] // PER_FRAME, bone.knots[i + 1] // PER_FRAME
                at = begin + np.argmax(wrong[bone.knots[i] : bone.knots[i + 1]]) / PER_FRAME
                room = _SIDE * (end - begin)
                frame = np.clip(np.rint(np.clip(at, begin + room, end - room)), begin + 1, end - 1)
                new.append(PER_FRAME * int(frame))
            if new:
                bone.knots = np.union1d(bone.knots, new)
                changed.append(bone)
        return changed


def _add_blame(blame: Array, mine: Frames, free: NDArray[np.bool_], parts: Array, limit: Array) -> None:
    """Note at each sample where a sum of parts (B, N, 3) is beyond its limit (N,), for the bone with most part in it.

    That is among those that have a frame without key there.
    """
    whole = parts.sum(axis=0)
    size = np.linalg.norm(whole, axis=1)
    bad = np.flatnonzero(size > limit)
    if not len(bad):
        return
    along = np.einsum("bnk,nk->bn", parts[:, bad], whole[bad] / size[bad, None])
    along[~free[mine][:, bad]] = -np.inf
    chosen = along.argmax(axis=0)
    some = np.isfinite(along[chosen, np.arange(len(bad))])
    rows, columns = mine[chosen[some]], bad[some]
    blame[rows, columns] = np.maximum(blame[rows, columns], (size / limit)[columns])


def _free(knots: Frames) -> NDArray[np.bool_]:
    """Return for each sample (N,) whether there is a frame without key between its keys."""
    widths = np.diff(knots)
    return np.append(np.repeat(widths > PER_FRAME, widths), False)


def _seam(values: Array) -> tuple[Array, Array] | None:
    """Return the slopes at both ends of values that repeat, None where the end is not the begin."""
    if not closes(values):
        return None
    slope = 0.5 * (values[1] - values[-2])
    return slope, slope


def _turns(channel: Channel, mode: str) -> Array:
    """Return the rotations (N, 4) that a channel's values make."""
    if channel.data_path.endswith("rotation_quaternion"):
        whole = np.zeros((len(channel.values), 4))
        whole[:, list(channel.indices)] = channel.values
        return normalized(whole)
    if channel.data_path.endswith("rotation_axis_angle"):
        whole = np.zeros((len(channel.values), 4))
        whole[:, list(channel.indices)] = channel.values
        return axis_angle_quaternion(normalized(whole[:, 1:]), whole[:, 0])
    turn = np.tile((1.0, 0.0, 0.0, 0.0), (len(channel.values), 1))
    for letter in mode:
        index = "XYZ".index(letter)
        if index in channel.indices:
            angle = channel.values[:, channel.indices.index(index)]
            turn = quaternion_product(axis_angle_quaternion(np.eye(3)[index], angle), turn)
    return turn

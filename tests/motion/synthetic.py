"""Motions whose measures are known by construction: a kinematic walker with feet that stay where they are put."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from blender_biped.base.spatial import (
    Array,
    axis_angle_quaternion,
    continuous,
    matrix_quaternion,
    quaternion_product,
    yaw_quaternion,
)
from blender_biped.character.model import Character
from blender_biped.character.reference import GRAVITY
from blender_biped.character.standard import standard_character
from blender_biped.job import Job
from blender_biped.motion.motion import RATE, Motion
from blender_biped.preset.preset import Preset
from blender_biped.world.path import Path

_Y = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True)
class Walk:
    """How the walker walks: speed m/s (for whole steps), step_time and double_support s, width between the feet m.

    pause: s of standing before the first step and after the last one. bob: range of the hip's height, m.
    crouch: how far the hips are below their standing height, m. lift: of the swinging foot, m. arm_swing: rad to
    either side. offset: m to the left of the path.
    """

    speed: float = 1.0
    step_time: float = 0.5
    double_support: float = 0.12
    width: float = 0.16
    pause: float = 0.5
    bob: float = 0.02
    crouch: float = 0.14
    lift: float = 0.06
    arm_swing: float = 0.35
    offset: float = 0.0

    @property
    def step(self) -> float:
        """Step length, m."""
        return self.speed * self.step_time


def job(character: Character, path: Path, speed: float = 1.2, stop: bool = True) -> Job:
    """Return a job for a walk that nobody simulates."""
    return Job(character, path, Preset("default", "generalized", "Default", "", {}), speed=speed, stop=stop)


def walked(path: Path, walk: Walk | None = None, character: Character | None = None) -> tuple[Motion, Job]:
    """Return a walk along the whole path with flat feet that do not slide, and its job.

    The right foot steps first; the left foot takes off after ``walk.pause``. The last step brings the feet together.
    """
    w, body = walk or Walk(), character or standard_character()
    steps = max(2, round(path.length / w.step))
    ends = w.pause + w.step_time * np.arange(1, steps + 2)  # foot strikes; the last brings the feet together
    times = np.arange(round((ends[-1] + w.pause) * RATE) + 1) / RATE
    marks = np.minimum(np.arange(1, steps + 2), steps) * path.length / steps
    ankle = _ankle_height(body)
    feet = [_foot(path, w, times, ends, marks, side, ankle) for side in (0, 1)]
    s = _progress(path.length, steps, w, times)
    heading = np.unwrap(path.heading(s, 0.6))
    phase = np.clip((times - w.pause) / w.step_time, 0.0, steps + 1.0)
    root = np.empty((len(times), 3))
    left = np.stack((-np.sin(heading), np.cos(heading)), axis=1)
    root[:, :2] = path.position(s) + w.offset * left
    root[:, 2] = body.stand_height - w.crouch - 0.5 * w.bob * np.cos(2.0 * np.pi * phase)
    rotations = _pose(body, root, heading, [f.ankle for f in feet], [f.heading for f in feet], w, phase)
    down = np.stack([f.down for f in feet], axis=1)
    events: tuple[list[tuple[float, int]], list[tuple[float, int]]] = ([], [])  # strikes, lifts
    for i, end in enumerate(ends):
        side = 1 - i % 2
        events[0].append((end, side))
        events[1].append((end - w.step_time + w.double_support, side))
    speed = path.length / steps / w.step_time
    command = np.stack((np.gradient(s, times), heading, s), axis=1)
    motion = Motion(
        character=body, times=times, root=root, rotations=rotations,
        loads=body.mass * GRAVITY * down / down.sum(axis=1, keepdims=True),
        torques=np.zeros((len(times), len(body.links), 3)),
        strikes=np.array(events[0]), lifts=np.array(events[1]), command=command, cpu=1.0, outcome="arrived",
    )  # fmt: skip
    return motion, job(body, path, speed)


def posed(
    angles: Callable[[Array], dict[str, Array]], duration: float, speed: float = 1.2, stride_time: float = 1.1,
    stance: float = 0.62, character: Character | None = None,
) -> tuple[Motion, Job]:  # fmt: skip
    """Return a motion along x from given joint angles, feet wherever they come, and its job.

    angles(phase): degrees of "hip", "knee" and "ankle" flexion against the gait cycle 0..1 of that leg; the left
    foot strikes at time zero, the right half a stride later; ``stance`` is the share of the cycle a foot is down.
    """
    body = character or standard_character()
    times = np.arange(round(duration * RATE) + 1) / RATE
    rotations = np.zeros((len(times), len(body.links), 4))
    rotations[..., 0] = 1.0
    down = np.empty((len(times), 2))
    strikes, lifts = [], []
    for side, name in enumerate("LR"):
        cycle = times / stride_time - 0.5 * side
        down[:, side] = cycle % 1.0 < stance
        bent = {k: np.radians(v) for k, v in angles(cycle % 1.0).items()}
        pitch = -bent["hip"]
        for role, turn in (("thigh", 0.0), ("shin", bent["knee"]), ("foot", -bent["ankle"]), ("toes", 0.0)):
            pitch = pitch + turn
            rotations[:, body.index(f"{role}.{name}")] = axis_angle_quaternion(_Y, pitch)
        first = np.arange(np.ceil(cycle[0]), np.floor(cycle[-1]) + 1.0)
        strikes += [((k + 0.5 * side) * stride_time, side) for k in first]
        last = np.arange(np.ceil(cycle[0] - stance), np.floor(cycle[-1] - stance) + 1.0)
        lifts += [((k + stance + 0.5 * side) * stride_time, side) for k in last]
    root = np.stack((speed * times, np.zeros_like(times), np.full_like(times, body.stand_height)), axis=1)
    motion = Motion(
        character=body, times=times, root=root, rotations=rotations, loads=body.mass * GRAVITY * down,
        torques=np.zeros((len(times), len(body.links), 3)), strikes=np.array(sorted(strikes)),
        lifts=np.array(sorted(lifts)), cpu=1.0, outcome="time",
        command=np.stack((np.full_like(times, speed), np.zeros_like(times), speed * times), axis=1),
    )  # fmt: skip
    return motion, job(body, Path([[0.0, 0.0], [max(speed * duration, 1.0) + 1.0, 0.0]]), speed, stop=False)


@dataclass(frozen=True)
class _Foot:
    ankle: Array
    heading: Array
    down: Array


def _ankle_height(body: Character) -> float:
    origins, _ = body.standing()
    return float(origins[body.index("foot.L"), 2])


def _smooth(x: Array) -> Array:
    x = np.clip(x, 0.0, 1.0)
    return x**3 * (10.0 - 15.0 * x + 6.0 * x**2)


def _progress(length: float, steps: int, w: Walk, times: Array) -> Array:
    """Return the arc length (T,) of the mid-hip: steady between the first and the last step."""
    begin, end = w.pause, w.pause + w.step_time * (steps + 1)
    ramp = w.step_time
    x = np.clip(times, begin, end) - begin
    whole = end - begin
    rate = length / (whole - ramp)
    rising = np.minimum(x, ramp)
    falling = np.maximum(x - (whole - ramp), 0.0)
    return np.asarray(rate * (x - rising + 0.5 * rising**2 / ramp - 0.5 * falling**2 / ramp))


def _foot(path: Path, w: Walk, times: Array, ends: Array, marks: Array, side: int, ankle: float) -> _Foot:
    across = (0.5 if side == 0 else -0.5) * w.width + w.offset
    height = np.full(len(times), ankle)
    heading = np.full(len(times), float(path.heading(0.0, 0.6)))
    position = np.empty((len(times), 2))
    down = np.ones(len(times))

    def spot(s: float) -> tuple[Array, float]:
        h = float(path.heading(s, 0.6))
        return path.position(s) + across * np.array([-np.sin(h), np.cos(h)]), h

    here, facing = spot(0.0)
    position[:], heading[:] = here, facing
    for i, end in enumerate(ends):
        if 1 - i % 2 != side:
            continue
        begin = end - w.step_time + w.double_support
        there, next_facing = spot(float(marks[i]))
        next_facing = facing + (next_facing - facing + np.pi) % (2.0 * np.pi) - np.pi
        share = _smooth((times - begin) / (end - begin))
        swinging = (times > begin) & (times < end)
        moving = times > begin
        position[moving] = here + share[moving, None] * (there - here)
        heading[moving] = facing + share[moving] * (next_facing - facing)
        height[swinging] = ankle + w.lift * np.sin(np.pi * share[swinging]) ** 2
        down[swinging] = 0.0
        here, facing = there, next_facing
    return _Foot(np.column_stack((position, height)), heading, down)


def _pose(
    body: Character, root: Array, heading: Array, ankles: list[Array], facings: list[Array], w: Walk, phase: Array
) -> Array:
    count = len(root)
    turn = yaw_quaternion(heading)
    rotations = np.repeat(turn[:, None], len(body.links), axis=1)
    swing = w.arm_swing * np.sin(np.pi * (phase - 0.5)) * (phase > 0.0) * (phase < phase.max())
    for side, name in enumerate("LR"):
        hip = root + _turned(heading, body.offsets[body.index(f"thigh.{name}")])
        thigh, shin = _leg(body, name, hip, ankles[side], facings[side])
        foot = yaw_quaternion(facings[side])
        for role, q in (("thigh", thigh), ("shin", shin), ("foot", foot), ("toes", foot)):
            rotations[:, body.index(f"{role}.{name}")] = q
        arm = quaternion_product(turn, axis_angle_quaternion(_Y, swing * (-1.0 if side == 0 else 1.0)))
        for role, bend in (("upper_arm", 0.0), ("forearm", -0.3), ("hand", 0.0)):
            arm = quaternion_product(arm, axis_angle_quaternion(_Y, np.full(count, bend)))
            rotations[:, body.index(f"{role}.{name}")] = arm
    return continuous(rotations)


def _turned(heading: Array, vector: Array) -> Array:
    c, s = np.cos(heading), np.sin(heading)
    return np.stack((c * vector[0] - s * vector[1], s * vector[0] + c * vector[1], np.full_like(c, vector[2])), axis=1)


def _leg(body: Character, name: str, hip: Array, ankle: Array, facing: Array) -> tuple[Array, Array]:
    """Return world rotations (T, 4) of thigh and shin that put the ankle where it is wanted, knee forward."""
    upper = np.linalg.norm(body.offsets[body.index(f"shin.{name}")])
    lower = np.linalg.norm(body.offsets[body.index(f"foot.{name}")])
    reach = ankle - hip
    distance = np.linalg.norm(reach, axis=1)
    assert (distance < upper + lower).all(), "the walker cannot reach: crouch more or step shorter"
    forward = np.stack((np.cos(facing), np.sin(facing), np.zeros_like(facing)), axis=1)
    across = np.cross(reach, forward)
    across = -across / np.linalg.norm(across, axis=1, keepdims=True)  # to the left
    along = reach / distance[:, None]
    ahead = np.cross(along, across)
    bend = np.arccos((upper**2 + distance**2 - lower**2) / (2.0 * upper * distance))
    knee = hip + upper * (np.cos(bend)[:, None] * along + np.sin(bend)[:, None] * ahead)
    return _frame(hip - knee, across), _frame(knee - ankle, across)


def _frame(up: Array, left: Array) -> Array:
    z = up / np.linalg.norm(up, axis=1, keepdims=True)
    x = np.cross(left, z)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return matrix_quaternion(np.stack((x, np.cross(z, x), z), axis=2))

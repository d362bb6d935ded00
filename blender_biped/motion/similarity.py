"""Dynamic similarity: any biped's walk as that of one of reference size, and back.

Under gravity two bodies of one shape move alike when lengths scale with their legs, times with the square root of
length over gravity, and forces with their weights (Froude's law). So every walk is controlled and simulated at the
size that the gains are for, where the physics engine's tolerances fit too, and its motion is scaled back: a giant
walks slowly because gravity makes it. With another gravity its times are others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..character.model import Character, Shape
from ..character.reference import GRAVITY, REFERENCE_MASS
from ..job import Job, Push
from ..preset.preset import Preset
from ..world.path import Path
from .motion import Motion

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Similarity:
    """How much larger a job's units are than those of the walk at reference size: length, time, mass."""

    length: float
    time: float
    mass: float

    @property
    def speed(self) -> float:
        """Of speeds."""
        return self.length / self.time

    @property
    def force(self) -> float:
        """Of forces."""
        return self.mass * self.length / self.time**2

    def job(self, job: Job) -> Job:
        """Return a job at reference size, under the usual gravity. Raises DataError for a path shorter than a step."""
        job.path.check_length(self.length)
        path = Path(job.path.source / self.length, job.path.closed, job.path.laps)

        def style(preset: Preset) -> Preset:  # values are those of the reference body
            keyed = {name: tuple((t / self.time, v) for t, v in track) for name, track in preset.keyed.items()}
            return replace(preset, keyed=keyed) if keyed else preset

        return replace(
            job,
            character=self.character(job.character),
            path=path,
            preset=style(job.preset),
            speed=job.speed / self.speed,
            speeds=tuple((t / self.time, v / self.speed) for t, v in job.speeds),
            start=job.start / self.length,
            ground=job.ground / self.length,
            duration=job.duration / self.time,
            ragdoll=job.ragdoll / self.time,
            gravity=GRAVITY,
            step_width=job.step_width / self.length,
            cues=tuple(replace(cue.scaled(self.length, self.time), preset=style(cue.preset)) for cue in job.cues),
            along=tuple(point.scaled(self.length, self.time) for point in job.along),
            pushes=tuple(self._push(push) for push in job.pushes),
            footholds=tuple(own.scaled(self.length) for own in job.footholds),
            world=job.world if job.world.empty else job.world.scaled(1 / self.length, 1 / self.time, 1 / self.mass),
        )

    def motion(self, motion: Motion, character: Character) -> Motion:
        """Return the motion at the size of the job's own character. Its samples stay as they are."""
        speed, heading, arc = motion.command.T
        props = motion.props * (*([self.length] * 3), 1.0, 1.0, 1.0, 1.0)
        return replace(
            motion,
            character=character,
            times=motion.times * self.time,
            root=motion.root * self.length,
            loads=motion.loads * self.force,
            torques=motion.torques * (self.force * self.length),
            strikes=motion.strikes * (self.time, 1.0),
            lifts=motion.lifts * (self.time, 1.0),
            command=np.stack((speed * self.speed, heading, arc * self.length), axis=1),
            things=props.reshape(motion.things.shape),
        )

    def _push(self, push: Push) -> Push:
        x, y, z = (value / self.force for value in push.force)
        point = None
        if push.point is not None:
            a, b, c = (value / self.length for value in push.point)
            point = (a, b, c)
        return replace(push, time=push.time / self.time, length=push.length / self.time, force=(x, y, z), point=point)

    def character(self, character: Character) -> Character:
        """Return a character at reference size."""

        def small(values: Triple) -> Triple:
            x, y, z = (value / self.length for value in values)
            return x, y, z

        def shape(one: Shape) -> Shape:
            return replace(one, center=small(one.center), half=small(one.half), radius=one.radius / self.length)

        moment = self.mass * self.length**2
        links = []
        for link in character.links:
            x, y, z = (value / moment for value in link.inertia)
            links.append(
                replace(
                    link, offset=small(link.offset), mass=link.mass / self.mass, com=small(link.com),
                    inertia=(x, y, z), shape=shape(link.shape),
                )
            )  # fmt: skip
        return replace(
            character,
            links=tuple(links),
            stand_height=character.stand_height / self.length,
            hip_bone_offset=small(character.hip_bone_offset),
            feet_apart=character.feet_apart / self.length,
            legs_apart=character.legs_apart / self.length,
        )


def at_reference_size(character: Character) -> Character:
    """Return the body that controllers walk: with legs of REFERENCE_LEG, m, and of REFERENCE_MASS, kg."""
    return _similarity(character, GRAVITY).character(character)


def similarity(job: Job) -> Similarity:
    """Return how a job's size and gravity compare with those of the reference."""
    return _similarity(job.character, job.gravity)


def _similarity(character: Character, gravity: float) -> Similarity:
    length = character.size
    return Similarity(length, math.sqrt(length * GRAVITY / gravity), character.mass / REFERENCE_MASS)

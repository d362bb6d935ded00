"""Head tilt, lurch and looking about of a simulated walk: desired turns, which the joint torques track."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from blender_biped.base.spatial import Array, rotate
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.walk.looking import LookingAbout
from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.preset.declared import with_values
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from blender_biped.world.path import Path

DEFAULT = preset("natural", "default")
STEP = 1.0 / 120.0  # s
HEAD, LINKS = 3, 5


def desired(looking: LookingAbout, times: Array, most: float) -> tuple[Array, Array]:
    """Return orientations (T, L, 3, 3) and rates (T, L, 3) of links that are ahead but for where the head looks."""
    rotations = np.tile(np.eye(3), (len(times), LINKS, 1, 1))
    rates = np.zeros((len(times), LINKS, 3))
    for at, turned, rate in zip(times.tolist(), rotations, rates, strict=True):
        looking.turn(at, most, turned, rate)
    return rotations, rates


def test_a_head_that_does_not_look_about_is_as_the_step_has_it() -> None:
    times = np.arange(0.0, 5.0, STEP)
    for looking, most in ((LookingAbout(HEAD, 0), 0.0), (LookingAbout(-1, 0), 0.7)):
        rotations, rates = desired(looking, times, most)
        assert (rotations == np.eye(3)).all() and (rates == 0.0).all()


def test_the_head_alone_turns_by_its_rates_and_looks_ahead_again() -> None:
    looking, most = LookingAbout(HEAD, 0), math.radians(40.0)
    times = np.arange(0.0, 20.0, STEP)
    rotations, rates = desired(looking, times, most)
    others = [k for k in range(LINKS) if k != HEAD]
    assert (rotations[:, others] == np.eye(3)).all() and (rates[:, others] == 0.0).all()
    yaw = np.arctan2(rotations[:, HEAD, 1, 0], rotations[:, HEAD, 0, 0])
    assert 0.35 * most < yaw.max() < most and -most < yaw.min() < -0.35 * most
    assert np.abs(np.diff(yaw) / STEP - rates[1:, HEAD, 2]).max() < 0.06
    later, _ = desired(looking, 20.0 + np.arange(0.0, 4.0, STEP), 0.0)
    back = np.arctan2(later[:, HEAD, 1, 0], later[:, HEAD, 0, 0])
    assert abs(back[0] - yaw[-1]) < 0.05 * abs(yaw[-1]) and np.abs(np.diff(back)).max() / STEP < 4.0 * most
    assert (later[-1] == np.eye(3)).all()


def walked(**words: float) -> tuple[Motion, NDArray[np.bool_]]:
    """Return a walk with some words of the manner, and when it is amid its way (T,)."""
    style = replace(DEFAULT, values=with_values(DEFAULT.values, {f"manner.{k}": v for k, v in words.items()}))
    job = Job(standard_character(), Path([(0.0, 0.0), (6.0, 0.0)]), style, 1.0, seed=1)
    motion = simulate(job)
    assert motion.outcome == "arrived"
    return motion, (motion.root[:, 0] > 1.5) & (motion.root[:, 0] < 5.0)


def trunk_over(motion: Motion, inside: NDArray[np.bool_]) -> float:
    """Return how far the trunk leans over the leg that bears alone, degrees, on average of both sides."""
    way = motion.origins[:, motion.character.index("head")] - motion.root
    left = np.degrees(np.arctan2(way[:, 1], way[:, 2]))
    on = [inside & (motion.loads[:, 1 - side] <= 0.0) for side in (0, 1)]
    return float(0.5 * (left[on[0]].mean() - left[on[1]].mean()))


def head_axes(motion: Motion, inside: NDArray[np.bool_], axis: int) -> Array:
    return np.asarray(rotate(motion.rotations[inside, motion.character.index("head")], np.eye(3)[axis]))


@pytest.mark.long
def test_head_tilt_lurch_and_looks_are_walked_as_they_are_set() -> None:
    (usual, amid), (own, inside) = walked(), walked(head_tilt=12.0, lurch=8.0, look_about=35.0)
    tilts = [
        float(np.degrees(np.arctan2(up[:, 1], up[:, 2])).mean())
        for up in (head_axes(usual, amid, 2), head_axes(own, inside, 2))
    ]
    assert tilts[1] - tilts[0] == pytest.approx(12.0, abs=2.0)
    ahead = head_axes(own, inside, 0)
    yaw = np.degrees(np.arctan2(ahead[:, 1], ahead[:, 0]))
    assert yaw.max() > 12.0 and yaw.min() < -12.0
    assert trunk_over(own, inside) - trunk_over(usual, amid) == pytest.approx(4.5, abs=2.0)

"""Two thousand strange armatures: each is mapped or refused with a message; what is mapped can be walked."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable

import numpy as np
import pytest

from blender_biped.base.errors import BipedError
from blender_biped.character.armature import Armature
from blender_biped.character.body import build_character
from blender_biped.character.mapping import check_rig_map, rig_map_from_json
from blender_biped.character.model import Character
from blender_biped.character.roles import map_bones
from blender_biped.job import Job, job_from_json
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tests.character.strange import Draft, strange

COUNT, CHUNK = 2000, 100
FIRST = 200  # seeds that are tried where long tests are left out
CHUNKS = [pytest.param(first, marks=pytest.mark.long) if first >= FIRST else first for first in range(0, COUNT, CHUNK)]
WALKED = 20  # every so manieth seed is also simulated, if it is mapped
SECONDS = 0.5

TO_DO = re.compile(
    r"\b(?:choose|pick|swap|check|correct|rename|name|apply|set|map|leave|remove|delete|move|make|give|put|take|use|tell|untick|"
    r"turn|scale|add|walks characters on two legs|expected)\b",
    re.IGNORECASE,
)
"""What a refusal advises, in a word of it."""


def body_of(rig: Armature) -> Character:
    """Return the character of an armature. Raises BipedError."""
    found = map_bones(rig)
    check_rig_map(found, rig)
    assert rig_map_from_json(json.loads(json.dumps(found.as_json()))).bones == found.bones
    assert 0.0 <= found.confidence <= 1.0
    body = build_character(rig, found, None)
    assert np.isfinite(body.coms).all()
    assert (body.masses > 0.0).all()
    assert body.leg_length > 0.0
    return body


def job_of(body: Character) -> Job:
    """Return a short walk, as the worker reads it. Raises BipedError when it would not be taken."""
    length = 10.0 * max(1.0, body.leg_length)
    path = Path([[0.0, 0.0], [length, 0.0]])
    speed = min(1.2 * body.leg_length**0.5, 10.0)
    whole = Job(body, path, preset("generalized", "default"), speed=speed, duration=SECONDS)
    return job_from_json(json.loads(json.dumps(whole.as_json(), allow_nan=False)))


def refusal_of(work: Callable[[], object]) -> str | None:
    """Return the message that some work is refused with, None when it is done. Fails for one that helps nobody."""
    try:
        work()
    except BipedError as error:
        said = str(error)
        assert len(said) > 30, f"says too little: {said!r}"
        assert TO_DO.search(said), f"does not say what to do: {said!r}"
        return said
    return None


def faults(seeds: range, tried: Callable[[int, Draft], None]) -> str:
    """Return what nobody has foreseen in the plans of some seeds: each kind once, with the seeds that have it."""
    kinds: dict[str, list[str]] = {}
    for seed in seeds:
        plan = strange(seed)
        try:
            tried(seed, plan)
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{last.filename.rpartition('/')[2]}:{last.lineno}, {last.name}"
            kinds.setdefault(f"{type(error).__name__} ({where}): {str(error)[:300]}", []).append(
                f"{seed} ({', '.join(plan.how)})"
            )
    return "\n".join(f"{kind}\n  seeds: {'; '.join(which[:5])}" for kind, which in kinds.items())


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of numbers too large to square: they are refused
@pytest.mark.parametrize("first", CHUNKS)
@pytest.mark.long
def test_every_armature_is_mapped_or_refused(first: int) -> None:
    mapped: list[int] = []

    def tried(seed: int, plan: Draft) -> None:
        def mapped_body() -> None:
            job_of(body_of(plan.armature()))
            mapped.append(seed)

        refusal_of(mapped_body)

    assert not (said := faults(range(first, first + CHUNK), tried)), said
    assert 0 < len(mapped) < CHUNK  # a fuzz that maps all or nothing tests nothing


@pytest.mark.parametrize("first", CHUNKS)
def test_what_is_mapped_can_be_simulated(first: int) -> None:
    def tried(seed: int, plan: Draft) -> None:
        try:
            job = job_of(body_of(plan.armature()))
        except Exception:
            return  # the other test's
        motion = simulate(job)
        assert np.isfinite(motion.root).all()
        assert np.isfinite(motion.rotations).all()

    assert not (said := faults(range(first, first + CHUNK, WALKED), tried)), said


def test_the_same_seed_is_the_same_armature() -> None:
    for seed in range(30):
        a, b = strange(seed), strange(seed)
        assert a.how == b.how
        assert [p.name for p in a.parts] == [p.name for p in b.parts]
        np.testing.assert_array_equal([p.head for p in a.parts], [p.head for p in b.parts])

import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.control.registry import presets
from blender_biped.simulate import simulate
from tools.trials import changes, natural
from tools.trials.changes import ChangeTrial


def test_every_ordered_pair_is_walked_straight_and_in_bends():
    trials = changes.PARTS["changes"]()
    names = [own.name for own in presets("natural")]
    own = [trial for trial in trials if trial.body == natural.STANDARD]
    assert {(one.before, one.after) for one in own} == {(a, b) for a in names for b in names if a != b}
    assert abs(sum(one.bends for one in own) - len(own) / 2) <= 1
    others = [trial for trial in trials if trial.body != natural.STANDARD]
    assert all(a.bends != b.bends for a, b in zip(own, others, strict=False))  # the other way on the other body


def test_a_walk_has_room_for_both_styles():
    job, place = changes.change_job(ChangeTrial("sad", "happy", natural.STANDARD, True, 4))
    (cue,) = job.cues
    assert cue.place == place and cue.preset.name == "happy" and job.preset.name == "sad" and job.seed == 4
    assert changes.LEAST < place < job.path.length - changes.LEAST
    turned = job.path.direction(job.path.length, 0.1) - job.path.direction(0.0, 0.1)
    assert math.remainder(turned - job.path.length / changes.RADIUS, 2.0 * math.pi) == pytest.approx(0.0, abs=0.2)


@pytest.mark.long
def test_the_figures_of_a_change():
    trial = ChangeTrial("default", "sad", natural.STANDARD, False, 2)
    job, place = changes.change_job(trial)
    motion = simulate(job)
    known = changes.change_figures(motion, place)
    assert known is not None and 0.3 < known["shaken"] < 2.0 and 0 <= known["steps"] < 8
    assert changes.change_figures(motion, job.path.length - 0.2) is None
    jolted = motion.root.copy()
    jolted[int(np.searchsorted(motion.root[:, 0], place + 0.5)) :, 2] += 0.05

    shaken = changes.change_figures(replace(motion, root=jolted), place)
    assert shaken is not None and shaken["shaken"] > known["shaken"]


def test_the_lines_name_who_fell_and_the_worst():
    told = {"before": "sad", "after": "happy", "body": "standard", "bends": True, "seed": 7}
    lines = "\n".join(changes.report_lines("changes", [
        {**told, "outcome": "fell", "fell_after_m": 1.25},
        {**told, "outcome": "arrived", "fell_after_m": None, "shaken": 1.4, "steps": 2},
        {**told, "outcome": "arrived", "fell_after_m": None, "shaken": 0.9, "steps": 3},
    ]))  # fmt: skip
    assert "2 of 3 arrive" in lines and "sad to happy, in a bend, start 7: fell 1.2 m behind it" in lines
    assert "1 of 2 within 1.3" in lines and "1 of 2 within 2" in lines

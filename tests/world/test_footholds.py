"""Footholds that are desired: in a job's JSON, at another size, and what became of them."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.character.standard import standard_character
from blender_biped.check import check
from blender_biped.control.registry import presets
from blender_biped.fallback import simpler
from blender_biped.job import Job, job_from_json
from blender_biped.klaw.stand_in import as_walk
from blender_biped.motion.footholds import met_by
from blender_biped.motion.gait_events import Footprint
from blender_biped.motion.similarity import Similarity
from blender_biped.world.footholds import DesiredFoothold
from blender_biped.world.path import Path

BODY = standard_character()
LEFT = DesiredFoothold(0, (1.0, 0.1), 1.0)
JOB = Job(BODY, Path([(0.0, 0.0), (6.0, 0.0)]), presets("natural")[0], footholds=(LEFT,))


def test_a_job_keeps_its_footholds_in_json():
    assert job_from_json(JOB.as_json()).footholds == JOB.footholds
    assert "footholds" not in replace(JOB, footholds=()).as_json()


@pytest.mark.parametrize(
    "wrong, said",
    [
        ({"side": 2}, "side"),
        ({"side": "L"}, "side"),
        ({"place": [1.0]}, "place"),
        ({"place": [float("nan"), 0.0]}, "place"),
        ({"place": [1e9, 0.0]}, "place"),
        ({"arc": 7.0}, "arc"),
        ({"arc": -1.0}, "arc"),
        ({"height": 0.0}, "no such field"),
    ],
)
def test_a_wrong_foothold_is_named(wrong, said):
    data = JOB.as_json()
    data["footholds"][0].update(wrong)
    with pytest.raises(DataError, match=said) as caught:
        job_from_json(data)
    assert "job.footholds[0]" in str(caught.value)


def test_footholds_go_with_the_size_of_the_body():
    small = Similarity(2.0, 1.4, 8.0).job(replace(JOB, path=Path([(0.0, 0.0), (12.0, 0.0)])))
    assert small.footholds == (DesiredFoothold(0, (0.5, 0.05), 0.5),)


@pytest.mark.parametrize("controller", ["simbicon", "generalized", "klaw"])
def test_controllers_that_choose_their_steps_refuse_footholds(controller):
    with pytest.raises(DataError, match=r"edited footprints.*Natural Walking"):
        check(replace(JOB, preset=presets(controller)[0]))
    check(JOB)


def test_what_walks_in_its_place_has_none():
    assert as_walk(JOB, presets("klaw")[0]).footholds == ()
    plainer = simpler(JOB)
    assert plainer is not None and plainer.footholds == ()


def test_a_foothold_is_held_within_two_centimetres_of_an_adult():
    def met(x: float, side: int = 0):
        (found,) = met_by([Footprint(side, 1.0, np.array([x, 0.1]), 0.0)], [LEFT], BODY)
        return found

    size = BODY.leg_length / 0.9
    assert met(1.0 + 0.019 * size).held and not met(1.0 + 0.021 * size).held
    assert met(1.1).off == pytest.approx(0.1)
    assert met(1.6).off is None and not met(1.6).held
    assert met(1.0, side=1).off is None

"""The scenes of Coros 2010, section 5.4, figures 8 to 12, on three bodies: walking is chaotic, so from two starts."""

import pytest

from blender_biped.check import check
from blender_biped.motion import measures
from tests.walks import enough, seeded
from tools.trials import paper
from tools.trials.obstacles import ADULT, BODIES

SHORT, LONG = (name for name in BODIES if name != ADULT)
WALKED_BY = {
    "picking up at 0.1 m": SHORT, "picking up at 0.8 m": ADULT, "picking up at 1.7 m": LONG,
    "pushing to the left": SHORT, "pushing to the right": ADULT,
    "pulling to the left": LONG, "pulling to the right": ADULT,
    "over a row to 0.45 m": ADULT,
    "over and under, 0 m": LONG, "over and under, 0.5 m": ADULT, "over and under, 1 m": SHORT,
    paper.LIFTING: SHORT, paper.STAIRS: SHORT,
}  # fmt: skip
"""Each scene once, each body in several: trials walk all of them. In tests of targets the adult lifts and climbs."""


def test_each_scene_is_walked_by_one_body_and_each_body_walks_several():
    assert set(WALKED_BY) == set(paper.SCENES)
    assert min(list(WALKED_BY.values()).count(body) for body in BODIES) >= 3


@pytest.mark.long
@pytest.mark.parametrize(("scene", "body"), WALKED_BY.items())
def test_a_scene_of_the_paper_is_walked(scene, body):
    job = paper.job_of(scene, body)
    check(job)

    def good(motion, job):
        if motion.outcome != "arrived" or measures.fell_at(motion, job) is not None:
            return False
        found = paper.handled(motion, job)
        palms, off = found["palms_mm"], found["left_off_m"]
        return (palms is None or palms < 20.0) and (off is None or off < 0.15)

    ((motion, _),) = enough(seeded(job, 2), 1, good)
    if scene.startswith("picking"):  # it has it in its hands
        assert paper.handled(motion, job)["moved_m"] > 0.05
        assert motion.props[-1, 0, 2] > 0.8 * job.character.leg_length

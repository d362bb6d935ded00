"""The scenes of Coros 2010, section 5.4, figures 8 to 12, on three bodies: walking is chaotic, so from two starts."""

import pytest

from blender_biped.check import check
from blender_biped.motion import measures
from tests.walks import enough, seeded
from tools.trials import paper
from tools.trials.obstacles import ADULT, BODIES

SHORT, LONG = (name for name in BODIES if name != ADULT)
WALKED_BY = {
    "picking up at 0.1 m": SHORT, "picking up at 1.7 m": LONG,
    "pushing to the left": SHORT, "pulling to the left": LONG,
    "over a row to 0.45 m": ADULT,
    "over and under, 0 m": LONG, "over and under, 0.5 m": ADULT, "over and under, 1 m": SHORT,
}  # fmt: skip
"""Each body in several; trials walk all scenes with all bodies."""
ELSEWHERE = {
    "picking up at 0.8 m",  # between the two
    "pushing to the right", "pulling to the right",  # as in a mirror, which changes no torque: ``test_laws``
    paper.LIFTING, paper.STAIRS,  # the adult's, in ``test_targets``
}  # fmt: skip


def test_each_scene_is_walked_by_one_body_and_each_body_walks_several():
    assert set(WALKED_BY) | ELSEWHERE == set(paper.SCENES) and not ELSEWHERE & set(WALKED_BY)
    assert min(list(WALKED_BY.values()).count(body) for body in BODIES) >= 2


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

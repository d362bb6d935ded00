"""The scenes of Coros 2010, section 5.4, figures 8 to 12, on three bodies: walking is chaotic, so from two starts."""

import pytest

from blender_biped.check import check
from blender_biped.motion import measures
from tests.walks import enough, seeded
from tools.trials import paper
from tools.trials.obstacles import BODIES


@pytest.mark.long
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("scene", paper.SCENES)
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

"""Previews in a hurry: known steps stand in for new ones, until they are solved."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.klaw import walk
from blender_biped.klaw.preview import Previewer
from blender_biped.preset.cue import Cue
from blender_biped.preset.preset import preset
from tests.klaw.walks import job_of, style

USUAL = preset("klaw", "walk")
LEANING = style({"theta2_des": 12.0})


def settled(previewer, job):
    found = previewer.preview(job, USUAL)
    for _ in range(found.steps):  # each call solves one step at least
        if found.whole:
            return found
        found = previewer.preview(job, USUAL)
    raise AssertionError("never whole")


@pytest.mark.parametrize("other", [job_of(5.0, preset=LEANING), job_of(4.7)], ids=["style", "speed"])
def test_a_preview_in_a_hurry_is_whole_in_the_end(other):
    hasty, patient = Previewer(0.0), Previewer()
    settled(hasty, job_of(5.0))
    first, whole = hasty.preview(other, USUAL), patient.preview(other, USUAL)
    assert not first.whole
    assert first.duration == pytest.approx(whole.duration) and first.steps == whole.steps
    assert first.line == pytest.approx(whole.line, abs=0.06)
    away = np.abs(settled(hasty, other).origins - whole.origins)
    assert away.mean() < 0.005 and away.max() < 0.15  # rough steps depend a little on those before


def test_a_walk_of_more_styles_than_are_kept_is_whole_in_the_end(monkeypatch):
    monkeypatch.setattr(walk, "MOST_WALKERS", 2)
    cues = tuple(Cue(0.6 * k, style({"theta2_des": float(k)})) for k in range(1, 10))
    assert settled(Previewer(0.0), job_of(5.0, cues=cues)).whole

"""The trial of keyed mixes: routes, how hard hips are shaken, what turns back on its way."""

from typing import Any

import numpy as np
import pytest

from tools.trials import mixes, natural
from tools.trials.mixes import MixTrial

SHARES = ((2.0, 0.0), (8.0, 1.0))


@pytest.mark.parametrize("route", mixes.ROUTES)
def test_a_walk_of_10_m_is_on_its_way_for_6_of_them(route: str) -> None:
    job, (begins, ends) = mixes.mix_job(MixTrial("sad", "happy", natural.STANDARD, route, 3))
    (cue,), size = job.cues, job.character.size
    assert job.path.length == pytest.approx(10.0 * size, abs=0.02) and job.seed == 3
    assert (job.preset.name, cue.preset.name) == ("sad", "happy")
    assert [time for time, _ in cue.shares] == [time for time, _ in job.speeds] == [begins, ends]
    speed = float(np.mean([job.speed_at(t) for t in np.linspace(begins, ends, 500)]))
    assert speed * (ends - begins) == pytest.approx(mixes.ON_THE_WAY * size, rel=1e-3)


def test_what_goes_over_evenly_does_not_turn_back_and_a_step_back_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    times = np.arange(0.5, 10.0, 0.5)
    even = np.clip((times - 2.0) / 6.0, 0.0, 1.0)
    back = even - 0.3 * ((times > 4.0) & (times < 5.2))
    mixed: Any = {"lean": even, "step": 5.0 + even, "arms": back}
    first, second = (dict.fromkeys(mixes.LOOKS, np.full(4, end)) for end in (0.0, 1.0))
    monkeypatch.setattr(mixes, "step_figures", lambda walk: (times, walk))
    alone: list[Any] = [first, second]
    found = mixes.turned_back(mixed, SHARES, alone)
    assert found["lean"] == found["step"] == 0.0 and 0.1 < found["arms"] < 0.35


def test_who_falls_is_told() -> None:
    named = {"before": "sad", "after": "happy", "body": "standard", "route": "s", "seed": 1}
    good = {**named, "outcome": "arrived", "shaken": 1.1, "back_lean": 0.0, "back_step": 0.3, "back_arms": 0.1}
    lines = "\n".join(mixes.report_lines("mixes", [good, {**named, "outcome": "fell"}]))
    assert "1 of 2 arrive" in lines and "step 0.30" in lines and "0 turn back" in lines

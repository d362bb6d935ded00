"""Walks at full Variation: what is told of their spreads and falls."""

from __future__ import annotations

from tools.trials import chance
from tools.trials.chance import ChanceTrial


def test_every_body_walks_both_ways_for_two_minutes():
    trials = chance.chance_trials()
    assert {trial.way for trial in trials} == set(chance.WAYS) and "standard" in {trial.who for trial in trials}
    for way in chance.WAYS:
        job = chance.chance_job(ChanceTrial("standard", way, 1))
        assert job.duration > 100.0 and job.path.length > 1.5 * job.speed * job.duration and not job.stop
        assert job.preset.values["gait"]["variation"] == 1.0


def test_what_is_told(tmp_path):
    told = chance.run(ChanceTrial("standard", "straight", 2), tmp_path, 9.0)
    assert not told["fell"] and told["seconds"] > 8.0
    assert all(value > 0.3 for value in told["figures"].values())
    other = {**told, "fell": True, "figures": dict.fromkeys(told["figures"])}
    first, *spreads = chance.report_lines("chance", [told, other])
    assert "1 of 2 walks fell: straight from start 2" in first
    assert len(spreads) == 3 and all("people" in line and "of 1 walks within" in line for line in spreads)

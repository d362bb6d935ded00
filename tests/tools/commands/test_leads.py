"""Leads and bank in bends: what is told and drawn."""

from __future__ import annotations

from tools.trials import leads
from tools.trials.leads import LeadTrial


def test_every_bend_is_walked_from_every_start():
    trials = leads.lead_trials()
    assert len(trials) == len(leads.WAYS) * len(leads.SEEDS) == len(set(trials))


def test_what_is_told_and_drawn(tmp_path):
    found = [leads.run(LeadTrial(way, 1), tmp_path) for way in leads.WAYS]
    turn, _, curve = found
    assert 0.1 < turn["sooner_s"]["chest"] < 0.4 and 0.1 < turn["sooner_s"]["head"] < 0.4 and not curve["sooner_s"]
    assert 2.0 < turn["bank_deg"] < 8.0 and turn["bank_error_deg"] < 2.0
    *lines, people = leads.report_lines("leads", found)
    assert [line.split()[0] for line in lines] == list(leads.WAYS) and "1 of 1 arrive" in lines[0]
    assert "chest before pelvis by" in lines[0] and people.endswith(leads.PEOPLE)
    assert leads.picture("leads", found, tmp_path).stat().st_size > 10_000

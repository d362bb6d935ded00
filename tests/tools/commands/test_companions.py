"""Meetings of two: which there are, and what is said of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from blender_biped.company import check_company
from blender_biped.motion import measures
from blender_biped.motion.watch import Watch
from blender_biped.together import walked_together
from tests.marks import long_but
from tools.base.command_table import TRIAL_PARTS
from tools.commands.trials import SOURCES
from tools.trials import companions
from tools.trials.companions import MEETINGS, OTHERS, MeetingTrial, company_of


def test_the_part_is_known_to_the_command_line() -> None:
    assert "companions" in TRIAL_PARTS and SOURCES["companions"] is companions
    assert len(companions.PARTS["companions"]()) == len(MEETINGS) * len(OTHERS) * len(companions.CONTROLLERS)


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("meeting", MEETINGS)
def test_two_meet_as_it_is_said(meeting: str, other: str) -> None:
    company = company_of(MeetingTrial(meeting, other, "natural"), 3)
    check_company(company)
    adult, its = (one.job for one in company.companions)
    (x, y), (_, end) = its.path.points[0], its.path.points[-1]
    assert y == end == MEETINGS[meeting].aside and adult.seed == its.seed == 3
    assert x == (companions.LENGTH if MEETINGS[meeting].back else -MEETINGS[meeting].behind)
    froude = [job.speed**2 / job.character.leg_length for job in (adult, its)]
    assert froude[0] == pytest.approx(froude[1] * MEETINGS[meeting].slower ** 2)


class BegunError(Exception):
    """All are in the world and apart."""


@pytest.mark.parametrize(
    ("meeting", "other"),
    long_but(product(MEETINGS, OTHERS), *((meeting, "another adult") for meeting in MEETINGS)),
)
def test_nobody_begins_inside_the_other(meeting: str, other: str) -> None:
    def begun(share: float) -> None:
        raise BegunError

    with pytest.raises(BegunError):
        walked_together(company_of(MeetingTrial(meeting, other, "natural")), Watch(begun))


def test_who_is_heavier_or_smaller_is_so() -> None:
    adult = OTHERS["another adult"]()
    heavy, child = companions.heavier(adult), companions.smaller(adult)
    assert heavy.mass == pytest.approx(companions.HEAVIER * adult.mass) and heavy.leg_length == adult.leg_length
    assert child.leg_length == pytest.approx(companions.CHILD * adult.leg_length)
    assert child.mass == pytest.approx(companions.CHILD**3 * adult.mass)
    speed = child.leg_length / measures.LEG
    assert replace(child, name=adult.name) != adult and speed < 1.0


def test_falls_are_counted_of_each() -> None:
    def walk(fell: bool, aside: float = 0.1) -> dict[str, Any]:
        return {"fell": fell, "aside_m": aside}

    found = [
        {
            "meeting": "head-on", "other": "another adult", "controller": "natural",
            "walks": [[walk(True), walk(False)], [walk(True), walk(True, 0.31)]],
        }
    ]  # fmt: skip
    told = companions.report_lines("companions", found)
    assert "of 2: the adult fell 2, the other 1; at most 0.31 m aside" in told[1]

"""The speed along a path: what is set holds, times are kept by whoever follows, late or hindered ones catch up."""

import numpy as np
import pytest

from blender_biped.world.along import Along, Means
from blender_biped.world.path_points import PathPoint
from tests.marks import long_but

MEANS = Means(slowest=0.0, fastest=2.0, acceleration=0.5, braking=0.5)
STEP = 0.02


def follow(points, base=1.0, means=MEANS, share=1.0, end=10.0, longest=60.0):
    """Return times and arc lengths of a follower that accelerates as it can and goes at ``share`` of what it shall.

    It stands at waits, and brakes for them.
    """
    along, waits = Along(points), [p for p in points if p.wait]
    arc = time = now = 0.0
    times, arcs = [0.0], [0.0]
    while arc < end and time < longest:
        if waits and arc >= waits[0].place - 0.01:
            count = round((waits[0].wait + means.setting_off) / STEP)
            times += [time + STEP * (i + 1) for i in range(count)]
            arcs += [arc] * count
            time, arc, now = times[-1], waits.pop(0).place, 0.0
        desired = along.speed(arc, time, base, now, means)
        if waits:
            desired = min(desired, max(np.sqrt(2.0 * means.braking * max(waits[0].place - arc, 0.0)), 0.02))
        if means.bends is not None:
            desired = min(desired, float(np.interp(arc, 0.1 * np.arange(len(means.bends)), means.bends)))
        now = min(desired, now + means.acceleration * STEP)
        arc, time = arc + share * now * STEP, time + STEP
        times.append(time)
        arcs.append(arc)
    return np.array(times), np.array(arcs)


def there(walked, place):
    times, arcs = walked
    return float(np.interp(place, np.maximum.accumulate(arcs) + 1e-9 * np.arange(len(arcs)), times))


def test_speeds_hold_from_their_places_on_and_change_softly():
    along = Along([PathPoint(2.0, speed=0.5, ease=1.0), PathPoint(6.0, speed=1.5)])
    found = along.profile(np.array([0.0, 2.0, 2.5, 3.0, 5.9, 6.1]), 1.0)
    assert found == pytest.approx([1.0, 1.0, 0.75, 0.5, 0.5, 1.5])
    around = along.profile(np.array([2.0, 2.01, 2.5, 2.51, 2.99, 3.0]), 1.0)
    slopes = -np.diff(around)[::2]
    assert slopes[0] < 0.05 * slopes[1] and slopes[2] < 0.05 * slopes[1]  # eased in and out
    assert along.speed(4.0, 99.0, 1.0, 0.5, MEANS) == pytest.approx(0.5)


@pytest.mark.parametrize("share", long_but([0.85, 1.0, 1.15], 1.15))
def test_who_goes_too_slowly_or_too_fast_is_in_time_all_the_same(share):
    walked = follow([PathPoint(4.0, time=6.0), PathPoint(9.0, time=10.5)], share=share)
    assert there(walked, 4.0) == pytest.approx(6.0, abs=0.15)
    assert there(walked, 9.0) == pytest.approx(10.5, abs=0.15)


@pytest.mark.long
def test_slow_bends_and_waits_on_the_way_are_made_up_for():
    bends = np.full(103, 9.0)
    bends[30:60] = 0.5  # 3 m of them
    slow = Means(0.0, 2.0, 0.5, 0.5, bends)
    assert there(follow([PathPoint(9.0, time=13.0)], means=slow), 9.0) == pytest.approx(13.0, abs=0.2)
    standing = Means(0.0, 2.0, 0.5, 0.5, setting_off=1.0)
    walked = follow([PathPoint(4.0, wait=2.0), PathPoint(9.0, time=15.0)], means=standing)
    assert there(walked, 9.0) == pytest.approx(15.0, abs=0.2)
    walked = follow([PathPoint(4.0, time=7.0, wait=2.0), PathPoint(9.0, time=15.0)], means=standing)
    assert there(walked, 3.985) == pytest.approx(7.0, abs=0.3) and there(walked, 9.0) == pytest.approx(15.0, abs=0.2)


def test_speeds_between_points_with_times_keep_their_proportions():
    times, arcs = follow([PathPoint(4.0, speed=0.5), PathPoint(8.0, time=10.0)], means=Means(0.0, 2.0, 5.0, 5.0))
    speeds = np.diff(arcs) / np.diff(times)
    fast, slow = (float(np.median(speeds[(arcs[:-1] > a) & (arcs[:-1] < b)])) for a, b in ((1.0, 3.5), (4.5, 7.5)))
    assert fast / slow == pytest.approx(2.0, rel=0.05)
    assert there((times, arcs), 8.0) == pytest.approx(10.0, abs=0.15)


def test_what_cannot_be_in_time_goes_as_fast_as_it_can():
    times, arcs = follow([PathPoint(8.0, time=2.0)])
    at = np.searchsorted(arcs, (5.0, 7.5))
    assert np.diff(arcs[at]) / np.diff(times[at]) == pytest.approx(MEANS.fastest, rel=0.02)

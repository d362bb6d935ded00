"""Stairs along a path: which treads there are, and which are refused, where, and why."""

import pytest

from blender_biped.base.errors import DataError
from blender_biped.world.path import Path
from blender_biped.world.terrain import Terrain
from blender_biped.world.treads import TreadLimits, check_treads, treads_of
from tools.trials.stairs import ground_of

LIMITS = TreadLimits(rise=0.2, fall=0.15, depth=0.27, before=1.2, after=0.6)


def said(edges, start=0.0, beyond=2.0):
    ground, path = ground_of(edges, beyond=beyond)
    treads = treads_of(ground, path, start)
    assert treads is not None
    with pytest.raises(DataError) as error:
        check_treads(treads, path, start, LIMITS, 1.0, "Somebody")
    return str(error.value)


def test_treads_are_where_they_are_as_high_as_they_are():
    ground, path = ground_of([(0.0, 0.15), (0.3, 0.15), (0.4, -0.1)])
    treads = treads_of(ground, path, 0.0)
    assert treads is not None
    assert [tread.height for tread in treads.treads] == pytest.approx([0.0, 0.15, 0.3, 0.2])
    assert treads.edges == pytest.approx([2.0, 2.3, 2.7], abs=0.006)
    assert treads.at(2.1).height == pytest.approx(0.15) and treads.highest(2.2, 2.35) == pytest.approx(0.3)
    check_treads(treads, path, 0.0, LIMITS, 1.0, "Somebody")
    assert treads_of(*ground_of([(0.0, 0.15), (0.3, 0.15), (0.4, -0.1)]), 0.0) is treads  # looked for once


def test_level_ground_is_one_tread_and_a_slope_is_none():
    ground, path = ground_of([])
    treads = treads_of(ground, path, 0.0)
    assert treads is not None and len(treads.treads) == 1
    for along, aside in ((0.05, 0.0), (0.01, 0.0), (0.0, 0.05)):
        rise = ground.vertices[:, :1] * (0.0, 0.0, along) + ground.vertices[:, 1:2] * (0.0, 0.0, aside)
        assert treads_of(Terrain(ground.vertices + rise, ground.faces), path, 0.0) is None


def test_a_low_edge_is_an_edge():
    ground, path = ground_of([(0.0, 0.015), (0.5, -0.1)])
    treads = treads_of(ground, path, 0.0)
    assert treads is not None and [tread.height for tread in treads.treads] == pytest.approx([0.0, 0.015, -0.085])


@pytest.mark.parametrize(("deep", "count"), [(0.03, 2), (0.2, 0)])
def test_an_edge_may_be_slanted_a_little_and_a_bank_is_none(deep, count):
    points = [(x, y, z) for x, z in ((-1, 0), (2, 0), (2 + deep, 0.2), (6, 0.2)) for y in (-1.5, 1.5)]
    faces = [face for k in range(0, 6, 2) for face in ((k, k + 2, k + 1), (k + 1, k + 2, k + 3))]
    treads = treads_of(Terrain(points, faces), Path([(0, 0), (4, 0)]), 0.0)
    assert len(treads.treads if treads else ()) == count


def test_stairs_that_are_not_square_to_the_way_have_treads_as_deep_as_all_of_its_breadth_is_on_them():
    ground, _ = ground_of([(0.0, 0.1), (0.5, 0.1)])
    treads = treads_of(ground, Path([(0.0, -0.6), (4.0, 0.6)]), 0.0)
    assert treads is not None
    straight, slanted = 0.5, treads.treads[1].end - treads.treads[1].begin
    assert slanted < straight - 0.08


def test_what_cannot_be_stepped_on_is_said_with_its_place_and_what_to_do():
    assert "an edge of 0.22 m up, 2.0 m along the path" in said([(0.0, 0.22)])
    assert "an edge of 0.18 m down" in said([(0.0, -0.18)])
    assert "a tread 0.2" in said([(0.0, 0.1), (0.24, 0.1)])
    assert "1.0 m from the walk's start" in said([(0.0, 0.1)], start=1.0)
    assert "ends 0.4 m behind an edge" in said([(0.0, 0.1)], beyond=0.4)
    assert "ends 0.10 m before an edge" in said([(0.0, 0.1)], beyond=-0.1)


def test_long_feet_need_deeper_treads_above_all_on_the_way_down():
    for rise, foot, refused in ((0.1, 0.3, False), (-0.1, 0.3, True), (0.1, 0.33, True)):
        ground, path = ground_of([(0.0, rise), (0.29, rise)])
        treads = treads_of(ground, path, 0.0)
        assert treads is not None
        if refused:
            with pytest.raises(DataError, match="make it deeper"):
                check_treads(treads, path, 0.0, LIMITS, 1.0, "Somebody", foot)
        else:
            check_treads(treads, path, 0.0, LIMITS, 1.0, "Somebody", foot)


def test_nobody_stands_on_stairs():
    ground, path = ground_of([(0.0, 0.1), (1.4, 0.1)])
    treads = treads_of(ground, path, 0.0)
    assert treads is not None
    check_treads(treads, path, 0.0, LIMITS, 1.0, "Somebody", waits=[1.0, 2.7])
    with pytest.raises(DataError, match=r"stand on stairs, 2\.3 m"):
        check_treads(treads, path, 0.0, LIMITS, 1.0, "Somebody", waits=[2.3])


def test_a_hole_is_no_tread():
    ground, path = ground_of([(0.0, 0.1)])
    assert treads_of(Terrain(ground.vertices, ground.faces[:-2]), path, 0.0) is None

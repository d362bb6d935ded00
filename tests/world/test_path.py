"""Path: arc length, headings, nearest points, laps and refusals."""

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.world.path import MAX_POINTS, Path

CORNER = Path([(0, 0), (3, 0), (3, 4)])


def test_length_and_positions_follow_the_polyline():
    assert CORNER.length == pytest.approx(7.0)
    assert np.allclose(CORNER.position([0.0, 3.0, 5.0, 8.0, -1.0]), [(0, 0), (3, 0), (3, 2), (3, 5), (-1, 0)])
    assert np.allclose(CORNER.heading([1.0, 4.0]), [0.0, np.pi / 2])
    assert CORNER.heading(3.0, 2.0) == pytest.approx(np.pi / 4)


@pytest.mark.parametrize("s", [-1.0, 0.0, 2.9, 3.0, 3.1, 7.0, 9.0])
def test_one_place_is_the_same_as_one_of_many(s):
    assert CORNER.point(s) == pytest.approx(tuple(CORNER.position(s)))
    assert CORNER.direction(s, 0.4) == pytest.approx(float(CORNER.heading(s, 0.4)))


def test_the_nearest_of_many_points_are_those_of_each():
    rng = np.random.default_rng(7)
    for path in (
        Path(rng.normal(size=(30, 2))),
        Path([[0.0, 0.0], [5.0, 1.0]]),
        Path(rng.normal(size=(9, 2)), True, 2),
    ):
        points = rng.normal(size=(400, 2))
        low = rng.uniform(-0.5, 1.1 * path.length, 400)
        high = low + rng.uniform(0.0, 0.4, 400) * path.length
        single = [path.nearest(*given) for given in zip(points, low, high, strict=True)]
        assert path.nearest_each(points, low, high).tolist() == single
    assert path.nearest_each(points[:0], low[:0], high[:0]).shape == (0,)


def test_nearest_looks_only_where_told():
    there_and_back = Path([(0, 0), (5, 0), (5, 0.1), (0, 0.1)])
    assert there_and_back.nearest((2.0, 0.04)) == pytest.approx(2.0)
    assert there_and_back.nearest((2.0, 0.04), 6.0, 9.0) == pytest.approx(8.1)
    assert there_and_back.nearest((99.0, 0.0), 0.0, 2.5) == pytest.approx(2.5)


def test_distance_is_to_the_line_not_to_its_points():
    assert np.allclose(CORNER.distance([(1.5, 0.2), (3.5, 2.0), (3.0, 5.0)]), [0.2, 0.5, 1.0])


def test_height_is_dropped_and_repeated_points_too():
    path = Path([(0, 0, 5), (0, 0, 6), (2, 0, 7), (2, 0, 7)])
    assert path.length == pytest.approx(2.0)
    assert len(path.points) == 2


def test_a_closed_path_comes_back_and_goes_round_again():
    square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    assert Path(square, closed=True).length == pytest.approx(4.0)
    twice = Path(square, closed=True, laps=2)
    assert twice.length == pytest.approx(8.0)
    assert np.allclose(twice.position(4.5), (0.5, 0.0))
    assert Path(square, laps=2).length == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("points", "word"),
    [
        ([(0, 0), (np.nan, 1)], "finite"),
        ([(0, 0), (0.001, 0)], "0.001 m long"),
        ([(1, 1)], "is 0 m long"),
        ([], "no points"),
    ],
)
def test_unusable_paths_say_what_is_wrong(points, word):
    with pytest.raises(DataError, match=word):
        Path(points)


@pytest.mark.parametrize("size", [0.03, 0.1, 1.0, 10.0])
def test_the_shortest_path_grows_with_the_body(size):
    short, enough = (Path([(0, 0), (length * size, 0)]) for length in (0.49, 0.51))
    enough.check_length(size)
    with pytest.raises(DataError, match="less than a step of this character: draw a curve of at least"):
        short.check_length(size)
    round_and_round = Path([(0, 0), (0.2 * size, 0), (0.1 * size, 0.01 * size)], closed=True, laps=50)
    with pytest.raises(DataError, match="less than a step"):
        round_and_round.check_length(size)


def test_json_round_trip():
    path = Path([(0, 0), (1, 0), (1, 1)], closed=True, laps=3)
    back = Path.from_json(path.as_json())
    assert np.array_equal(back.points, path.points)
    assert (back.closed, back.laps) == (True, 3)
    with pytest.raises(DataError, match=r"path\.points\[1\]"):
        Path.from_json({"points": [[0, 0], ["a", 1]]})


@pytest.mark.parametrize("scale", [0.02, 0.1, 0.5])
@pytest.mark.parametrize("laps", [1, 20])
def test_noise_is_refused_and_says_what_to_do(scale: float, laps: int) -> None:
    noise = np.random.default_rng(0).normal(scale=scale, size=10_000)
    with pytest.raises(DataError, match="as if it were noise: smooth the curve, or remove points from it"):
        Path(np.column_stack((np.linspace(0.0, 10.0, len(noise)), noise)), closed=laps > 1, laps=laps)


def test_many_points_and_many_turns_are_no_noise() -> None:
    around = np.linspace(0.0, 2.0 * np.pi, 10_000, endpoint=False)
    tiny = np.random.default_rng(0).normal(scale=1e-4, size=(10_000, 2))
    circle = np.column_stack((np.cos(around), np.sin(around)))
    assert Path(circle + tiny, closed=True, laps=3).laps == 3
    assert Path(0.1 * circle[::20], closed=True, laps=1000).length == pytest.approx(200.0 * np.pi, rel=1e-3)
    hairpins = [[x, y] for i, x in enumerate(np.arange(0.0, 400.0)) for y in ((0.0, 9.0) if i % 2 else (9.0, 0.0))]
    assert Path(hairpins).length > 3000.0


def test_paths_are_the_same_by_what_they_are() -> None:
    points = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]
    one = Path(points, closed=True, laps=2)
    assert one == Path([[*point, 5.0] for point in points], closed=True, laps=2)
    assert hash(one) == hash(Path(points, closed=True, laps=2))
    for other in (
        Path(points),
        Path(points, closed=True),
        Path([*points[:2], [1.0, 1.1]], closed=True, laps=2),
        points,
    ):
        assert one != other


@pytest.mark.parametrize("laps", [10_000, 10**9])
def test_laps_for_which_there_is_no_room_are_refused_before_it_is_taken(laps, monkeypatch):
    turns = np.linspace(0.0, 2.0 * np.pi, 1000, endpoint=False)
    ring = np.stack((np.cos(turns), np.sin(turns)), axis=1)
    sizes = []
    joined = np.concatenate

    def counted(parts, **given):
        sizes.append(len(parts))
        return joined(parts, **given)

    monkeypatch.setattr(np, "concatenate", counted)
    with pytest.raises(DataError, match=f"with all of its {laps} laps.*take fewer laps"):
        Path(ring, closed=True, laps=laps)
    assert max(sizes) < 1000
    assert len(Path(ring[::50], closed=True, laps=1000).points) == 20_001 < MAX_POINTS


def test_laps_that_are_too_long_together_are_refused():
    with pytest.raises(DataError, match="1800 km long with all of its 900 laps; at most 1000 km"):
        Path([(0, 0), (500, 0), (500, 500), (0, 500)], closed=True, laps=900)

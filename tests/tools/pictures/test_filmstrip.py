"""Pictures: solids where they are, the same side view on every heading, and files that are written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as FilePath

import numpy as np
import pytest

pytest.importorskip("matplotlib")
from matplotlib import pyplot

from blender_biped.base.spatial import Array
from blender_biped.character.model import Shape
from blender_biped.job import Job, write_job
from blender_biped.motion import strip
from blender_biped.motion.motion import Attempt, Failure, Motion, write_motion
from blender_biped.motion.solids import Canvas, PlacedSolid, rendered
from blender_biped.world.path import Path
from tests.motion.synthetic import walked
from tools.pictures import filmstrip

RED, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
BALL = Shape("capsule", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.5)
CANVAS = Canvas(-1.0, 1.0, -1.0, 1.0, 100.0)


def solid(shape: Shape, place: tuple[float, float, float], color: tuple[float, float, float] = RED) -> PlacedSolid:
    return PlacedSolid(shape, np.array(place), np.eye(3), color)


@pytest.fixture(scope="module")
def walk() -> tuple[Motion, Job]:
    return walked(Path([[0.0, 0.0], [4.0, 0.0], [6.0, 1.5]]))


@pytest.mark.parametrize(
    ("shape", "area"),
    [
        (BALL, np.pi * 0.25),
        (Shape("capsule", (0.0, 0.0, 0.0), (0.3, 0.2, 0.0), 0.2), np.pi * 0.04 + 0.4 * 2.0 * np.hypot(0.3, 0.2)),
        (Shape("box", (0.1, 0.0, 0.0), (0.3, 0.2, 0.1)), 0.24),
    ],
)
def test_a_solid_covers_its_outline(shape: Shape, area: float) -> None:
    image = rendered([solid(shape, (0.1, -0.1, 0.0))], CANVAS)
    assert image.shape == (200, 200, 4)
    assert image[..., 3].sum() / 100.0**2 == pytest.approx(area, rel=0.01)


def test_the_nearer_solid_hides_the_other_whatever_their_order() -> None:
    near, far = solid(BALL, (0.0, 0.0, 1.0)), solid(BALL, (0.2, 0.0, -1.0), BLUE)
    for order in ([near, far], [far, near]):
        image = rendered(order, CANVAS)
        assert image[100, 100, 0] > 0.5 > image[100, 100, 2]
        assert image[100, 160, 2] > 0.5 > image[100, 160, 0]


def strip_image(motion: Motion, view: filmstrip.View) -> Array:
    axes = filmstrip.film_strip(motion, [2.0, 2.3], view)
    image = np.asarray(axes.images[0].get_array())
    pyplot.close("all")
    return image


@pytest.mark.parametrize("view", ["side", "front", "top"])
def test_the_eye_turns_with_the_walker(view: filmstrip.View) -> None:
    along_x = strip_image(walked(Path([[0.0, 0.0], [5.0, 0.0]]))[0], view)
    along_y = strip_image(walked(Path([[3.0, 1.0], [3.0, 6.0]]))[0], view)
    assert np.abs(along_x - along_y).mean() < 1e-3
    assert along_x[..., 3].mean() > 0.05


def test_side_and_front_show_the_sides_they_should(walk: tuple[Motion, Job]) -> None:
    """From the right the right leg hides the left; from ahead the walker's left is on the picture's right."""
    standing = walk[0].sampled([0.0, 0.1])
    views: tuple[filmstrip.View, filmstrip.View] = ("side", "front")
    side, front = (np.asarray(filmstrip.film_strip(standing, [0.0], v).images[0].get_array()) for v in views)
    pyplot.close("all")

    def count(image: Array, color: tuple[float, float, float]) -> Array:
        hue = image[..., :3] @ np.array([1.0, 0.0, -1.0])
        return np.asarray((image[..., 3] > 0.9) & (hue * np.sign(color[0] - color[2]) > 0.2))

    assert count(side, strip.RIGHT).sum() > 5 * count(side, strip.LEFT).sum()
    left, right = (np.nonzero(count(front, c))[1].mean() for c in (strip.LEFT, strip.RIGHT))
    assert left > right


def test_a_body_stands_on_the_ground_line(walk: tuple[Motion, Job]) -> None:
    axes = filmstrip.film_strip(walk[0], [0.0])
    image = axes.images[0]
    rows = np.flatnonzero(np.asarray(image.get_array())[..., 3].max(axis=1) > 0.5)
    _, _, bottom, top = image.get_extent()
    pixel = (top - bottom) / image.get_array().shape[0]  # type: ignore[union-attr]
    pyplot.close("all")
    assert top - (rows[-1] + 1) * pixel == pytest.approx(0.0, abs=2.0 * pixel)


def test_footprints_are_drawn_for_every_stance(walk: tuple[Motion, Job]) -> None:
    axes = filmstrip.path_from_above(*walk, pyplot.figure().add_subplot())
    outlines = [p.get_xy().mean(axis=0) for p in axes.patches]  # type: ignore[attr-defined]
    pyplot.close("all")
    assert len(outlines) == len(walk[0].strikes) + 2  # and the two it began on
    assert all(walk[1].path.distance(np.array([o]))[0] < 0.3 for o in outlines)


@pytest.mark.parametrize(
    ("when", "at", "begin", "end"),
    [("end", 0.0, -2.1, 0.0), ("at", 3.0, 2.45, 3.55), ("at", 99.0, -1.1, 0.0), ("at", 0.1, 0.0, 0.65)],
)
def test_a_moment_has_its_times(
    walk: tuple[Motion, Job], when: filmstrip.When, at: float, begin: float, end: float
) -> None:
    """Times at or below zero are from the end of the walk."""
    times = filmstrip.moment_times(*walk, when, at)
    whole = walk[0].duration
    assert times[0] == pytest.approx(begin + (whole if begin < 0.0 else 0.0))
    assert times[-1] == pytest.approx(end + (whole if end <= 0.0 else 0.0))


def test_a_typical_stride_is_a_stride_of_steady_walking(walk: tuple[Motion, Job], tmp_path: FilePath) -> None:
    times = filmstrip.moment_times(*walk, "ahead", 0.0)
    assert times[-1] - times[0] == pytest.approx(1.0, abs=0.02)
    filmstrip.moment_picture(*walk, "ahead", 0.0, tmp_path / "moment.png")
    image = pyplot.imread(tmp_path / "moment.png")
    assert image.shape[1] > 1000 and image[..., :3].std() > 0.05


@pytest.mark.long
def test_the_command_line_draws_and_says_so(
    walk: tuple[Motion, Job], tmp_path: FilePath, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / name for name in ("motion.npz", "job.json", "walk.png")]
    write_motion(walk[0], files[0])
    write_job(walk[1], files[1])
    assert filmstrip.main([str(f) for f in files]) == 0
    assert str(files[2]) in capsys.readouterr().out
    image = pyplot.imread(files[2])
    assert image.shape[1] > 1500 and image.shape[0] > 1500
    assert image[..., :3].std() > 0.05
    filmstrip.angles_picture(*walk, tmp_path / "angles.png")
    assert pyplot.imread(tmp_path / "angles.png").shape[1] > 1500


def test_a_missing_file_is_named(tmp_path: FilePath, capsys: pytest.CaptureFixture[str]) -> None:
    assert filmstrip.main([str(tmp_path / "none.npz"), "job.json", "walk.png"]) == 1
    assert "none.npz" in capsys.readouterr().err


def test_the_title_names_who_walks_and_not_who_was_to(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    assert ": generalized/default, " in filmstrip.walk_title(motion, job)
    other = replace(motion, attempt=Attempt("klaw", "stroll", "Stroll", False, 1.0, False, (Failure("fell", 2.0),)))
    assert ": klaw/stroll, " in filmstrip.walk_title(other, job)

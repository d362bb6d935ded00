"""Gaits over time, without Blender: orders and speeds of presets, transitions, and what markers' names say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from blender_biped.base.errors import DataError
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import kind_of, kinds
from blender_biped.job import Job, job_from_json
from blender_biped.preset import transitions
from blender_biped.preset.cue import Cue
from blender_biped.preset.markers import GaitChange, MarkerMeaning, MarkerReader, names_of, read_marker, read_markers
from blender_biped.preset.preset import Preset, Speeds, preset, presets, speeds_of
from blender_biped.world.path import Path as Way

SPEEDS = {"walk": (0.0, 1.4), "in_place": (0.0, 0.0), "crouch": (0.0, 0.6), "fast_walk": (1.0, 1.8), "run": (1.2, 2.2)}
LABELS = {"walk": "Walk", "in_place": "In Place", "crouch": "Crouched", "fast_walk": "Fast Walk", "run": "Run"}
GAITS = {
    name: Preset(name, "simbicon", LABELS[name], "", {"speeds": [slow, fast]}) for name, (slow, fast) in SPEEDS.items()
}
TABLE = {"walk": {"run": (), "crouch": ("in_place",)}, "run": {"walk": ("fast_walk",), "crouch": ("walk", "in_place")}}
HERO = MarkerReader("Hero", ("Hero", "Villain"), names_of(GAITS.values()))


def names(found: tuple[Preset, ...]) -> list[str]:
    return [style.name for style in found]


def write(folder: Path, name: str, **more: Any) -> None:
    folder.mkdir(exist_ok=True)
    data = {"version": 1, "controller": folder.name, "label": name.title(), "values": {}, **more}
    (folder / f"{name}.json").write_text(json.dumps(data))


# --- presets ---------------------------------------------------------------------------------------------------------


def test_presets_stand_in_their_order_the_default_first(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    for name, order in (("b", None), ("a", None), ("late", 200), ("early", 5), ("default", 900)):
        write(folder, name, **({} if order is None else {"order": order}))
    assert [p.name for p in presets("own", tmp_path)] == ["default", "early", "a", "b", "late"]
    assert [p.order for p in presets("own", tmp_path)] == [900, 5, 100, 100, 200]
    write(folder, "odd", order="first")
    with pytest.raises(DataError, match=r"odd\.json\.order: expected a number"):
        presets("own", tmp_path)


def test_a_job_keeps_the_order_of_its_presets() -> None:
    run = Preset("run", "simbicon", "Run", "", {}, order=7)
    job = Job(standard_character(), Way([(0, 0), (4, 0)]), run, cues=(Cue(1.0, run, 2, 0.5),), ending=(run,))
    read = job_from_json(json.loads(json.dumps(job.as_json())))
    assert (read.preset, read.cues, read.ending) == (job.preset, job.cues, job.ending)


def test_speeds_are_read_and_refused() -> None:
    assert speeds_of(preset("generalized", "default")) is None
    assert speeds_of(GAITS["walk"]) == Speeds(0.0, 0.7, 1.4)
    told = Preset("run", "simbicon", "Run", "", {"speeds": [1, 2], "usual": 1.25})
    assert speeds_of(told) == Speeds(1.0, 1.25, 2.0)
    assert [Speeds(1.0, 1.2, 2.0).held(v) for v in (0.5, 1.5, 9.0)] == [1.0, 1.5, 2.0]
    for values, said in (
        ({"speeds": [2, 1]}, r"run\.values\.speeds: expected slowest and fastest.*found 2, 1"),
        ({"speeds": [1]}, r"speeds: expected 2 numbers"),
        ({"speeds": [1, 2], "usual": 3}, r"usual: 3 is out of range \(1 to 2\)"),
    ):
        with pytest.raises(DataError, match=said):
            speeds_of(Preset("run", "simbicon", "Run", "", values))


# --- transitions -----------------------------------------------------------------------------------------------------


def test_the_shipped_table_names_gaits_that_there_are() -> None:
    for controller in (kind.name for kind in kinds()):
        known = {p.name: p for p in presets(controller)}
        table = transitions.read_transitions(controller)
        assert bool(table) == kind_of(controller).can.change
        for a, row in table.items():
            assert {a, *row, *(via for way in row.values() for via in way)} <= {*known, transitions.STAND}
        for style in known.values():
            last = transitions.own_ending(style)
            speeds = speeds_of(style)
            assert speeds is not None or not kind_of(controller).can.change
            rests = controller == "simbicon"  # planar walks keep their speed
            assert names(last[-1:]) == (["walk"] if rests and speeds and speeds.slowest > 0.0 else [])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "expected an object"),
        ('{"version": 2}', "version is 2"),
        ('{"version": 1}', "controllers is missing"),
        ('{"version": 1, "controllers": {"simbicon": {"walk": []}}}', "simbicon.walk: expected an object"),
        ('{"version": 1, "controllers": {"simbicon": {"walk": {"run": "walk"}}}}', "walk.run: expected a list"),
        ('{"version": 1, "controllers": {"simbicon": {"walk": {"run": [1]}}}}', r"run\[0\]: expected the name"),
    ],
)
def test_a_wrong_table_names_its_field(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Cannot read"):
        transitions.read_transitions("simbicon", tmp_path)
    (tmp_path / transitions.TABLE).write_text(text)
    with pytest.raises(DataError, match=said):
        transitions.read_transitions("simbicon", tmp_path)


def test_a_change_passes_through_the_gaits_on_the_way() -> None:
    cues = (Cue(2.0, GAITS["run"], speed=2.0), Cue(5.0, GAITS["crouch"], speed=0.3), Cue(9.0, GAITS["fast_walk"]))
    found = transitions.expanded(GAITS["walk"], cues, TABLE, GAITS)
    steps = transitions.VIA_STEPS
    assert [(c.time, c.preset.name, c.steps, c.speed) for c in found] == [
        (2.0, "run", 0, 2.0),
        (5.0, "walk", steps, 0.3), (5.0, "in_place", steps, 0.3), (5.0, "crouch", 0, 0.3),
        (9.0, "fast_walk", 0, 0.0),
    ]  # fmt: skip
    assert transitions.expanded(GAITS["walk"], (), TABLE, GAITS) == ()
    with pytest.raises(DataError, match=r"there is no gait 'in_place'.*one of walk, crouch"):
        transitions.expanded(GAITS["walk"], cues[1:2], TABLE, {n: GAITS[n] for n in ("walk", "crouch")})


def test_a_gait_that_cannot_slow_down_comes_to_rest_through_others() -> None:
    assert names(transitions.ending(GAITS["run"], TABLE, GAITS)) == ["fast_walk", "walk"]
    assert names(transitions.ending(GAITS["fast_walk"], TABLE, GAITS)) == ["walk"]
    assert transitions.ending(GAITS["crouch"], TABLE, GAITS) == ()
    assert transitions.own_ending(preset("generalized", "default")) == ()
    with pytest.raises(DataError, match="there is no gait 'walk'"):
        transitions.ending(GAITS["run"], {}, {"run": GAITS["run"]})


def test_a_walk_comes_to_rest_wherever_its_path_ends() -> None:
    walk, run, fast = GAITS["walk"], GAITS["run"], GAITS["fast_walk"]
    assert names(transitions.resting((walk, run, walk), TABLE, GAITS)) == ["fast_walk", "walk"]  # it may end in the run
    assert names(transitions.resting((run, fast), TABLE, GAITS)) == ["walk"]
    assert transitions.resting((walk, GAITS["crouch"]), TABLE, GAITS) == ()


# --- markers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "gait", "speed"),
    [
        ("Run", "run", None),
        ("rUN", "run", None),
        ("  fast   WALK ", "fast_walk", None),
        ("fast_walk", "fast_walk", None),
        ("crouch", "crouch", None),  # the file's name
        ("Crouched", "crouch", None),  # the label
        ("run 2.4", "run", 2.4),
        ("Fast Walk 1.6 m/s", "fast_walk", 1.6),
        ("Fast Walk 1,6m/s", "fast_walk", 1.6),
        ("run 9 km/h", "run", 2.5),
        ("run .5 ft/s", "run", 0.1524),
        ("walk 0", "walk", 0.0),
        ("Hero: Run", "run", None),
        ("hero:run 2", "run", 2.0),
    ],
)
def test_a_marker_says_gait_and_speed(text: str, gait: str, speed: float | None) -> None:
    said = read_marker(text, HERO)
    assert (said.gait, said.doubt, said.own) == (gait, "", ":" in text)
    assert said.speed == (None if speed is None else pytest.approx(speed))


def test_a_speed_without_a_unit_is_in_the_scenes() -> None:
    reader = MarkerReader("Hero", ("Hero",), HERO.gaits, 0.3048)
    assert read_marker("run 5", reader).speed == pytest.approx(1.524)
    assert read_marker("run 1.5 m/s", reader).speed == pytest.approx(1.5)


def test_a_speed_of_digits_without_end_is_none() -> None:
    found = read_marker(f"run {'9' * 400}", HERO)
    assert found.speed is None and not found.gait and "nothing goes that fast" in found.doubt and len(found.doubt) < 120


@pytest.mark.parametrize("text", ["", "F_20", "Kick", "Explosion", "Villain: Run", "Take 2: Run", "run:", "7", "12 m"])
def test_other_markers_say_nothing(text: str) -> None:
    assert read_marker(text, HERO) == MarkerMeaning()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Rnu", "'Rnu' is no gait; did you mean 'Run'?"),
        ("Fast Wlak 1.6", "did you mean 'Fast Walk'?"),
        ("Hero: crouchd", "did you mean 'Crouched'?"),
        ("Heor: Run", "'Heor: Run' names no armature of this scene; did you mean 'Hero'?"),
        ("Run 3 knots", "'knots' is no unit of speed; use m/s, km/h"),
        ("Run -1", "did you mean 'Run'?"),
    ],
)
def test_what_was_probably_meant_is_said(text: str, said: str) -> None:
    found = read_marker(text, HERO)
    assert not found.gait and said in found.doubt


def test_markers_make_a_timeline() -> None:
    marks = [(90, "Walk"), (10, "In Place"), (50, "Run 2"), (50, "Hero: crouch"), (50, "Villain: walk"), (70, "Rnu")]
    found = read_markers(marks, HERO)
    assert found.changes == (
        GaitChange(10, "in_place", None, "In Place"),
        GaitChange(50, "crouch", None, "Hero: crouch"),
        GaitChange(90, "walk", None, "Walk"),
    )
    assert found.doubts == ("Frame 70: 'Rnu' is no gait; did you mean 'Run'?",)
    assert found.begun(9) is None
    assert [found.begun(f) for f in (10, 49, 50, 400)] == [found.changes[i] for i in (0, 0, 1, 2)]
    assert found.later(10) == found.changes[1:] and found.later(90) == ()


def test_of_equal_markers_at_one_frame_the_last_counts() -> None:
    assert [c.gait for c in read_markers([(5, "Walk"), (5, "Run")], HERO).changes] == ["run"]
    assert [c.gait for c in read_markers([(5, "Hero: Walk"), (5, "Run")], HERO).changes] == ["walk"]


def test_what_has_passes_is_done_once() -> None:
    assert transitions.done_once(preset("simbicon", "kick"))
    assert not transitions.done_once(preset("simbicon", "hop"))

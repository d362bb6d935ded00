"""What a limit-cycle preset's graphs become: relative graphs, mirrored turns, composites; and errors by name."""

import copy

import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.fields import Fields
from blender_biped.control.limit_cycle.settings import between, perturbed, read_limit_cycle
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.control.shared.pose_graph import added, part_of, read_relative, read_state
from blender_biped.preset.preset import preset, presets

WALK = preset("limit_cycle", "default").values


def values(**changes):
    return {**copy.deepcopy(dict(WALK)), **changes}


def state(until="time", dwell=0.2, **angles):
    return read_state(Fields({"until": until, "dwell": dwell, "angles": angles}, "state"))


def change(dwell=0.0, **angles):
    return read_relative(Fields({"dwell": dwell, "angles": angles}, "change"))


def angle(one, name):
    return one.angles[name][0][1]


def test_a_relative_graph_is_added_with_a_scale():
    base = (state(stance_thigh_pitch=-10.0), state("contact", 0.0, swing_shin_pitch=60.0))
    relative = (change(0.05, stance_thigh_pitch=1.0), change(swing_thigh_roll=2.0))
    first, second = added(base, relative, -4.0)
    assert angle(first, "stance_thigh_pitch") == -14.0 and first.dwell == pytest.approx(0.0)
    assert angle(second, "swing_thigh_roll") == -8.0 and angle(second, "swing_shin_pitch") == 60.0
    assert second.until == "contact"
    assert added(base, relative, 0.0) == base


def test_graphs_of_other_lengths_are_not_added():
    with pytest.raises(DataError, match="2 states cannot be added to one of 3"):
        added((state(),) * 3, (change(),) * 2, 1.0)


def test_a_relative_graph_of_one_state_changes_every_state():
    changed = added((state(), state(swing_foot_pitch=3.0)), (change(swing_foot_pitch=1.0),), 2.0)
    assert [angle(one, "swing_foot_pitch") for one in changed] == [2.0, 5.0]


def test_a_turn_to_the_right_is_the_mirror_image_of_one_to_the_left():
    motion = read_limit_cycle(WALK)
    assert motion.turning is not None
    graphs, turn = motion.parts[0].graphs, motion.turning.relative
    left, right = perturbed(graphs, turn, 8.0), perturbed(graphs, turn, -8.0)
    assert left[LEFT] == right[RIGHT] and left[RIGHT] == right[LEFT]
    assert left[LEFT] != left[RIGHT]


def test_a_composite_graph_goes_from_part_to_part():
    part = values()["graph"][0]
    motion = read_limit_cycle(values(graph=[{**part, "passes": 3, "balanced": False}, {**part, "passes": 2}]))
    assert [part_of(motion.parts, n) for n in range(5)] == [motion.parts[0]] * 3 + [motion.parts[1]] * 2
    assert part_of(motion.parts, 5) is None
    assert part_of(read_limit_cycle(WALK).parts, 10_000) is not None


def test_half_of_two_base_graphs():
    straight, bent = (read_limit_cycle(preset("limit_cycle", name).values) for name in ("default", "bent_over"))
    half = between(straight.parts[0].graphs, bent.parts[0].graphs, 0.5)[LEFT][0]
    assert angle(half, "chest_pitch") == pytest.approx(7.5)


def test_numbers_are_those_of_the_body_that_they_are_for():
    small, large = (
        read_limit_cycle(values(body={"mass": 70.4 * k**3, "leg": 0.9 * k})).gains["hip"] for k in (1.0, 2.0)
    )
    assert large[0] == pytest.approx(small[0] / 16.0)


@pytest.mark.parametrize("one", presets("limit_cycle"), ids=lambda p: p.name)
def test_every_preset_is_readable(one):
    assert read_limit_cycle(one.values).parts


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"graph": []}, r"values\.graph"),
        ({"graph": [{"states": [{"until": "time", "dwell": 0.0, "angles": {}}]}]}, "takes time"),
        ({"style": {"limp": 1.0}}, r"style\.limp: there is no relative graph 'limp'"),
        ({"turning": {"perturbation": "spin", "gain": 1, "most": 1}}, r"turning\.perturbation"),
        ({"speeds": [2.0, 1.0]}, r"values\.speeds"),
        ({"level": [3]}, r"level\[0\]"),
        ({"balance": {"dimensions": [{"perturbation": "hip_roll"}]}}, r"dimensions\[0\]\.vectors is missing"),
        ({"balance": {"strategy": "luck", "dimensions": []}}, r"balance\.strategy"),
    ],
)
def test_wrong_presets_are_named(wrong, named):
    with pytest.raises(DataError, match=named):
        read_limit_cycle(values(**wrong))

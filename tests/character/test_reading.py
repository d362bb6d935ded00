"""What is read of a character: a wrong link is refused by the name of its field, before physics would fail."""

from __future__ import annotations

import json
from typing import Any

import pytest

from blender_biped.base.errors import DataError
from blender_biped.character.model import misplaced
from blender_biped.character.reading import character_from_json
from blender_biped.character.standard import standard_character


@pytest.fixture
def data() -> dict[str, Any]:
    written: dict[str, Any] = json.loads(json.dumps(standard_character().as_json()))
    return written


def test_what_was_written_is_read(data: dict[str, Any]) -> None:
    assert character_from_json(data) == standard_character()


@pytest.mark.parametrize("radius", [0.0, -1.0, 1e5])
def test_a_capsule_without_a_radius_is_refused(data: dict[str, Any], radius: float) -> None:
    data["links"][5]["shape"] |= {"kind": "capsule", "radius": radius}
    with pytest.raises(DataError, match=r"character\.links\[5\]\.shape\.radius: .* is out of range"):
        character_from_json(data)


def test_links_that_are_not_depth_first_are_refused(data: dict[str, Any]) -> None:
    roles = [link["role"] for link in data["links"]]
    hand, head = roles.index("hand.R"), roles.index("head")
    data["links"][hand]["parent"] = head  # of another branch, done before
    with pytest.raises(DataError, match=rf"character\.links\[{hand}\]\.parent: links must be listed depth first"):
        character_from_json(data)


def test_the_first_misplaced_link_is_found() -> None:
    assert misplaced([-1, 0, 1, 0, 3]) is None
    assert misplaced([-1, 0, 0, 1]) == 3


@pytest.mark.parametrize("name", ["com", "inertia", "offset"])
@pytest.mark.parametrize("value", [[0.0, [1.0], 0.0], [1.0, 2.0], [[1.0, 2.0, 3.0]] * 3])
def test_a_ragged_array_is_refused(data: dict[str, Any], name: str, value: Any) -> None:
    data["links"][3][name] = value
    with pytest.raises(DataError, match=rf"character\.links\[3\]\.{name}"):
        character_from_json(data)


@pytest.mark.parametrize("value", [0.0, -1e-3])
def test_a_link_that_turns_without_effort_is_refused(data: dict[str, Any], value: float) -> None:
    """The engine answers with no numbers at all, in the midst of a controller."""
    data["links"][1]["inertia"][2] = value
    with pytest.raises(DataError, match=r"character\.links\[1\]\.inertia: expected moments of inertia above 0"):
        character_from_json(data)


@pytest.mark.parametrize("value", [[0.0] * 4, [1.0, 1.0, 0.0, 0.0]])
def test_a_rest_that_is_no_rotation_is_refused(data: dict[str, Any], value: list[float]) -> None:
    data["links"][2]["rest"] = value
    with pytest.raises(DataError, match=r"character\.links\[2\]\.rest: expected a unit quaternion"):
        character_from_json(data)


@pytest.mark.parametrize("name", ["offset", "com", "inertia"])
@pytest.mark.parametrize("value", [1e300, -1e300])
def test_a_length_that_no_body_has_is_refused(data: dict[str, Any], name: str, value: float) -> None:
    """Its square is no number: KLAW's body and the balance of the others ended in tracebacks."""
    data["links"][3][name][1] = value
    with pytest.raises(DataError, match=rf"character\.links\[3\]\.{name}: expected"):
        character_from_json(data)


@pytest.mark.parametrize("value", [0.0, -0.05, 1e300])
def test_a_box_without_thickness_is_refused(data: dict[str, Any], value: float) -> None:
    """A sole of no width has no place to be pressed at: natural walking divided by it."""
    foot = next(i for i, link in enumerate(data["links"]) if link["role"] == "foot.L")
    data["links"][foot]["shape"]["half"][1] = value
    with pytest.raises(DataError, match=rf"character\.links\[{foot}\]\.shape\.half: expected"):
        character_from_json(data)


@pytest.mark.parametrize("role", ["shin.L", "foot.R"])
def test_a_leg_of_which_a_part_has_no_length_is_refused(data: dict[str, Any], role: str) -> None:
    """No knee bends it: the way of its foot divided by its length. A knee that is only aside is such a one."""
    i = next(i for i, link in enumerate(data["links"]) if link["role"] == role)
    data["links"][i]["offset"] = [0.0, 0.1, 0.0]
    with pytest.raises(DataError, match=rf"character\.links\[{i}\]\.offset: a thigh or shin is shorter"):
        character_from_json(data)

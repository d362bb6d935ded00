"""What hands do on the way, as jobs have it."""

import pytest

from blender_biped.base.errors import DataError
from blender_biped.world.targets import Target
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import EMPTY, World, world_from_json

CRATE = Thing("crate", Solid("box", (0.1, 0.1, 0.1)), (1.0, 0.0, 0.1), mass=5.0)
WALL = Thing("wall", Solid("box", (0.1, 0.1, 0.1)), (9.0, 0.0, 0.1))
TAKEN = Target("crate", "pick_up", thing="crate", hands="both")
WORLD = World(things=(CRATE, WALL), targets=(TAKEN, Target("there", "set_down", (3.0, 0.5, 0.8))))


def test_they_are_written_and_read_back_and_a_world_without_is_as_it_was():
    assert world_from_json(WORLD.as_json(), "world") == WORLD
    assert "targets" not in EMPTY.as_json() and not WORLD.empty


def test_they_are_scaled_with_the_world():
    assert WORLD.scaled(2.0, 1.0, 1.0).targets[1].place == (6.0, 1.0, 1.6)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"thing": "nothing"}, "no prop 'nothing'"),
        ({"thing": "wall"}, "no prop 'wall'"),
        ({"act": "throw"}, "act"),
        ({"hands": "feet"}, "hands"),
        ({"place": [0.0, 0.0, 1e9]}, "place"),
        ({"force": 1.0}, "force"),
    ],
)
def test_what_is_wrong_is_named(change, said):
    data = WORLD.as_json()
    data["targets"][0] |= change
    with pytest.raises(DataError, match=said):
        world_from_json(data, "world")


def test_nothing_is_picked_up_twice():
    data = WORLD.as_json()
    data["targets"].append(TAKEN.as_json())
    with pytest.raises(DataError, match="taken already"):
        world_from_json(data, "world")

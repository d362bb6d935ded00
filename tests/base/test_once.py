"""What is found once for each object."""

from __future__ import annotations

import gc
import weakref
from dataclasses import dataclass, field

import pytest

from blender_biped.base.once import Equals, once_for_each


@dataclass(frozen=True)
class Thing:
    """A frozen object that cannot be hashed."""

    name: str
    more: dict[str, int] = field(default_factory=dict)


def test_each_object_is_looked_at_once_and_another_one_of_the_same_content_as_well() -> None:
    looked: list[str] = []

    @once_for_each
    def found(thing: Thing) -> list[str]:
        """Say what it is."""
        looked.append(thing.name)
        return [thing.name]

    one, same, other = Thing("one"), Thing("one"), Thing("other")
    assert found(one) is found(one) and found(same) == found(one) and found(same) is not found(one)
    assert found(other) == ["other"] and found(one) == ["one"]
    assert looked == ["one", "one", "other"]
    assert found.__doc__ == "Say what it is."


def test_what_was_found_goes_with_its_object() -> None:
    class Result:
        pass

    found = once_for_each(lambda thing: Result())
    results = []
    for k in range(50):  # the same memory is used again and again
        thing = Thing(str(k))
        results.append(weakref.ref(found(thing)))
        assert found(thing) is results[-1]()
        del thing
    gc.collect()
    assert not [result for result in results if result() is not None]


def test_an_error_is_raised_each_time() -> None:
    count = 0

    @once_for_each
    def fails(thing: Thing) -> int:
        nonlocal count
        count += 1
        raise ValueError(thing.name)

    thing = Thing("wrong")
    for _ in range(2):
        with pytest.raises(ValueError, match="wrong"):
            fails(thing)
    assert count == 2


def test_of_equal_objects_the_first_one_is_given_and_the_one_that_was_not_asked_for_longest_goes() -> None:
    known = Equals[Thing](2)
    one, two, three = Thing("1"), Thing("2"), Thing("3")
    assert known.one(one) is one and known.one(Thing("1")) is one and known.one(two) is two
    assert known.one(Thing("1")) is one and known.one(three) is three
    again = Thing("2")
    assert known.one(again) is again and known.one(Thing("3")) is three
    known.forget()
    assert known.one(other := Thing("3")) is other

"""What takes long is done in parts, of which each time one is done at least."""

from __future__ import annotations

import time

import pytest

from blender_biped.base.patience import UnfinishedError, costly, patient


def spend(seconds: float) -> None:
    """Use the processor for so long."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def add(done: list[int], count: int, seconds: float = 0.0) -> list[int]:
    """Add numbers up to a count, each of which takes a while."""
    while len(done) < count:
        with costly():
            spend(seconds)
            done.append(len(done))
    return done


def test_without_somebody_who_waits_all_is_done_at_once() -> None:
    assert add([], 5, 0.001) == [0, 1, 2, 3, 4]


def test_each_time_one_part_is_done_at_least_and_the_rest_is_asked_for_again() -> None:
    done: list[int] = []
    for count in range(1, 4):
        with pytest.raises(UnfinishedError), patient(1e-9):
            add(done, 4)
        assert len(done) == count
    with patient(1e-9):
        assert add(done, 4) == [0, 1, 2, 3]


def test_so_much_is_done_as_there_is_patience_for() -> None:
    done: list[int] = []
    with pytest.raises(UnfinishedError), patient(0.01):
        add(done, 1000, 0.002)
    assert 2 <= len(done) <= 6
    add(done, len(done) + 1)  # nobody waits any more


def test_what_costs_nothing_takes_no_patience() -> None:
    with patient(0.005):
        with costly():
            pass
        spend(0.01)
        with costly():
            pass


def test_a_part_that_fails_has_taken_its_time() -> None:
    with pytest.raises(UnfinishedError), patient(0.001):
        with pytest.raises(ValueError), costly():
            spend(0.002)
            raise ValueError
        with costly():
            pass

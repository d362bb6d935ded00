"""Cues: when a walk goes over from one gait to the next."""

from blender_biped.control.shared.cues import CueSchedule, GaitCue


def test_the_first_cue_holds_till_the_next_is_due():
    schedule = CueSchedule([GaitCue(0.0, "walk"), GaitCue(2.0, "run", speed=2.5)])
    assert schedule.now.gait == "walk" and schedule.due(1.99) is None
    due = schedule.due(2.0)
    assert due is not None and due.gait == "run"
    assert schedule.now.gait == "walk"  # who walks says when
    assert schedule.go_on() == "run" and schedule.now.speed == 2.5
    assert schedule.due(99.0) is None


def test_a_cue_waits_for_the_steps_of_the_gait_before():
    schedule = CueSchedule([GaitCue(0.0, "walk", steps=3), GaitCue(0.0, "run", steps=1), GaitCue(0.0, "hop")])
    for steps in range(5):
        schedule.steps = steps
        assert (schedule.due(1.0) is not None) == (steps >= 3)
    schedule.go_on()
    assert schedule.steps == 0 and schedule.due(1.0) is None  # each gait has steps of its own


def test_a_cue_with_a_place_is_due_there():
    schedule = CueSchedule([GaitCue(0.0, "walk"), GaitCue(0.0, "run", place=4.0), GaitCue(3.0, "hop")])
    assert schedule.due(9.0, 3.9) is None and schedule.due(0.0, 4.0) is not None
    schedule.go_on()
    assert schedule.due(2.0, 5.0) is None and schedule.due(3.0, 0.0) is not None

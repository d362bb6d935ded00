"""The discrete model of a step: from trials of any function to the scalings that reach a target."""

import numpy as np
import pytest

from blender_biped.control.limit_cycle.sampling import STRATEGIES, Sampler, Sampling

TARGET = np.array([0.25, 0.03])
SLOPES = np.array([[0.02, 0.0], [0.0, 0.015]])
COUPLED = np.array([[0.02, -0.01], [0.008, 0.015]])


def linear(slopes, nominal=(0.1, -0.05)):
    """Return a step whose variables answer its scalings in a straight line, and the list of those that were tried."""
    tried = []

    def response(scalings):
        tried.append(scalings.copy())
        return np.array(nominal) + slopes @ scalings

    return response, tried


def sampler(strategy="forward-lateral", most=(180.0, 180.0), **more):
    return Sampler(Sampling(strategy, (5.0, 4.0), most, **more))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_reaches_the_target_where_dimensions_are_independent(strategy):
    response, tried = linear(SLOPES)
    answer = sampler(strategy).answer(response, TARGET)
    assert response(answer.scalings) == pytest.approx(TARGET, abs=0.01)
    assert answer.trials == len(tried) - 1 and answer.falls == 0


def test_the_second_dimension_knows_what_the_first_will_do():
    """Section 3.7.2: F-L and L-F reach their last variable where superposition does not."""
    response, _ = linear(COUPLED)
    missed = {s: np.abs(response(sampler(s).answer(response, TARGET).scalings) - TARGET) for s in STRATEGIES}
    assert missed["forward-lateral"][1] < 1e-9 < missed["superposition"][1]
    assert missed["lateral-forward"][0] < 1e-9 < missed["superposition"][0]
    assert missed["jacobian"].max() < 0.01


def test_the_thesis_samples_to_either_side_of_none():
    response, tried = linear(SLOPES)
    sampler("superposition").answer(response, TARGET)
    assert [k.tolist() for k in tried] == [[5.0, 0.0], [-5.0, 0.0], [0.0, 4.0], [0.0, -4.0]]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_samples_that_fall_are_dropped(strategy):
    response, _ = linear(SLOPES)
    answer = sampler(strategy).answer(lambda k: None if k[0] > 4.0 else response(k), np.array([0.15, 0.0]))
    assert answer.falls > 0
    assert response(answer.scalings) == pytest.approx([0.15, 0.0], abs=0.01)


def test_where_everything_falls_the_last_scalings_stay():
    response, _ = linear(SLOPES)
    one = sampler("jacobian")
    last = one.answer(response, TARGET).scalings
    assert one.answer(lambda k: None, TARGET).scalings == pytest.approx(last)


def test_scalings_are_clamped():
    response, _ = linear(0.01 * SLOPES)
    for strategy in STRATEGIES:
        assert (np.abs(sampler(strategy, (30.0, 20.0)).answer(response, TARGET).scalings) <= (30.0, 20.0)).all()


def test_a_kept_model_needs_one_trial_and_a_drift_a_new_model():
    response, _ = linear(COUPLED)
    one = sampler("jacobian", reuse=True, refinements=1, rebuild=0.05)
    assert one.answer(response, TARGET).trials > 2
    one.answer(response, TARGET)  # the other leg's
    again = one.answer(response, TARGET)
    assert again.trials == 1 and response(again.scalings) == pytest.approx(TARGET, abs=0.01)
    elsewhere, _ = linear(-COUPLED, (0.6, 0.3))
    new = one.answer(elsewhere, TARGET)
    assert new.trials > 3 and elsewhere(new.scalings) == pytest.approx(TARGET, abs=0.05)


def test_a_kept_model_leads_the_first_trial_by_the_change_of_the_target():
    response, tried = linear(COUPLED)
    one = sampler("jacobian", reuse=True, refinements=1)
    for _ in range(2):
        one.learn(response(one.answer(response, TARGET).scalings), TARGET)
    tried.clear()
    one.answer(response, TARGET + 0.02)
    assert response(tried[0]) == pytest.approx(TARGET + 0.02, abs=0.005)


def test_on_the_limit_cycle_nothing_needs_to_be_tried():
    response, _ = linear(COUPLED)
    one = sampler("jacobian", reuse=True, refinements=2, trust=0.02)
    for _ in range(8):
        answer = one.answer(response, TARGET, unchanged=True)
        one.learn(response(answer.scalings), TARGET)
    assert answer.trials == 0
    one.learn(TARGET + 0.1, TARGET)
    assert one.answer(response, TARGET, unchanged=True).trials > 0


def test_a_bent_answer_is_tried_and_corrected():
    def response(k):
        return np.array([0.02 * k[0] + 0.001 * k[0] ** 2, 0.015 * k[1] - 0.003 * k[0]])

    once = sampler("jacobian").answer(response, TARGET).scalings
    refined = sampler("jacobian", refinements=6, rebuild=0.01).answer(response, TARGET).scalings
    assert np.abs(response(refined) - TARGET).max() < 0.01 < np.abs(response(once) - TARGET).max()


@pytest.mark.parametrize("reuse", [False, True])
def test_what_is_taken_was_tried(reuse):
    """A foot that scuffs makes another step of it: what a model has but no trial has seen may fall."""
    response, tried = linear(COUPLED)
    one = sampler("jacobian", reuse=reuse, refinements=3, rebuild=0.2)
    for more in (0.0, 0.1, 0.03):
        tried.clear()
        found = one.answer(response, TARGET + more).scalings
        assert any(np.array_equal(found, k) for k in tried)
        one.learn(response(found), TARGET + more)

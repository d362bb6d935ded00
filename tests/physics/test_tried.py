"""What is tried in the engine leaves no trace."""

import numpy as np

from blender_biped.character.standard import standard_character
from blender_biped.physics.engine import Engine

CHARACTER = standard_character()
COUNT = len(CHARACTER.links)


def moved(tried):
    """Return the states of a body that sinks down with the feet on the ground; now and then something is tried."""
    found = []
    with Engine(CHARACTER) as engine:
        for count in range(240):
            state = engine.state()
            if tried and count % 40 == 20:

                def kick(start=state):
                    for _ in range(30):
                        engine.apply(torque(5.0), engine.last.matrices)
                        engine.step()
                        engine.state()
                    assert engine.time > start.time

                engine.tried(kick)
                assert engine.time == state.time and engine.last is state
            engine.apply(torque(3.0), state.matrices)
            engine.step()
            found.append(np.concatenate([state.origins.ravel(), state.velocities.ravel(), state.loads]))
    return np.array(found)


def torque(size):
    torques = np.zeros((COUNT, 3))
    torques[CHARACTER.index("shin.L"), 1] = torques[CHARACTER.index("thigh.R"), 1] = size
    return torques


def test_what_was_tried_changes_nothing_bit_for_bit():
    plain = moved(False)
    assert plain[:, -COUNT:].max() > 100.0  # there were contacts
    assert np.array_equal(plain, moved(True))

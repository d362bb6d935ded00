"""Bodies at reference size and states of them, for the tests of control."""

import numpy as np

from blender_biped.base.spatial import quaternion_matrix, quaternion_product, yaw_quaternion
from blender_biped.character.reference import GRAVITY
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.legs import legs_of
from blender_biped.control.shared.state import BodyState
from blender_biped.control.shared.steering import Command
from blender_biped.motion.similarity import at_reference_size

CHARACTER = at_reference_size(standard_character())
LEGS = legs_of(CHARACTER)
COUNT = len(CHARACTER.links)
WEIGHT = CHARACTER.mass * GRAVITY


def standing(loads=(0.5, 0.5), velocity=(0.0, 0.0, 0.0), heading=0.0, place=(0.0, 0.0, 0.0), time=0.0):
    """Return the standing body. loads: under the feet, of its weight. place: by which it leans over its feet, m."""
    origins, rotations = CHARACTER.standing()
    rotations = quaternion_product(yaw_quaternion(heading), rotations)
    origins = CHARACTER.forward_kinematics(origins[0] + np.asarray(place), rotations)
    feet = [i for leg in LEGS for i in (leg.foot, leg.toes)]
    coms = CHARACTER.com_positions(origins, rotations)
    origins[feet] -= place
    forces = np.zeros(COUNT)
    for leg, share in zip(LEGS, loads, strict=True):
        forces[leg.foot] = share * WEIGHT
    velocities = np.tile(np.asarray(velocity, dtype=float), (COUNT, 1))
    return BodyState(time, origins, quaternion_matrix(rotations), coms, velocities, np.zeros((COUNT, 3)), forces)


def com_of(state):
    x, y, z = (CHARACTER.masses @ state.coms / CHARACTER.mass).tolist()
    return x, y, z


def command(speed=0.8, heading=0.0, turn=0.0, arc=0.0, left=10.0):
    return Command(speed, heading, 0.0, turn, arc, left)

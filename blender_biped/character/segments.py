"""Published proportions, masses and inertias of body segments.

Masses, centres of mass and radii of gyration: P. de Leva, "Adjustments to Zatsiorsky-Seluyanov's
segment inertia parameters", J. Biomechanics 29(9), 1996, table 4, males; segments between joint
centres, trunk and head measured from the cervicale (C7), hand to the tip of the middle finger:

=============  ======  =======  ==================================  =========
segment        mass %  CM %     radii of gyration %                 length mm
                       (from    sagittal  transverse  longitudinal
                       proximal)
=============  ======  =======  ========  ==========  ============  =========
head + neck    6.94    49.98    30.3      31.5        26.1          242.9
upper trunk    15.96   49.34    50.5      32.0        46.5          242.1
middle trunk   16.33   54.98    48.2      38.3        46.8          215.5
lower trunk    11.17   38.85    61.5      55.1        58.7          145.7
upper arm      2.71    57.72    28.5      26.9        15.8          281.7
forearm        1.62    45.74    27.6      26.5        12.1          268.9
hand           0.61    36.24    28.8      23.5        18.4          187.9
thigh          14.16   40.95    32.9      32.9        14.9          422.2
shank          4.33    43.95    25.1      24.6        10.2          440.3
foot           1.37    44.15                                        258.1
=============  ======  =======  ========  ==========  ============  =========

Trunk and head are turned here so that "proximal" is the lower end. The sagittal axis points forward,
the transverse one to the side. The trunk from the hips to C7 is 603.3 mm. The foot is split at the ball
here, so its radii of gyration (given for the whole) are not used: both parts are taken as even boxes.

Lengths of the standard body: R. Drillis and R. Contini, "Body segment parameters", 1966, as fractions
of stature in D. A. Winter, "Biomechanics and Motor Control of Human Movement", figure 4.1.
"""

from __future__ import annotations

from dataclasses import dataclass

TRUNK_MM = 603.3
"""Mid-hip to C7 of de Leva's mean male."""


@dataclass(frozen=True)
class Segment:
    """Published properties of one segment.

    mass: fraction of the body's mass. com: from the proximal end, fraction of the length.
    gyration: radii about the link's x, y and z axes in the standing pose, fraction of the length.
    """

    mass: float
    com: float
    gyration: tuple[float, float, float]


SEGMENTS = {
    "head": Segment(0.0694, 0.4998, (0.303, 0.315, 0.261)),
    "upper_arm": Segment(0.0271, 0.5772, (0.285, 0.269, 0.158)),
    "forearm": Segment(0.0162, 0.4574, (0.276, 0.265, 0.121)),
    # The hand hangs with its palm to the thigh: the axis through the palm, de Leva's sagittal one, is y.
    "hand": Segment(0.0061, 0.3624, (0.235, 0.288, 0.184)),
    "thigh": Segment(0.1416, 0.4095, (0.329, 0.329, 0.149)),
    "shin": Segment(0.0433, 0.4395, (0.251, 0.246, 0.102)),
}
"""Limbs and head, by link."""

FOOT_MASS = 0.0137
FOOT_COM = 0.4415
"""The whole foot with its toes: fraction of the body's mass, and of its length from the heel."""


def _trunk_segment(mass: float, low_mm: float, length_mm: float, com: float, *gyration: float) -> Segment:
    to_trunk = length_mm / TRUNK_MM
    x, y, z = (g * to_trunk for g in gyration)
    return Segment(mass, low_mm / TRUNK_MM + com * to_trunk, (x, y, z))


TRUNK = {
    "pelvis": _trunk_segment(0.1117, 0.0, 145.7, 0.3885, 0.615, 0.551, 0.587),
    "abdomen": _trunk_segment(0.1633, 145.7, 215.5, 0.5498, 0.482, 0.383, 0.468),
    "chest": _trunk_segment(0.1596, 361.2, 242.1, 0.4934, 0.505, 0.320, 0.465),
}
"""Lower, middle and upper trunk; lengths are fractions of the whole trunk, from the mid-hip to C7.

Rigs cut their spines where they like, so a segment's breadth and place do not follow from its own length.
"""

CHEST_START = 361.2 / TRUNK_MM
"""Where the upper trunk begins, fraction of the trunk."""

HEAD_TO_TRUNK = 242.9 / TRUNK_MM
"""C7 to the top of the head, fraction of the trunk."""

HAND_TO_FOREARM = 187.9 / 268.9

DENSITY = 1050.0
"""Of the living body, kg/m3 (Winter, table 4.1: 1.03e3 to 1.16e3 for its segments)."""

TOES_MASS = 0.15
"""Share of the toes in the mass of the foot. An assumption: a quarter of its length, half as thick."""

STATURE = 1.75
STANDARD_MASS = 70.0

# Fractions of stature (Drillis and Contini).
HIP_HEIGHT = 0.530
KNEE_HEIGHT = 0.285
ANKLE_HEIGHT = 0.039
SHOULDER_HEIGHT = 0.818
NECK_HEIGHT = 0.870
SHOULDER_HALF_BREADTH = 0.129
UPPER_ARM = 0.186
FOREARM = 0.146
HAND = 0.108
FOOT_LENGTH = 0.152
FOOT_BREADTH = 0.055

HIP_JOINT_HALF_BREADTH = 0.050
"""Hip joint from the middle, fraction of stature: Drillis and Contini's 0.191 is across the trochanters."""

# Fractions of foot length, from the heel. The ball: the ratio of "ball of foot length" to "foot length" in
# the ANSUR survey (Gordon et al. 1989). The ankle a quarter of the foot before the heel is an assumption.
ANKLE_IN_FOOT = 0.25
BALL_IN_FOOT = 0.73


def default_mass(stature: float) -> float:
    """Return a plausible mass, kg, for a stature, m: 70 kg at 1.75 m, growing with the volume."""
    return STANDARD_MASS * (stature / STATURE) ** 3

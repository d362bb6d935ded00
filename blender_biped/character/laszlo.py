"""The bodies of Laszlo 1996, Appendix B: a human with 19 degrees of freedom, and a bird-like robot that runs.

The thesis' axes (x back, y up, z left) are turned into the character's (x forward, y left, z up); angles about its z
(pitch) are those about our y, about its x (roll) those about our -x, about its y (yaw) those about our z.
"""

from __future__ import annotations

from .model import SIDES, Character, JointKind, Link, Shape

Triple = tuple[float, float, float]
Box = tuple[Triple, Triple]

_SIGNS = (1.0, -1.0)  # of the sides, along the thesis' z
_MID_HIP = (0.00478, 0.9629, 0.0)  # the thesis' coordinates of the human's
_CLEAR = 0.01  # m that the tip is above the sole: the ground is felt by the foot alone
_TIP = (0.03, 0.001, (1e-6, 1e-6, 1e-6))  # m, kg, kg m2 of the foot's tip, which the recorder wants to be a link

_SCRIPT_UNIT = 0.1  # m of the robo-bird's numbers: with it 1 g/cm3 gives a body that gains of 1000 N m/rad can carry
_DENSITY = 1000.0  # kg/m3
_BAR = 0.05  # m, thickness of what the script draws as lines: legs and feet
_SOLE_HALF = 0.015  # m


def laszlo_human() -> Character:
    """Return the human of Appendix B: 88 kg, 1.80 m, with a waist, a mid-back, no wrists and no toes' joints.

    Masses, inertias, joints and soles are printed. What only pictures show is chosen here: the links' thickness.
    """
    pelvis = Link(
        "pelvis", -1, "free", (0.0, 0.0, 0.0), 16.61, _place((0.0, 0.98, 0.0), _MID_HIP), _moments(0.23, 0.16, 0.18),
        Shape("box", (0.0, 0.0, 0.02), (0.09, 0.15, 0.07)),
    )  # fmt: skip
    people = _Body(pelvis, _MID_HIP)
    torso = people.add("abdomen", "pelvis", "hinge", (0.0, 1.0202, 0.0), 19.5133, (-0.03, 1.3112, 0.0),
                       (0.4867, 0.17427, 0.42), Shape("box", (0.01, 0.0, 0.16), (0.10, 0.16, 0.15)))  # fmt: skip
    chest = people.add("chest", torso, "hinge", (0.0, 1.35, 0.0), 9.7567, (-0.03, 1.4275, 0.0),
                       (0.2433, 0.08713, 0.21), Shape("box", (0.01, 0.0, 0.075), (0.10, 0.165, 0.08)))  # fmt: skip
    people.add("head", chest, "hinge", (0.0478, 1.5052, 0.0), 5.89, (-0.01, 1.70, 0.0), (0.03, 0.023, 0.033),
               Shape("capsule", (0.04, 0.0, 0.18), (0.0, 0.0, 0.045), 0.085))  # fmt: skip
    for side, z in zip(SIDES, _SIGNS, strict=True):
        _add_arm(people, side, z, chest)
    for side, z in zip(SIDES, _SIGNS, strict=True):
        _add_leg(people, side, z)
    return Character("laszlo human", tuple(people.links), _MID_HIP[1])


def _add_arm(people: _Body, side: str, z: float, chest: str) -> None:
    upper = people.add(f"upper_arm.{side}", chest, "hinge", (0.02, 1.4203, z * 0.1847), 2.79, (0.0, 1.34, z * 0.21),
                       (0.025, 0.005, 0.025), _rod((-0.0087, z * 0.0255, -0.2712), 0.045))  # fmt: skip
    people.add(f"forearm.{side}", upper, "hinge", (0.0287, 1.1491, z * 0.2102), 1.761, (0.0287, 1.03, z * 0.222),
               (0.0066, 0.0018, 0.0080), _rod((0.0, z * 0.02, -0.2991), 0.04))  # fmt: skip


def _add_leg(people: _Body, side: str, z: float) -> None:
    ankle = (0.03348, 0.09164, z * 0.0837)
    thigh = people.add(f"thigh.{side}", "pelvis", "spherical", (0.00478, 0.9629, z * 0.0932), 8.35,
                       (0.0, 0.80, z * 0.09), (0.15, 0.025, 0.16), _rod((0.0, z * -0.0023, -0.4432), 0.07))  # fmt: skip
    shin = people.add(f"shin.{side}", thigh, "hinge", (0.00478, 0.5197, z * 0.09091), 4.16, (0.0, 0.35, z * 0.07),
                      (0.055, 0.007, 0.056), _rod((-0.0287, z * -0.0072, -0.428), 0.05))  # fmt: skip
    half_width, half_height = 0.04, 0.03  # of the sole's monitor points; above them, chosen
    tip, tip_mass, tip_moments = _TIP
    sole = _place((0.5 * (0.07 - 0.10), half_height, z * 0.09), ankle)
    foot = people.add(f"foot.{side}", shin, "universal", ankle, 1.20 - tip_mass, (-0.03, 0.02, z * 0.08),
                      (0.0018, 0.0070, 0.0075), Shape("box", sole, (0.085, half_width, half_height)))  # fmt: skip
    joint = (tip - 0.10, ankle[1], ankle[2])
    middle = (0.5 * tip - 0.10, half_height + _CLEAR, z * 0.09)
    people.add(f"toes.{side}", foot, "fixed", joint, tip_mass, middle, tip_moments,
               Shape("box", _place(middle, joint), (0.5 * tip, half_width, half_height)))  # fmt: skip


class _Body:
    """Links being put together from the thesis' coordinates, in which every place is that of the whole body."""

    def __init__(self, root: Link, at: Triple) -> None:
        self.links = [root]
        self._joints = {root.role: at}

    def add(
        self, role: str, parent: str, joint: JointKind, at: Triple, mass: float, com: Triple, moments: Triple,
        shape: Shape,
    ) -> str:  # fmt: skip
        """Add a link whose joint is at ``at``; the shape is in the link's own frame. Return its role."""
        above = next(i for i, link in enumerate(self.links) if link.role == parent)
        self._joints[role] = at
        self.links.append(
            Link(role, above, joint, _place(at, self._joints[parent]), mass, _place(com, at), _moments(*moments), shape)
        )
        return role


def _place(point: Triple, origin: Triple) -> Triple:
    """Return a point of the thesis' axes (3,), from an origin, in ours, m."""
    x, y, z = (p - o for p, o in zip(point, origin, strict=True))
    return (-x, z, y)


def _moments(x: float, y: float, z: float) -> Triple:
    return (x, z, y)


def _rod(end: Triple, radius: float) -> Shape:
    """Return a capsule from the link's origin to ``end``."""
    x, y, z = (0.5 * v for v in end)
    return Shape("capsule", (x, y, z), (x, y, z), radius)

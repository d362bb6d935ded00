# SPDX-License-Identifier: GPL-3.0-or-later
"""The bodies of Laszlo 1996, Appendix B: a human with 19 degrees of freedom, and a bird-like robot that runs.

The thesis' axes (x back, y up, z left) are turned into the character's (x forward, y left, z up); angles about its z
(pitch) are those about our y, about its x (roll) those about our -x, about its y (yaw) those about our z.
"""

from __future__ import annotations

from blender_biped.character.model import SIDES, Character, JointKind, Link, Shape

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
    people = _Assembly(pelvis, _MID_HIP)
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


def _add_arm(people: _Assembly, side: str, z: float, chest: str) -> None:
    upper = people.add(f"upper_arm.{side}", chest, "hinge", (0.02, 1.4203, z * 0.1847), 2.79, (0.0, 1.34, z * 0.21),
                       (0.025, 0.005, 0.025), _rod((-0.0087, z * 0.0255, -0.2712), 0.045))  # fmt: skip
    people.add(f"forearm.{side}", upper, "hinge", (0.0287, 1.1491, z * 0.2102), 1.761, (0.0287, 1.03, z * 0.222),
               (0.0066, 0.0018, 0.0080), _rod((0.0, z * 0.02, -0.2991), 0.04))  # fmt: skip


def _add_leg(people: _Assembly, side: str, z: float) -> None:
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


def robo_bird() -> Character:
    """Return the bird-like robot of Appendix B, whose legs have four segments and a foot; its neck does not turn.

    Joints, the body's and the head's faces, and soles are printed; masses follow from them at the printed density.
    """
    body = _frustum((1.0, -4.0), (-0.4, 0.8), (1.5, 1.5), (1.5, 1.5))
    pelvis = Link("pelvis", -1, "free", (0.0, 0.0, 0.0), *body)
    bird = _Assembly(pelvis, (0.0, 0.0, 0.0))
    neck = (-0.23, 0.10, 0.0)
    mass, com, inertia, shape = _frustum((0.5, -5.25), (1.5, 5.5), (1.75, 0.9), (2.25, 1.25))
    offset = _place(neck, (0.0, 0.0, 0.0))
    bird.links.append(
        Link("head", 0, "fixed", offset, mass, _less(com, offset), inertia,
             Shape("box", _less(shape.center, offset), shape.half))
    )  # fmt: skip
    for side, z in zip(SIDES, _SIGNS, strict=True):
        joints = [(0.0, 0.0), (-3.0, 0.0), (-3.0, -4.0), (-3.0, -9.5), (-4.8, -9.5)]
        places = [(_SCRIPT_UNIT * x, _SCRIPT_UNIT * y, z * 0.25) for x, y in joints]
        above = "pelvis"
        for k, part in enumerate(("thigh", "shin", "hock", "metatarsus")):
            kind: JointKind = "universal" if part == "thigh" else "hinge"
            above = _add_bar(bird, f"{part}.{side}", above, kind, places[k], places[k + 1])
        _add_bird_foot(bird, side, above, places[4])
    return Character("robo-bird", tuple(bird.links), 1.04)


def _add_bar(bird: _Assembly, role: str, above: str, kind: JointKind, begin: Triple, end: Triple) -> str:
    length = sum((b - a) ** 2 for a, b in zip(begin, end, strict=True)) ** 0.5
    mass = _DENSITY * length * _BAR**2
    long, across = mass * _BAR**2 / 6.0, mass * (length**2 + _BAR**2) / 12.0
    moments = (long, across, across) if abs(end[0] - begin[0]) > abs(end[1] - begin[1]) else (across, long, across)
    middle = (0.5 * (begin[0] + end[0]), 0.5 * (begin[1] + end[1]), begin[2])
    return bird.add(role, above, kind, begin, mass, middle, moments, _rod(_place(end, begin), 0.5 * _BAR))


def _add_bird_foot(bird: _Assembly, side: str, above: str, ankle: Triple) -> None:
    long, wide, thick = 0.38, 0.28, 2.0 * _SOLE_HALF
    tip, tip_mass, tip_moments = _TIP
    mass = _DENSITY * thick * (0.35 * _BAR + 0.28 * _BAR)  # a cross of two bars
    moments = (mass * wide**2 / 12.0, mass * (long**2 + wide**2) / 24.0, mass * long**2 / 12.0)
    middle = (-0.38 - 0.5 * long, -1.04 + _SOLE_HALF, ankle[2])
    shape = Shape("box", _place(middle, ankle), (0.5 * long, 0.5 * wide, _SOLE_HALF))
    foot = bird.add(f"foot.{side}", above, "universal", ankle, mass, middle, moments, shape)
    joint = (-0.38 - long + tip, ankle[1], ankle[2])
    end = (-0.38 - long + 0.5 * tip, -1.04 + _SOLE_HALF + _CLEAR, ankle[2])
    tip_shape = Shape("box", _place(end, joint), (0.5 * tip, 0.5 * wide, _SOLE_HALF))
    bird.add(f"toes.{side}", foot, "fixed", joint, tip_mass, end, tip_moments, tip_shape)


def _frustum(
    along: tuple[float, float], up: tuple[float, float], low: tuple[float, float], high: tuple[float, float]
) -> tuple[float, Triple, Triple, Shape]:
    """Return mass, centre of mass, inertia and box, in our axes, of a block in the script's units.

    along, up: its extents along the script's x and y. low, high: half widths of its lower and upper face, back and
    front. The moments are those of the box of the same length, height and mean width.
    """
    x, y = 0.5 * (along[0] + along[1]) * _SCRIPT_UNIT, 0.5 * (up[0] + up[1]) * _SCRIPT_UNIT
    length, height = abs(along[1] - along[0]) * _SCRIPT_UNIT, abs(up[1] - up[0]) * _SCRIPT_UNIT
    width = 2.0 * sum((*low, *high)) / 4.0 * _SCRIPT_UNIT
    mass = _DENSITY * length * height * width
    inertia = tuple(mass / 12.0 * (a * a + b * b) for a, b in ((width, height), (length, height), (length, width)))
    center = (-x, 0.0, y)
    return mass, center, (inertia[0], inertia[1], inertia[2]), Shape("box", center, (length / 2, width / 2, height / 2))


def _less(a: Triple, b: Triple) -> Triple:
    x, y, z = (p - q for p, q in zip(a, b, strict=True))
    return (x, y, z)


class _Assembly:
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

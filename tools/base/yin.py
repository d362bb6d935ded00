# SPDX-License-Identifier: GPL-3.0-or-later
"""The planar biped of Yin 2007, section 7: seven links that move in their sagittal plane alone."""

from __future__ import annotations

from blender_biped.character.model import SIDES, Character, Link, Shape

Triple = tuple[float, float, float]

_HIP_ASIDE = 0.09  # m; in a plane it changes nothing, but legs are seen beside one another
_ANKLE_HEIGHT = 0.05  # m above the sole
_ANKLE_IN_FOOT = 0.25  # share of the foot's length before the ankle that is behind it
_TOES = (0.02, 0.05)  # m of the foot's length, kg of its mass: a tip that is fixed to it
_WIDTH = 0.08  # m of a foot


def planar_biped() -> Character:
    """Return the seven-link biped of Yin 2007, section 7: 90 kg, legs of 0.9 m over ankles.

    Trunk, thighs, shins and feet weigh 70, 5, 4 and 1 kg and are 0.48, 0.45, 0.45 and 0.20 m long. What the paper does
    not say: limbs are uniform rods, the trunk begins at the hips, ankles are 0.05 m high and at a quarter of the foot.
    """
    rod = 0.04
    links = [
        Link(
            "pelvis", -1, "free", (0.0, 0.0, 0.0), 70.0, (0.0, 0.0, 0.24), _slender(70.0, 0.48, 2),
            Shape("box", (0.0, 0.0, 0.24), (0.08, 0.12, 0.24)),
        )
    ]  # fmt: skip
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        hip = (0.0, sign * _HIP_ASIDE, 0.0)
        for part, parent, offset, mass in (
            ("thigh", 0, hip, 5.0),
            ("shin", len(links), (0.0, 0.0, -0.45), 4.0),
        ):
            links.append(
                Link(
                    f"{part}.{side}", parent, "hinge", offset, mass, (0.0, 0.0, -0.225), _slender(mass, 0.45, 2),
                    Shape("capsule", (0.0, 0.0, -0.225), (0.0, 0.0, 0.225 - rod), rod),
                )
            )  # fmt: skip
        links += _foot(side, len(links) - 1)
    return Character("planar biped", tuple(links), 0.9 + _ANKLE_HEIGHT)


def _foot(side: str, shin: int) -> list[Link]:
    """Return a foot of 1 kg and 0.2 m, cut in two before its tip."""
    length, mass, (tip, tip_mass) = 0.2, 1.0, _TOES
    heel = -_ANKLE_IN_FOOT * length
    sole, half = length - tip, 0.5 * _ANKLE_HEIGHT * 0.5
    ball = heel + sole
    low = -_ANKLE_HEIGHT + half

    def part(role: str, parent: int, offset: Triple, size: float, kg: float, start: float) -> Link:
        center = (start + 0.5 * size, 0.0, low)
        return Link(
            f"{role}.{side}", parent, "hinge" if role == "foot" else "fixed", offset, kg, center,
            _slender(kg, size, 0), Shape("box", center, (0.5 * size, 0.5 * _WIDTH, half)),
        )  # fmt: skip

    return [
        part("foot", shin, (0.0, 0.0, -0.45), sole, mass - tip_mass, heel),
        part("toes", shin + 1, (ball, 0.0, 0.0), tip, tip_mass, 0.0),
    ]


def _slender(mass: float, length: float, along: int) -> Triple:
    """Return the inertia (3,), kg m2, of a uniform rod, a tenth as thick as long, along axis ``along``."""
    across = mass * length**2 / 12.0
    x, y, z = (0.06 * across if i == along else across for i in range(3))
    return x, y, z

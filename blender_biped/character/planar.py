"""Any character with hinges for joints: a body that moves in its sagittal plane alone."""

from __future__ import annotations

from dataclasses import replace

from .model import Character, JointKind


def planar(character: Character) -> Character:
    """Return the same links with hinges about y in place of every joint that turns about more axes.

    Links keep their order, masses, shapes and bones, so a motion of it is one of ``character``.
    """
    return replace(character, links=tuple(replace(link, joint=_hinge(link.joint)) for link in character.links))


def _hinge(joint: JointKind) -> JointKind:
    return "hinge" if joint in ("spherical", "universal") else joint

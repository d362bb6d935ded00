"""Where a body can be pushed, as an animator says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .model import Character


@dataclass(frozen=True)
class Part:
    """A part that can be pushed. key: in files. role: the link; joint: that of another link at which it is pushed."""

    key: str
    label: str
    text: str
    role: str
    joint: str = ""


PARTS: Final[Sequence[Part]] = (
    Part("CHEST", "Upper Body", "The middle of the chest", "chest"),
    Part("LEFT_SHOULDER", "Left Shoulder", "The left shoulder, which turns the body too", "chest", "upper_arm.L"),
    Part("RIGHT_SHOULDER", "Right Shoulder", "The right shoulder, which turns the body too", "chest", "upper_arm.R"),
    Part("HEAD", "Head", "The middle of the head", "head"),
    Part("HIPS", "Hips", "The middle of the hips", "pelvis"),
    Part("LEFT_KNEE", "Left Knee", "The left knee", "thigh.L", "shin.L"),
    Part("RIGHT_KNEE", "Right Knee", "The right knee", "thigh.R", "shin.R"),
)
"""The parts, in the order of a menu."""


def torso(character: Character) -> str:
    """Return the role of the upper torso: without a chest it is the abdomen or the pelvis."""
    return next(role for role in ("chest", "abdomen", "pelvis") if character.has(role))


def pushed_at(character: Character, key: str) -> tuple[str, tuple[float, float, float] | None] | None:
    """Return role and point of a part of a character, as ``Push`` has them; None where it has no such part."""
    part = next(own for own in PARTS if own.key == key)
    if part.joint:
        if not character.has(part.joint):
            return None
        joint = character.index(part.joint)
        x, y, z = character.links[joint].offset
        return character.links[character.links[joint].parent].role, (x, y, z)
    role = torso(character) if part.role == "chest" else part.role
    return (role, None) if character.has(role) else None

"""What a body touches now, and what it bears by that."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ..base.spatial import Array
from ..character.model import Character
from . import masks
from .body_builder import Built
from .stage import GroundBody, Member, Stage

_CLEAR = 0.005  # m between links that can be let touch each other


class Touching:
    """Which links of a body touch the ground, companions and each other."""

    def __init__(self, stage: Stage, built: Built, character: Character, ground: GroundBody, empty: bool) -> None:
        """empty: whether its world is, but for a flat ground."""
        self._stage, self._physics, self._built = stage, stage.physics, built
        self._soles, self._ground = frozenset(character.soles), ground
        self._empty, self._flat, self._masked = empty, ground.terrain is None, stage.shared or not empty
        self._links = {joint: link for link, joint in enumerate(built.joints)}
        self.whole = False
        """Whether all of the body touches the ground, and not its soles alone."""
        self._apart: list[tuple[int, int]] = []
        """Links that could touch each other, and do not yet."""
        self._keep_boxes()

    def _keep_boxes(self) -> None:
        """Let the boxes of soles touch companions alone."""
        for box in self._built.boxes:
            self._physics.setCollisionFilterGroupMask(self._built.body, box, masks.LINK, masks.LINK)

    def keep_apart(self) -> None:
        """Let no link touch another one of the body, as they would in a ragdoll, until ``itself`` is called."""
        joints, boxes = self._built.joints, self._built.boxes
        self._apart = list(combinations(joints, 2))
        for one, other in (*self._apart, *((box, own) for box in boxes for own in (*joints, *boxes))):
            self._pair(one, other, 0)

    def itself(self) -> None:
        """Let links touch each other from now on, but for those that overlap now, as at joints: these never do."""
        body = self._built.body
        for one, other in self._apart:
            if not self._physics.getClosestPoints(body, body, _CLEAR, one, other):
                self._pair(one, other, 1)
        self._apart = []

    def _pair(self, one: int, other: int, touches: int) -> None:
        self._physics.setCollisionFilterPair(self._built.body, self._built.body, one, other, touches)

    def on_ground(self, whole: bool) -> None:
        """Let the whole body touch the ground, or its soles alone: testing links high above it costs time."""
        self.whole = whole
        for i, joint in enumerate(self._built.joints):
            sole = i in self._soles
            # It touches already: set anew, it has hardly a contact for two steps, and sinks 15 mm into a mesh. On the
            # flat floor it still is: five of eight of generalized's walks under a beam, tuned so, fell without that.
            if not (whole and sole and not self._flat):
                self._physics.setCollisionFilterGroupMask(self._built.body, joint, *self._filter(i, whole or sole))

    def _filter(self, link: int, grounded: bool) -> tuple[int, int]:
        """Return the group and the mask of a link; grounded: whether it may touch the ground."""
        if not self._masked:
            return int(grounded), int(grounded)
        if link in self._built.cornered:
            return masks.SOLE, self._ground.group
        on = masks.PROP | masks.OBSTACLE | (masks.LINK if self._stage.shared else 0)
        if not grounded:
            return masks.LINK, on
        return masks.SOLE | masks.LINK, self._ground.group | on

    def loads(self, member: Member) -> Array:
        """Return the upward force on each link (L,), N, of all but companions, in the last step."""
        loads = [0.0] * len(self._built.joints)
        if self._empty:
            links = self._links
            for contact in self._physics.getContactPoints(self._built.body, self._ground.body):
                loads[links[contact[3]]] += contact[9]
            return np.array(loads)
        # on slopes and things a contact's normal is not upright, and friction bears its part
        companions = [other.body for other in self._stage.others(member)] if self._stage.shared else ()
        for contact in self._physics.getContactPoints(self._built.body):
            if contact[2] in companions:
                continue
            up = contact[7][2] * contact[9] + contact[11][2] * contact[10] + contact[13][2] * contact[12]
            loads[self._links[contact[3]]] += up
        return np.array(loads)

    def pushed(self, member: Member) -> bool:
        """Return whether a companion has pushed the body in the last step."""
        if not self._stage.shared:
            return False
        p = self._physics
        contacts = (p.getContactPoints(self._built.body, other.body) for other in self._stage.others(member))
        return any(contact[9] > 0.0 for found in contacts for contact in found)

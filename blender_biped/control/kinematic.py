"""KLAW as a controller: it needs no physics (Bruderlin 1988; the room ``klaw``)."""

from __future__ import annotations

from ..klaw.attributes import Style
from ..klaw.walk import NAME, recorded, speed_of_steps
from .kind import Can, Kind

KLAW = Kind(
    name=NAME,
    label="KLAW",
    description="Walks at once, with exactly the speed and the steps that are set: a small dynamic model of the legs, "
    "and what is known of human gait. Not a simulation of the whole body (Bruderlin 1988)",
    paper="Armin Bruderlin: Goal-Directed, Dynamic Animation of Bipedal Locomotion. Simon Fraser University, 1988",
    settings=Style,
    chance=("manner.look_about",),
    can=Can(change=True, set_steps=True, slopes=True, wait=True),
    walk=recorded,
    speed_of_steps=speed_of_steps,
)

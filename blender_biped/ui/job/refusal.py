"""Why a walk cannot be baked, as the bake would say: found before it is pressed."""

from __future__ import annotations

from typing import Any

import bpy

from ...base.errors import BipedError
from .body import walking_body
from .found import answered
from .request import request_of


def refusal(context: bpy.types.Context, armature: Any) -> str:
    """Return why a character's walk is refused in its scene, "" where it is not, or that is not known yet.

    The scene is evaluated, and what hands do is planned: not for drawing. Where nothing is in the scene that a walk
    answers to, what a panel finds itself is all there is.
    """
    if armature.biped.walk.path is None or not answered(context.scene, context.view_layer, armature):
        return ""
    body = walking_body(armature, context.scene)
    if body.rig is None or body.character is None:
        return ""
    try:
        request_of(context, armature, body.rig, body.character)
    except BipedError as error:
        return str(error)
    return ""

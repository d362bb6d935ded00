"""Errors that a user can act on: each message says what is wrong and what to do."""

from __future__ import annotations


class BipedError(Exception):
    """Anything this extension refuses, with a message for the user."""


class DataError(BipedError):
    """A file or its content is not usable: names the field, the value and what is expected."""


class RigError(BipedError):
    """An armature cannot be mapped to a biped: names what is missing."""


class WorkerError(BipedError):
    """The simulation process ended without a result: says how."""

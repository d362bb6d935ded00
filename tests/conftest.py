"""What must be so before any test module is loaded."""

from blender_biped.base.arithmetic import make_reproducible

make_reproducible()  # as the worker does

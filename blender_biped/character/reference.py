"""The reference body: gains, speeds and times are written for it, and every walk is simulated at its size."""

REFERENCE_MASS = 70.4
"""kg."""

REFERENCE_LEG = 0.9
"""m, from the hip joint to the sole."""

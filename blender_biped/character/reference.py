"""The reference body and the gravity it walks in: gains, speeds and times are written for them.

Every walk is simulated at this size; measures scale lengths to this leg.
"""

REFERENCE_MASS = 70.4
"""kg."""

REFERENCE_LEG = 0.9
"""m, from the hip joint to the sole."""

GRAVITY = 9.81
"""m/s2."""

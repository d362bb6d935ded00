"""What hands do on a walk: reach, pick up, carry, set down, push and pull (Coros 2010, section 5.4).

The walk knows ``hands`` alone. Arrays in metres, in the world where nothing else is said; sides are 0 left, 1 right.
"""

"""From a motion to keyframes, and what is told of it."""

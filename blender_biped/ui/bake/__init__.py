"""From a motion to keyframes, and a report of it."""

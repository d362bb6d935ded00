"""The walk's phases, and what they share."""

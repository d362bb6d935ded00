"""KLAW: walking that is exactly as it was set, from a small dynamic model and knowledge of gait. numpy only.

A. Bruderlin, "Goal-Directed, Dynamic Animation of Bipedal Locomotion", M.Sc. thesis, Simon Fraser University, 1988.
"""

"""Where: path, ground, obstacles, pushes. numpy only."""

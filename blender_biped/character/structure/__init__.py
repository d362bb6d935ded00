"""Body parts by the shape of a skeleton: hierarchy, symmetry, and places above the ground. Names hardly count."""

"""What happens on the way of a walk, as one list: rows of several kinds, each a view of what a file keeps anyway."""

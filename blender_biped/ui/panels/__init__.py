"""The sidebar, and what its buttons do."""

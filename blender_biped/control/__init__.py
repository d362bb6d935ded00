"""How: one module for each paper, and the parts they share. numpy only."""

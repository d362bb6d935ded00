"""What the next step is: style tables, the planner, the reference of the centre of mass, footholds that are given."""

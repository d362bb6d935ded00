"""What controllers share: tracking, stable PD, root torque, contacts, standing, pose graphs, steering."""

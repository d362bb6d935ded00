"""What a step of a run is: how long it takes, how the body bounces and rolls over its foot, how it is held."""

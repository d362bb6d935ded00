"""What is kept in the .blend: properties of scenes, armatures and actions, and the preferences."""

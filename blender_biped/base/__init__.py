"""What knows nothing of walking: checked reading of JSON, rotations, curves, errors."""

"""What every room of the interface may use."""

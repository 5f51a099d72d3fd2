"""18C2C's own steps."""

"""18AL's own steps."""

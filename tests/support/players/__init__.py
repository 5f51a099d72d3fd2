"""Players for random games."""

"""18C2C "D" variant: the super-short game and the full game."""

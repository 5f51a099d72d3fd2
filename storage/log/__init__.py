"""The log of a game: rows, kept states and positions, results."""

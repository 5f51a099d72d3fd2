"""Posts of a game: the board, turns with their lines, the final score. Imports places and entry."""

"""Posts of a game: board, lines, turn message, lobby, proposals, final score. Imports places and entry."""

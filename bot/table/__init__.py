"""Games in play, lobbies and settings, independent of Discord. Only one process writes to a game at a time."""

"""Games in play, lobbies and settings, without Discord. Each game has one writer."""

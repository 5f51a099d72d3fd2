"""The table: running games, their one writer, lobbies, and what there is to choose from. It knows nothing of Discord."""

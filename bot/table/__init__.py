"""The table: running games, their one writer, lobbies, and what there is to choose from. No Discord in it."""

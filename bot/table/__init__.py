"""The table: running games with one writer each, lobbies, and choices. Without Discord."""

"""Pictures of maps, markets and score sheets, drawn from the read-only views of a game."""

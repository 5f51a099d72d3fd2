"""Play of a game: the table, steps with one decision each, the rounds that order them, and their effects."""

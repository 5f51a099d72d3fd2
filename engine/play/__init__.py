"""Play of a game: the table, steps of one decision each, rounds that order them, and their effects."""

"""Course of a game: the table, steps (one decision each), the rounds that order them, and their effects."""

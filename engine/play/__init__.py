"""How a game is played: the table, steps of one decision each, rounds that order them, and what they do."""

"""Steps: one module for each decision in a game, with its legal actions and their effects."""

"""Steps: one module for each decision, with its offers and their effects."""

"""Steps: one module per decision, with its offers and their effects."""

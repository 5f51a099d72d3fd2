"""1830, as 18xx.games plays it."""

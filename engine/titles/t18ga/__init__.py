"""18GA, as 18xx.games plays it."""

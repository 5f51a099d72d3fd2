"""1830, as played on 18xx.games."""

"""18GA, as played on 18xx.games."""

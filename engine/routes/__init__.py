"""Train routes: their rules, revenue and notation, and the search for the best ones."""

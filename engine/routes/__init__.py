"""Routes: definition, legality, revenue, notation, and the search for the best ones."""

"""Standing orders, sealed auctions, computer players: moves that are made automatically."""

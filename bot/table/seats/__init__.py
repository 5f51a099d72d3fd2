"""Seats before a game starts: lobby settings, computer players, rematches, claims of imported games."""

"""Seasons and tournaments: entrants, draws, games, points, standings, and promotion."""

"""Seasons and tournaments: entrants, draws, games, points and standings, promotion."""

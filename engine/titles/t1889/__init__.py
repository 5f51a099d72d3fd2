"""Shikoku 1889, as 18xx.games plays it."""

"""Shikoku 1889, as played on 18xx.games."""

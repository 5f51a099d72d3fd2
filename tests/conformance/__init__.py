"""Recorded games of 18xx.games, replayed."""

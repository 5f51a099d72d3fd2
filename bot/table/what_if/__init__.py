"""Moves tried on a copy of a game; nothing is stored."""

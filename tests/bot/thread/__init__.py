"""Tests of what stands in the thread of a game: its board, its lines, and the post of each turn."""

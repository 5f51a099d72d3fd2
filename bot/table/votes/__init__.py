"""Proposals on which players vote (absent players, seats, pauses, undo, early ends), and moderators' commands."""

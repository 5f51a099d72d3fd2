"""Proposals and their effects: absent players, seats, pauses, undo, early ends."""

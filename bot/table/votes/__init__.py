"""Proposals to the table and what they decide: absent players, seats, pauses, undo, early endings."""

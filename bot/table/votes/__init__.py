"""Proposals to the table and what they decide: absent players, seats, substitutes, early endings."""

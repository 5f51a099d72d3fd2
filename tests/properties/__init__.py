"""Random games with invariants."""

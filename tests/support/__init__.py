"""Code that tests share: players, makers, invariants."""

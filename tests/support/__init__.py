"""What tests share: players, makers, invariants."""

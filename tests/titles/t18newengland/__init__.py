"""The rules of 18NewEngland."""

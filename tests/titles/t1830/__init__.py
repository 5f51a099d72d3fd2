"""The rules of 1830."""

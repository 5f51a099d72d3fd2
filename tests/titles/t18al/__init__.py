"""The rules of 18AL."""

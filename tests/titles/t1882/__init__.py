"""The rules of 1882."""

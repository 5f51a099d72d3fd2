"""The rules of 18TN."""

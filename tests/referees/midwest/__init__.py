"""A second statement of 1846."""

"""Commands that make moves."""

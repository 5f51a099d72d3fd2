"""The titles: data and a few rule overrides each."""

"""Mergers: small companies of one president become a large one that nobody has started."""

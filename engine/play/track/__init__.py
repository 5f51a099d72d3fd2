"""Tile lays: which tiles are legal, and their cost in dollars and tile points."""

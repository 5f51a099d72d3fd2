"""Tile lays: legal tiles and their cost in points and dollars."""

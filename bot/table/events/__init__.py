"""Seasons and tournaments: draws, points and standings, and who plays on. Values in, values out."""

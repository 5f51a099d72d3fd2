"""Stored games: their logs, loading, integrity checks, and repair."""

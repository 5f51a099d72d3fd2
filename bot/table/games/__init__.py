"""Stored games: logs, loading, integrity and repair."""

"""Moderating games: repairs, damaged games, servers that were left. Stands on moves."""

"""Tests of what only SQLite does."""
